// Prints YAML for items with texts from elsewhere: block style, every text in double quotes, so that no value
// can be read as another type or as more YAML. Pure.
import { isRecord, type JsonObject, type JsonValue } from '../../base/index.ts'

export function printYaml(value: JsonObject): string {
  const printed: string[] = []
  addLines(value, '', printed)
  return `${printed.join('\n')}\n`
}

/** Makes each line once: indenting text that is already printed would copy it again at every level. */
function addLines(value: JsonObject | JsonValue[], indent: string, printed: string[]): void {
  const entries: [string, JsonValue][] = Array.isArray(value)
    ? value.map(entry => ['-', entry])
    : Object.entries(value).map(([key, entry]) => [`${printKey(key)}:`, entry])
  for (const [label, entry] of entries) {
    if (!isBlock(entry)) {
      printed.push(`${indent}${label} ${printScalar(entry)}`)
      continue
    }
    printed.push(`${indent}${label}`)
    addLines(entry, `${indent}  `, printed)
  }
}

function isBlock(value: JsonValue): value is JsonObject | JsonValue[] {
  return Array.isArray(value) ? value.length > 0 : isRecord(value) && Object.keys(value).length > 0
}

/** Words that YAML 1.1 reads as booleans or null. */
const NOT_TEXT = new Set(['y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null'])

function printKey(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) && !NOT_TEXT.has(key.toLowerCase()) ? key : printScalar(key)
}

/** JSON is valid YAML, except for characters that YAML requires to be escaped. */
function printScalar(value: JsonValue): string {
  return JSON.stringify(value).replaceAll(/(?! )[\p{C}\p{Z}]/gu, character => {
    const code = character.codePointAt(0)!
    return code > 0xffff
      ? `\\U${code.toString(16).padStart(8, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`
  })
}
