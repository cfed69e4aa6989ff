// The `validation_schema` of an extractor: field → rule, with rules for members and elements inside.
import type { JsonValue } from '../base/index.ts'
import type { Shape } from './shape.ts'
import { FIELD_TYPES, type FieldRule } from './types.ts'

const KEYS = [
  'required',
  'type',
  'nullable',
  'format',
  'minimum',
  'maximum',
  'values',
  'nested',
  'item_type',
  'item_required',
  'match_filename',
  'match_path',
]
const MAX_DEPTH = 8
const ANY = { min: -Number.MAX_VALUE, max: Number.MAX_VALUE }

export function readFieldRules(
  shape: Shape,
  where: string,
  fields: unknown,
  depth = 0,
): Map<string, FieldRule> {
  const rules = new Map<string, FieldRule>()
  if (depth > MAX_DEPTH) {
    shape.error(where, `expected at most ${MAX_DEPTH} levels of \`nested\``)
    return rules
  }
  for (const [field, value] of shape.record(where, fields)) {
    rules.set(field, readFieldRule(shape, `${where}.${field}`, value, depth))
  }
  return rules
}

function readFieldRule(shape: Shape, where: string, value: unknown, depth: number): FieldRule {
  const given = new Map(shape.record(where, value ?? {}, KEYS))
  const read = <T>(key: string, reader: (at: string, found: unknown) => T): T | null =>
    given.has(key) ? reader(`${where}.${key}`, given.get(key)) : null
  const flag = (key: string) => shape.flag(`${where}.${key}`, given.get(key))
  const type = read('type', (at, found) => shape.oneOf(at, found, FIELD_TYPES)) ?? null
  // `values` come from parsed YAML, which is JSON by then.
  const values = shape.list(`${where}.values`, given.get('values')) as JsonValue[]
  if (type === 'enum' && values.length === 0) shape.error(where, 'expected `values` beside type `enum`')
  return {
    required: flag('required'),
    type,
    nullable: flag('nullable'),
    format: read('format', (at, found) => shape.oneOf(at, found, ['snake_case'])) ?? null,
    minimum: read('minimum', (at, found) => shape.number(at, found, ANY)) ?? null,
    maximum: read('maximum', (at, found) => shape.number(at, found, ANY)) ?? null,
    values,
    nested: readFieldRules(shape, `${where}.nested`, given.get('nested'), depth + 1),
    itemType: read('item_type', (at, found) => shape.oneOf(at, found, FIELD_TYPES)) ?? null,
    itemRequired: shape
      .list(`${where}.item_required`, given.get('item_required'))
      .flatMap((key, index) => shape.text(`${where}.item_required[${index}]`, key) ?? []),
    matchFilename: flag('match_filename'),
    matchPath: flag('match_path'),
  }
}
