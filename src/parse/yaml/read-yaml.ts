// The one reader of YAML: a mapping in, null-prototype metadata out. PyYAML's types, one document, no unknown tags.
// Depth, aliases and what aliases expand to are bounded; a duplicated key is an error, and its last value is kept.
import type { Event } from 'js-yaml'
import { describeType, isRecord, type JsonValue, lazy, quoteText } from '../../base/index.ts'
import { createMetadata, toMetadata } from '../metadata.ts'
import type { Report } from '../report.ts'
import type { Metadata } from '../types.ts'
import { readPlainMapping } from './plain-mapping.ts'

const library = lazy(async () => ({ ...(await import('js-yaml')), ...(await import('./yaml-schema.ts')) }))

/** Longer texts are not read. */
export const MAX_CHARACTERS = 256_000
const MAX_DEPTH = 100
const MAX_ALIASES = 64

/** A part of a file that is YAML, and how its offsets map to those of the file. */
export interface YamlExcerpt {
  readonly text: string
  toFileOffset(offset: number): number
}

/** Reads a top-level mapping. Problems go to the report; the metadata may then be empty. */
export async function readYaml(excerpt: YamlExcerpt, report: Report): Promise<Metadata> {
  const { text } = excerpt
  const start = excerpt.toFileOffset(0)
  if (text.length > MAX_CHARACTERS) {
    report.error('yaml-too-large', `expected at most ${MAX_CHARACTERS} characters of YAML`, start)
    return createMetadata()
  }
  const plain = readPlainMapping(text)
  if (plain !== undefined) return plain
  const value = await readDocument(excerpt, report)
  if (value === undefined) return createMetadata()
  if (!isRecord(value)) {
    // The library reads an empty document as null; to its author it is nothing.
    const got = describeType(value ?? undefined)
    report.error('yaml-not-mapping', `expected a YAML mapping, got ${got}`, start)
    return createMetadata()
  }
  return toMetadata(value, report.at(start))
}

/**
 * Metadata that `readYaml` has read, with numbers and booleans as they are written: `1.10` instead of `1.1`,
 * `yes` instead of `true`. The same goes for numbers that are keys.
 */
export async function spellMetadata(metadata: Metadata, text: string): Promise<Metadata> {
  if (!hasOtherSpelling(metadata)) return metadata
  const { AS_WRITTEN_SCHEMA, constructFromEvents, parseEvents, YAMLException } = await library()
  const options = { source: text, schema: AS_WRITTEN_SCHEMA, maxAliases: MAX_ALIASES, json: true }
  try {
    const [written] = constructFromEvents(parseEvents(text, { maxDepth: MAX_DEPTH }), options)
    return spellRecord(metadata, written)
  } catch (thrown) {
    if (!(thrown instanceof YAMLException)) throw thrown
    return metadata // a second document is never read, and may not be YAML
  }
}

const NUMERAL = /^[-+]?\.?\d/

function hasOtherSpelling(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(hasOtherSpelling)
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).some(([key, entry]) => NUMERAL.test(key) || hasOtherSpelling(entry))
  return typeof value === 'number' || typeof value === 'boolean'
}

function spell(value: JsonValue, written: unknown): JsonValue {
  if (Array.isArray(value)) {
    return Array.isArray(written) && written.length === value.length
      ? value.map((entry, index) => spell(entry, written[index]))
      : value
  }
  if (value !== null && typeof value === 'object') return spellRecord(value, written)
  const isSpelled = typeof value === 'number' || typeof value === 'boolean'
  return isSpelled && typeof written === 'string' ? written : value
}

function spellRecord(value: Metadata, written: unknown): Metadata {
  const own: Readonly<Record<string, unknown>> = isRecord(written) ? written : {}
  // A written key that `value` has itself belongs to that entry, not to a differently spelled one.
  const others = Object.keys(own).filter(key => !Object.hasOwn(value, key))
  const spellings = new Map(others.map(key => [readKey(key), key]))
  const spelled = createMetadata()
  for (const [key, entry] of Object.entries(value)) {
    const name = Object.hasOwn(own, key) ? key : (spellings.get(key) ?? key)
    spelled[name] = spell(entry, Object.hasOwn(own, name) ? own[name] : undefined)
  }
  return spelled
}

