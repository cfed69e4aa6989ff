// What search knows of an item: the text of each field, and the facts that results show and filters ask for.
// Only plain data of the metadata is taken; the body is taken whole.
import { isRecord, type JsonObject, type JsonValue } from '../../base/index.ts'
import type { Extractor, ParsedItem } from '../../extract/index.ts'
import { categoryOf, type SignedType } from '../../item/index.ts'
import { parseMoment, SEARCH_FIELDS, type SearchField } from '../../query/index.ts'

export interface SearchDocument {
  readonly type: SignedType
  readonly id: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly category: string
  readonly version: string
  /** Milliseconds since 1970, when the item says so itself. */
  readonly date: number | undefined
  readonly tags: readonly string[]
  /** Plain values and lists of them, for filters. */
  readonly metadata: JsonObject
  /** The words of each field; several values are never joined into one phrase. */
  readonly fields: Readonly<Record<SearchField, readonly string[]>>
  /** What previews show, where it is not all of the content. */
  readonly prose?: string | undefined
}

const DATE_KEYS = ['date', 'updated_at', 'updated', 'created_at', 'created']
const SCHEMA_KEYS = ['config_schema', 'input_schema', 'inputs', 'parameters']
/** Metadata that are searched as a field of their own. */
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
/** What filters can ask for is kept small: long texts are searched, not filtered. */
const MAX_FILTERABLE = 256
const MAX_LIST = 64

export function searchDocument(item: ParsedItem): SearchDocument {
  const { metadata } = item
  const title = text(metadata.title)
  const category = text(metadata.category) || categoryOf(item.id)
  const description = text(metadata.description)
  const tags = list(metadata.tags)
  const written = [...present(item.aside), ...present(item.body)]
  return {
    type: item.type,
    id: item.id,
    name: item.name,
    title: title || item.name,
    description,
    category,
    version: text(metadata.version),
    date: dateOf(metadata),
    tags,
    metadata: filterable(metadata),
    fields: {
      title: present(title),
      name: present(item.name),
      description: present(description),
      category: present(category),
      content: written.length > 0 ? written : dataTexts(metadata),
      parameters: parameterTexts(metadata),
      tags,
      keywords: list(metadata.keywords),
    },
    prose: item.prose ?? written.join('\n'),
  }
}

/** An item without a body is all data, as a tool in YAML is: what that says besides its fields. Searched, not shown. */
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

/** The weight of each field, in the order of `SEARCH_FIELDS`. */
export type FieldWeights = readonly number[]

const DEFAULT_WEIGHTS: Readonly<Record<SearchField, number>> = {
  title: 3,
  name: 3,
  description: 2,
  category: 1.5,
  content: 1,
  parameters: 1,
  tags: 1.5,
  keywords: 2,
}

/** An extractor's weights; a field that it does not name has the usual one. */
export function fieldWeights(extractor: Pick<Extractor, 'searchFields'> | undefined): FieldWeights {
  return SEARCH_FIELDS.map(field => {
    const weight = extractor?.searchFields.get(field)
    return weight !== undefined && Number.isFinite(weight) && weight >= 0 ? weight : DEFAULT_WEIGHTS[field]
  })
}

function text(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

function present(value: string): string[] {
  return value === '' ? [] : [value]
}

function list(value: JsonValue | undefined): string[] {
  if (Array.isArray(value)) return value.map(text).filter(entry => entry !== '')
  return text(value)
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '')
}

function dateOf(metadata: JsonObject): number | undefined {
  for (const key of DATE_KEYS) {
    const moment = parseMoment(text(metadata[key]))
    if (moment !== undefined) return moment.first
  }
  return undefined
}

/** Names and descriptions of what the item takes: `config_schema`, `inputs`, `parameters`. */
function parameterTexts(metadata: JsonObject): string[] {
  const found: string[] = []
  for (const key of SCHEMA_KEYS) {
    const value = metadata[key]
    if (Array.isArray(value))
      for (const entry of value) if (isRecord(entry)) describe(text(entry.name), entry, found)
    if (isRecord(value)) describeSchema(value, found, 0)
  }
  return found
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
    if (isPlain(value)) kept[key] = value
    else if (Array.isArray(value) && value.length <= MAX_LIST && value.every(isPlain)) kept[key] = value
  }
  return kept
}

function isPlain(value: JsonValue): boolean {
  if (typeof value === 'string') return value.length <= MAX_FILTERABLE
  return typeof value === 'number' || typeof value === 'boolean'
}
