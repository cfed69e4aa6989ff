// Rewrites SKILL.md so that clients of the Skills extension accept it. They parse the front matter again,
// with a parser that knows less of YAML, and refuse a skill whose entry differs from what they read. So front
// matter that they would not accept is printed again from our own parse, in a form that every client reads.
// The text below stays as it is.
import { isRecord, type JsonObject, type JsonValue } from '../../base/index.ts'
import { decodeText } from '../../parse/index.ts'
import { type FrontMatter, readFrontMatter } from '../read/documents/front-matter.ts'
import { describeSkill } from '../read/documents/skill-metadata.ts'
import { createFileReport } from '../read/file-report.ts'

export interface AdaptedFile {
  readonly bytes: Uint8Array
  /** Fields that are printed in another form than they were written, or not at all. */
  readonly fields: readonly string[]
  readonly description: string
  /** Whether our reader has kept every field. */
  readonly isWhole: boolean
}

const MAX_DESCRIPTION = 1024
const MAX_COMPATIBILITY = 500

/** Undefined for bytes that are not text. */
export async function adaptFrontMatter(bytes: Uint8Array, name: string): Promise<AdaptedFile | undefined> {
  const matter = await readFrontMatter(bytes, createFileReport('', []))
  const { text } = decodeText(bytes)
  if (!matter || text === undefined) return undefined
  const description = cut(describeSkill(matter), MAX_DESCRIPTION)
  const adapted = adaptFields(matter, { name, description })
  const lines = Object.entries(adapted).map(([key, value]) => `${printKey(key)}: ${printFlow(value)}`)
  const keys = new Set([...Object.keys(matter.data), ...Object.keys(adapted)])
  return {
    bytes: Buffer.from(`---\n${lines.join('\n')}\n---\n${text.slice(matter.end)}`),
    description,
    isWhole: matter.leftOut.length === 0,
    fields: [
      ...new Set([
        ...[...keys].filter(key => JSON.stringify(matter.data[key]) !== JSON.stringify(adapted[key])),
        ...matter.leftOut,
      ]),
    ],
  }
}

function adaptFields(
  { data, written }: FrontMatter,
  required: { name: string; description: string },
): JsonObject {
  const { compatibility, metadata, license, ...others } = data
  const { 'allowed-tools': tools } = written
  const needs = compatibility == null ? '' : cut(asText(compatibility), MAX_COMPATIBILITY)
  return {
    ...others,
    ...required,
    ...(license != null && { license: asText(license) }),
    ...(needs !== '' && { compatibility: needs }),
    ...(Array.isArray(tools) && { 'allowed-tools': tools.map(tool => asText(tool)).join(' ') }),
    ...(isRecord(metadata) && { metadata: textValues(metadata, written.metadata) }),
  }
}

function textValues(metadata: Record<string, unknown>, written: JsonValue | undefined): JsonObject {
  // Parsed front matter is JSON. `written` has the same members, but may spell numeric keys otherwise.
  const read = metadata as JsonObject
  const entries = Object.entries(isRecord(written) ? (written as JsonObject) : read)
  return Object.fromEntries(entries.map(([key, one]) => [key, asText(read[key] ?? one, one)]))
}

/** A value as spelled. A list of texts is joined by commas, as people write it; anything deeper is JSON. */
function asText(value: JsonValue, written: JsonValue = value): string {
  if (typeof written === 'string') return written
  if (Array.isArray(written) && written.every(one => typeof one === 'string')) return written.join(', ')
  return value === null ? '' : JSON.stringify(value)
}

function cut(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}

function printKey(key: string): string {
  return /^[A-Za-z][\w-]*$/.test(key) ? key : JSON.stringify(key)
}

/** JSON is valid YAML. A blank follows each mark, for parsers that need one. */
function printFlow(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(printFlow).join(', ')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${printFlow(one)}`)
  return `{${members.join(', ')}}`
}