/** A written key as the library turns it into text. A number is normalised: `1.10` becomes `1.1`. */
function readKey(written: string): string {
  const number = written.trim() === '' ? Number.NaN : Number(written)
  return Number.isNaN(number) ? written : String(number)
}

/** The first document; null when there is none, undefined when it cannot be read. */
async function readDocument(excerpt: YamlExcerpt, report: Report): Promise<unknown> {
  const { EVENT_ID, parseEvents, YAMLException } = await library()
  const source = excerpt.text
  try {
    const events = parseEvents(source, { maxDepth: MAX_DEPTH })
    const second = events.findIndex((event, index) => index > 0 && event.type === EVENT_ID.DOCUMENT)
    if (second === -1) return await construct(events, excerpt, report)
    const at = excerpt.toFileOffset(offsetOf(events[second + 1]) ?? source.length)
    report.error('yaml-documents', 'expected one YAML document, got several; the first is read', at)
    return await construct(events.slice(0, second), excerpt, report)
  } catch (thrown) {
    if (!(thrown instanceof YAMLException)) throw thrown
    const code = thrown.reason.startsWith('unknown ') ? 'yaml-tag' : 'yaml-syntax'
    report.error(code, thrown.reason, excerpt.toFileOffset(thrown.mark?.position ?? 0))
    return undefined
  }
}

async function construct(events: Event[], excerpt: YamlExcerpt, report: Report): Promise<unknown> {
  const { constructFromEvents, PYYAML_SCHEMA, YAMLException } = await library()
  const options = { source: excerpt.text, schema: PYYAML_SCHEMA, maxAliases: MAX_ALIASES }
  try {
    return constructFromEvents(events, options)[0] ?? null
  } catch (thrown) {
    if (!(thrown instanceof YAMLException) || thrown.reason !== 'duplicated mapping key') throw thrown
    const position = thrown.mark?.position ?? 0
    const repeated = await findRepeatedKeys(events, excerpt.text)
    // Only the library considers `1` and `0x1` the same key.
    if (!repeated.some(one => one.offset === position))
      repeated.push({ key: keyAt(excerpt.text, position), offset: position })
    for (const { key, offset } of repeated) {
      const message = `the key ${quoteText(key)} is given twice; the last value is kept`
      report.error('yaml-duplicate-key', message, excerpt.toFileOffset(offset))
    }
    // With `json`, the last value wins, as in PyYAML.
    return constructFromEvents(events, { ...options, json: true })[0] ?? null
  }
}

interface RepeatedKey {
  readonly key: string
  readonly offset: number
}

/** Keys that occur earlier in the same mapping, in text order. */
async function findRepeatedKeys(events: readonly Event[], source: string): Promise<RepeatedKey[]> {
  const { EVENT_ID, getScalarValue } = await library()
  const repeated: RepeatedKey[] = []
  /** The open nodes. For a mapping: its keys so far, and whether its next node is a key or a value. */
  const open: ({ readonly keys: Set<string>; isKey: boolean } | undefined)[] = []
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      open.pop()
      continue
    }
    const mapping = open.at(-1)
    if (mapping?.isKey && event.type === EVENT_ID.SCALAR) {
      const key = getScalarValue(source, event)
      if (mapping.keys.has(key) && key !== '<<') repeated.push({ key, offset: event.valueStart })
      mapping.keys.add(key)
    }
    if (mapping) mapping.isKey = !mapping.isKey
    if (event.type === EVENT_ID.MAPPING) open.push({ keys: new Set(), isKey: true })
    else if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.DOCUMENT) open.push(undefined)
  }
  return repeated
}

function keyAt(source: string, offset: number): string {
  return source.slice(offset).split(/[:\n]/, 1)[0]!.trim()
}

function offsetOf(event: Event | undefined): number | undefined {
  if (event === undefined) return undefined
  if ('start' in event) return event.start
  return 'valueStart' in event && event.valueStart >= 0 ? event.valueStart : undefined
}
