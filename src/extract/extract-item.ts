// From bytes to a parsed item: the extractor's parser reads the file, then its rules fill in the standard fields.
// A rule never replaces a field that the file itself gives.
import { isRecord, type JsonValue } from '../base/index.ts'
import { nameOf } from '../item/index.ts'
import { firstHeading, firstParagraph, type Metadata, parseBytes } from '../parse/index.ts'
import type { ExtractionRule, Extractor, ParsedItem } from './types.ts'

export interface ItemSource {
  readonly id: string
  /** With its dot, one of the extractor's. */
  readonly extension: string
  readonly bytes: Uint8Array
  /** Only the item is needed, not a diagnostic for every mistake in it. */
  readonly outline?: boolean
}

export async function extractItem(extractor: Extractor, source: ItemSource): Promise<ParsedItem> {
  const { id, extension, outline } = source
  const parser = extractor.parsers.get(extension)
  if (parser === undefined) throw new Error(`unreachable: no ${extractor.type} has extension ${extension}`)
  const {
    metadata,
    written = metadata,
    body,
    prose,
    aside = '',
    diagnostics,
  } = await parseBytes(parser, source.bytes, extension, { outline })
  const isBare = diagnostics.some(found => found.code === 'metadata-missing')
  const rules = isBare ? [...extractor.rules, ...extractor.rulesWithoutMetadata] : [...extractor.rules]
  return {
    type: extractor.type,
    id,
    name: nameOf(id),
    extension,
    parser,
    metadata: fillFields(new Map(rules), { parsed: metadata, written, filename: nameOf(id), body }),
    body,
    prose,
    aside,
    diagnostics,
  }
}

interface Found {
  readonly parsed: Metadata
  /** The same metadata, with numbers as they are spelled. */
  readonly written: Metadata
  readonly filename: string
  readonly body: string
}

function fillFields(rules: Extractor['rules'], found: Found): Metadata {
  const filled: Metadata = Object.assign(Object.create(null), found.parsed)
  for (const [field, alternatives] of rules) {
    for (const rule of alternatives) {
      const value = applyRule(rule, field, found)
      if (value === null) continue
      filled[field] = value
      break
    }
  }
  return filled
}

function applyRule(rule: ExtractionRule, field: string, found: Found): JsonValue {
  const { parsed, written, filename, body } = found
  if (rule.from === 'filename') return filename
  if (rule.from === 'heading') return firstHeading(body)
  if (rule.from === 'paragraph') return firstParagraph(body)
  if (rule.from === 'constant') return rule.value
  if (rule.from === 'text') return textAt(written, [field]) ?? textAt(written, rule.key.split('.'))
  const own = parsed[field] ?? null
  if (own !== null) return own
  const value = parsed[rule.key] ?? null
  if (rule.from === 'path' || typeof value !== 'string') return value
  return value.trimStart().split('\n', 1)[0]!.trimEnd() || null
}

function textAt(metadata: Metadata, keys: readonly string[]): string | null {
  const [key, ...rest] = keys
  const value = key !== undefined && Object.hasOwn(metadata, key) ? metadata[key] : undefined
  if (rest.length > 0) return isRecord(value) ? textAt(value as Metadata, rest) : null
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.trim() !== '' ? text : null
}
