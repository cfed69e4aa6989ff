// The one reader of YAML: a mapping in, null-prototype metadata out. PyYAML's types, one document, no unknown tags.
// Depth, aliases and what aliases expand to are bounded; a duplicated key is an error, and its last value is kept.
import { isRecord } from '../../base/index.ts'
import { createMetadata, toMetadata } from '../metadata.ts'
import type { Report } from '../report.ts'
import type { Metadata } from '../types.ts'

const MAX_CHARACTERS = 256_000
const MAX_DEPTH = 100
const MAX_ALIASES = 64

/** A piece of a file that is YAML, and how its offsets map to those of the file. */
export interface YamlExcerpt {
  readonly text: string
  toFileOffset(offset: number): number
}

/** Reads a top-level mapping. What is wrong goes to the report, and then the metadata may be empty. */
export async function readYaml(excerpt: YamlExcerpt, report: Report): Promise<Metadata> {
  const { text } = excerpt
  const start = excerpt.toFileOffset(0)
  if (text.length > MAX_CHARACTERS) {
    report.error('yaml-too-large', `expected at most ${MAX_CHARACTERS} characters of YAML`, start)
    return createMetadata()
  }
  const value = await load(excerpt, report, false)
  if (value === undefined) return createMetadata()
  if (!isRecord(value)) {
    report.error('yaml-not-mapping', `expected a YAML mapping, got ${kindOf(value)}`, start)
    return createMetadata()
  }
  return toMetadata(value, report.at(start))
}

/** The first document, null when there is none, undefined when it cannot be read. */
async function load(excerpt: YamlExcerpt, report: Report, lastKeyWins: boolean): Promise<unknown> {
  const { constructFromEvents, EVENT_ID, parseEvents, YAMLException } = await import('js-yaml')
  const { PYYAML_SCHEMA } = await import('./yaml-schema.ts')
  const source = excerpt.text
  try {
    const events = parseEvents(source, { maxDepth: MAX_DEPTH })
    const second = events.findIndex((event, index) => index > 0 && event.type === EVENT_ID.DOCUMENT)
    if (second !== -1) {
      const at = excerpt.toFileOffset(offsetOf(events[second + 1]) ?? source.length)
      report.error('yaml-documents', 'expected one YAML document, got several; the first is read', at)
    }
    const [document] = constructFromEvents(second === -1 ? events : events.slice(0, second), {
      source,
      schema: PYYAML_SCHEMA,
      maxAliases: MAX_ALIASES,
      json: lastKeyWins,
    })
    return document ?? null
  } catch (thrown) {
    if (!(thrown instanceof YAMLException)) throw thrown
    const { reason, mark } = thrown
    const at = excerpt.toFileOffset(mark?.position ?? 0)
    if (reason === 'duplicated mapping key' && !lastKeyWins) {
      report.error('yaml-duplicate-key', 'a key is given twice; the last value is kept', at)
      return load(excerpt, report, true)
    }
    report.error(reason.startsWith('unknown ') ? 'yaml-tag' : 'yaml-syntax', reason, at)
    return undefined
  }
}

function offsetOf(event: object | undefined): number | undefined {
  if (event === undefined) return undefined
  if ('start' in event && typeof event.start === 'number') return event.start
  if ('valueStart' in event && typeof event.valueStart === 'number' && event.valueStart >= 0)
    return event.valueStart
  return undefined
}

function kindOf(value: unknown): string {
  if (value === null) return 'nothing'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
