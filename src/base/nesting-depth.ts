// How deeply a value or a JSON text is nested, found without recursion, since deep input attacks the stack.
import { isRecord } from './json.ts'

/** Whether a value has more than `most` levels below it: `[[1]]` has two. */
export function isDeeperThan(value: unknown, most: number): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true
    level = level.flatMap(entry => (Array.isArray(entry) || isRecord(entry) ? Object.values(entry) : []))
  }
  return false
}

/** Whether a JSON text opens more than `most` brackets inside each other. The text need not be valid. */
export function isTextDeeperThan(json: string, most: number): boolean {
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < json.length; at++) {
    const unit = json[at]
    if (isQuoted) {
      if (unit === '\\') at += 1
      else if (unit === '"') isQuoted = false
    } else if (unit === '"') isQuoted = true
    else if (unit === '[' || unit === '{') {
      depth += 1
      if (depth > most) return true
    } else if (unit === ']' || unit === '}') depth -= 1
  }
  return false
}
