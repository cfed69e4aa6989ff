// Whether a schema is well formed and uses only common keywords. Then it need not be checked against the
// meta-schema, whose compilation takes longer than everything else in a first call. A schema with any other
// keyword is checked in full.
import { isRecord, JSON_TYPES } from '../../base/index.ts'

const isSchema = (value: unknown) => isRecord(value) || typeof value === 'boolean'
const isText = (value: unknown) => typeof value === 'string'
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value)
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0
const isFlag = (value: unknown) => typeof value === 'boolean'
const isAnything = () => true
const isListOfTexts = (value: unknown) =>
  Array.isArray(value) && value.every(isText) && new Set(value).size === value.length
/** Objects are not accepted, because equality is not decided here. */
const isListOfValues = (value: unknown) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every(one => typeof one !== 'object' || one === null) &&
  new Set(value).size === value.length
const isListOfSchemas = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isSchema)
const isType = (value: unknown) =>
  Array.isArray(value)
    ? value.length > 0 && new Set(value).size === value.length && value.every(one => JSON_TYPES.has(one))
    : JSON_TYPES.has(value)

/** What each keyword must hold, in draft 7 and later. */
const KEYWORDS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['type', isType],
  ['enum', isListOfValues],
  ['const', isAnything],
  ['default', isAnything],
  ['examples', value => Array.isArray(value)],
  ['title', isText],
  ['description', isText],
  ['format', isText],
  ['pattern', isText],
  ['minLength', isCount],
  ['maxLength', isCount],
  ['minItems', isCount],
  ['maxItems', isCount],
  ['minProperties', isCount],
  ['maxProperties', isCount],
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['exclusiveMinimum', isNumber],
  ['exclusiveMaximum', isNumber],
  ['multipleOf', value => isNumber(value) && Number(value) > 0],
  ['uniqueItems', isFlag],
  ['required', isListOfTexts],
  ['properties', value => isRecord(value) && Object.values(value).every(isSchema)],
  ['additionalProperties', isSchema],
  ['items', isSchema],
  ['not', isSchema],
  ['anyOf', isListOfSchemas],
  ['oneOf', isListOfSchemas],
  ['allOf', isListOfSchemas],
])

export function isPlainSchema(schema: unknown): boolean {
  const pending: unknown[] = [schema]
  while (pending.length > 0) {
    const node = pending.pop()
    if (typeof node === 'boolean') continue
    if (!isRecord(node)) return false
    for (const [keyword, value] of Object.entries(node)) {
      if (!KEYWORDS.get(keyword)?.(value)) return false
      pending.push(...schemasIn(keyword, value))
    }
  }
  return true
}

function schemasIn(keyword: string, value: unknown): unknown[] {
  if (keyword === 'properties' && isRecord(value)) return Object.values(value)
  if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf')
    return Array.isArray(value) ? value : []
  return keyword === 'items' || keyword === 'additionalProperties' || keyword === 'not' ? [value] : []
}
