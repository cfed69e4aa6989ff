// What is indexed of an item: the text of each field, and the values that results show and filters compare.
// Of the metadata only plain values are kept; the body is kept whole.
import { isRecord, type JsonObject, type JsonValue } from '../../base/index.ts'
import type { ParsedItem } from '../../extract/index.ts'
import { categoryOf, type SignedType } from '../../item/index.ts'
import { findFences } from '../../parse/index.ts'
import { parseMoment, type SearchField } from '../../query/index.ts'
import { parametersLine } from './parameters-line.ts'

export interface SearchDocument {
  readonly type: SignedType
  readonly id: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly category: string
  readonly version: string
  /** Milliseconds since 1970; undefined when the item states no date. */
  readonly date: number | undefined
  readonly tags: readonly string[]
  /** On one line; empty for none. */
  readonly parameters: string
  /** Plain values and lists of them, for filters. */
  readonly metadata: JsonObject
  /** The texts of each field; no phrase spans two of them. */
  readonly fields: Readonly<Record<SearchField, readonly string[]>>
  /** The text for previews, when that is not the whole content. */
  readonly prose?: string | undefined
}

const DATE_KEYS = ['date', 'updated_at', 'updated', 'created_at', 'created']
const SCHEMA_KEYS = ['config_schema', 'input_schema', 'inputs', 'parameters']
/** Metadata with a search field of its own. */
const IN_FIELDS = new Set([
  'title',
  'name',
  'description',
  'category',
  'version',
  'tags',
  'keywords',
  ...SCHEMA_KEYS,
])
/** Values for filters are kept small: long texts are for searching. */
const MAX_FILTERABLE = 256
const MAX_LIST = 64
/** In characters. Anyone may write an item, so every field except the body is bounded. */
export const MAX_FIELD = {
  title: 200,
  description: 4096,
  category: 255,
  version: 64,
  word: 64,
  parameters: 16_384,
}
export const MAX_WORDS = 256

export function searchDocument(item: ParsedItem): SearchDocument {
  const { metadata } = item
  const title = text(metadata.title).slice(0, MAX_FIELD.title)
  const category = text(metadata.category).slice(0, MAX_FIELD.category) || categoryOf(item.id)
  const description = text(metadata.description).slice(0, MAX_FIELD.description)
  const tags = list(metadata.tags)
  const parameters = parameterTexts(metadata)
  const written = [...present(item.aside), ...present(item.body)]
  return {
    type: item.type,
    id: item.id,
    name: item.name,
    title: title || item.name,
    description,
    category,
    version: text(metadata.version).slice(0, MAX_FIELD.version),
    date: dateOf(metadata),
    tags,
    parameters: parametersLine(metadata),
    metadata: filterable(metadata),
    fields: {
      title: present(title),
      name: present(item.name),
      description: present(description),
      category: present(category),
      content: written.length > 0 ? written : dataTexts(metadata),
      parameters,
      tags,
      keywords: list(metadata.keywords),
    },
    prose: item.type === 'tool' ? toolProse(metadata, parameters) : proseOf(item),
  }
}

/** A tool's code is not prose, but its docstring and parameter descriptions are. */
function toolProse(metadata: JsonObject, parameters: readonly string[]): string {
  const sentences = parameters.filter(entry => entry.includes(' '))
  return [text(metadata.docstring), ...new Set(sentences)].join('\n')
}

/** What a person reads: no code, and nothing that the parser took for metadata. */
function proseOf(item: ParsedItem): string {
  const text = item.prose ?? `${item.aside}\n${item.body}`
  let prose = ''
  let from = 0
  for (const { start, end } of findFences(text)) {
    prose += `${text.slice(from, start)}\n`
    from = end
  }
  return prose + text.slice(from)
}

/**
 * The texts of an item that is all data, such as a tool in YAML, except those that have a field. They are
 * searched, not shown.
 */
function dataTexts(metadata: JsonObject): string[] {
  const found: string[] = []
  for (const [key, value] of Object.entries(metadata)) if (!IN_FIELDS.has(key)) collectTexts(value, found)
  return found
}

function collectTexts(value: JsonValue, found: string[]): void {
  if (Array.isArray(value)) for (const entry of value) collectTexts(entry, found)
  else if (isRecord(value)) for (const entry of Object.values(value)) collectTexts(entry, found)
  else if (typeof value === 'string') found.push(...present(value))
}

function text(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

function present(value: string): string[] {
  return value === '' ? [] : [value]
}

function list(value: JsonValue | undefined): string[] {
  const entries = Array.isArray(value) ? value.map(text) : text(value).split(',')
  return entries
    .map(entry => entry.trim().slice(0, MAX_FIELD.word))
    .filter(entry => entry !== '')
    .slice(0, MAX_WORDS)
}

function dateOf(metadata: JsonObject): number | undefined {
  for (const key of DATE_KEYS) {
    const moment = parseMoment(text(metadata[key]))
    if (moment !== undefined) return moment.first
  }
  return undefined
}

/** Names and descriptions of an item's parameters: `config_schema`, `inputs`, `parameters`. */
function parameterTexts(metadata: JsonObject): string[] {
  const found: string[] = []
  for (const key of SCHEMA_KEYS) {
    const value = metadata[key]
    if (Array.isArray(value))
      for (const entry of value) if (isRecord(entry)) describe(text(entry.name), entry, found)
    if (isRecord(value)) describeSchema(value, found, 0)
  }
  let room = MAX_FIELD.parameters
  return found.filter(entry => {
    room -= entry.length
    return room >= 0
  })
}

const MAX_SCHEMA_DEPTH = 4

function describeSchema(schema: JsonObject, found: string[], depth: number): void {
  const properties = isRecord(schema.properties)
    ? schema.properties
    : depth === 0 && !schema.type
      ? schema
      : {}
  for (const [name, property] of Object.entries(properties)) {
    if (!isRecord(property)) continue
    describe(name, property, found)
    if (depth < MAX_SCHEMA_DEPTH) describeSchema(property, found, depth + 1)
  }
}

function describe(name: string, parameter: JsonObject, found: string[]): void {
  if (name !== '') found.push(name)
  const description = text(parameter.description)
  if (description !== '') found.push(description)
}

function filterable(metadata: JsonObject): JsonObject {
  const kept: JsonObject = Object.create(null)
  for (const [key, value] of Object.entries(metadata)) {
    if (isFilterable(value)) kept[key] = value
  }
  return kept
}

export function isFilterable(value: JsonValue): boolean {
  return isPlain(value) || (Array.isArray(value) && value.length <= MAX_LIST && value.every(isPlain))
}

function isPlain(value: JsonValue): boolean {
  if (typeof value === 'string') return value.length <= MAX_FILTERABLE
  return typeof value === 'number' || typeof value === 'boolean'
}
