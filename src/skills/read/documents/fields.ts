// Reads front matter values as the types that they should have. A wrong type is reported, but accepted when
// the meaning is clear: one keyword instead of a list is a list of one, and a number instead of text is read
// as written.
import { describeType, isRecord, type JsonValue } from '../../../base/index.ts'
import type { FileReport } from '../file-report.ts'
import type { FrontMatter } from './front-matter.ts'

export interface FieldReader {
  /** The first of the keys that has a value, here or in the `metadata:` block. */
  text(...keys: string[]): string | undefined
  list(...keys: string[]): string[] | undefined
  /** Like `list`, but a single text is one entry, commas included. */
  names(...keys: string[]): string[] | undefined
  /** A list or a single value; both are correct. */
  oneOrMore(...keys: string[]): string[] | undefined
}

export type Block = Readonly<Record<string, JsonValue>>

/** Whether fields at the margin or those in the `metadata:` block come first. */
export type FirstBlock = 'margin' | 'metadata'

interface Found {
  readonly key: string
  readonly value: JsonValue
  /** The value with numbers as they are spelled. */
  readonly written: JsonValue
}

export function createFieldReader(matter: FrontMatter, first: FirstBlock, report: FileReport): FieldReader {
  const margin = [matter.data, matter.written] as const
  const inner = [blockOf(matter.data), blockOf(matter.written)] as const
  const blocks = first === 'margin' ? [margin, inner] : [inner, margin]
  const find = (keys: readonly string[]): Found | undefined => {
    for (const [block, written] of blocks) {
      for (const key of keys) {
        const value = Object.hasOwn(block, key) ? block[key] : undefined
        if (value !== undefined && value !== null) return { key, value, written: written[key] ?? value }
      }
    }
    return undefined
  }

  const wrong = (key: string, expected: string, value: JsonValue): undefined => {
    report.warning(
      'field-type',
      `\`${key}\`: expected ${expected}, got ${describeType(value)}; it is left out`,
      matter.placeOf(key),
    )
  }

  const list = (keys: readonly string[], separator: string, isQuiet = false): string[] | undefined => {
    const found = find(keys)
    if (found === undefined) return undefined
    const { key, value, written } = found
    if (Array.isArray(written)) {
      return written.flatMap(entry => {
        if (entry === null) return []
        const text = typeof entry === 'object' ? undefined : String(entry)
        if (text === undefined) wrong(key, 'a list of texts', entry)
        return text === undefined || text.trim() === '' ? [] : [text.trim()]
      })
    }
    const text = typeof value === 'string' ? value : undefined
    if (text === undefined) return wrong(key, 'a list of texts', value)
    if (text.trim() === '') return undefined
    if (!isQuiet) {
      const message = `\`${key}\`: expected a list, got text; it is read as a list`
      report.warning('list-expected', message, matter.placeOf(key))
    }
    const parts = separator === '' ? [text] : text.split(separator)
    return parts.map(part => part.trim()).filter(part => part !== '')
  }

  return {
    text(...keys) {
      const found = find(keys)
      if (found === undefined) return undefined
      const { key, value, written } = found
      return typeof written === 'object' ? wrong(key, 'text', value) : String(written)
    },
    list: (...keys) => list(keys, ','),
    names: (...keys) => list(keys, ''),
    oneOrMore: (...keys) => list(keys, ',', true),
  }
}

function blockOf({ metadata }: Block): Block {
  return isRecord(metadata) ? metadata : {}
}

/** The `metadata:` block; anything but a mapping is reported and ignored. */
export function metadataBlock(matter: FrontMatter, report: FileReport): Block {
  const value = matter.data.metadata
  if (isRecord(value)) return value
  if (value !== undefined && value !== null)
    report.warning(
      'field-type',
      `\`metadata\`: expected a mapping, got ${describeType(value)}; it is left out`,
      matter.placeOf('metadata'),
    )
  return {}
}

export function withoutRepeats(values: readonly string[]): string[] {
  return [...new Set(values)]
}
