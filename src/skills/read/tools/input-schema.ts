// A function's signature as JSON Schema 2020-12: what may be passed by keyword, with types, defaults and descriptions.
// An annotation that is not understood allows anything: a wrong restriction would reject valid calls.
import { type JsonObject, type JsonValue, typeName } from '../../../base/index.ts'
import type { PythonParameter, PythonType } from '../../../parse/index.ts'

const NAMED: Readonly<Record<string, JsonObject>> = {
  str: { type: 'string' },
  int: { type: 'integer' },
  float: { type: 'number' },
  bool: { type: 'boolean' },
  bytes: { type: 'string' },
  Path: { type: 'string' },
  PurePath: { type: 'string' },
  PathLike: { type: 'string' },
  datetime: { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date' },
  time: { type: 'string', format: 'time' },
  UUID: { type: 'string', format: 'uuid' },
  Decimal: { type: ['number', 'string'] },
  list: { type: 'array' },
  List: { type: 'array' },
  Sequence: { type: 'array' },
  Iterable: { type: 'array' },
  Collection: { type: 'array' },
  tuple: { type: 'array' },
  Tuple: { type: 'array' },
  set: { type: 'array', uniqueItems: true },
  Set: { type: 'array', uniqueItems: true },
  frozenset: { type: 'array', uniqueItems: true },
  FrozenSet: { type: 'array', uniqueItems: true },
  dict: { type: 'object' },
  Dict: { type: 'object' },
  Mapping: { type: 'object' },
  MutableMapping: { type: 'object' },
  OrderedDict: { type: 'object' },
  defaultdict: { type: 'object' },
}
/** Type constructors that do not restrict the value. */
const TRANSPARENT = new Set(['Final', 'ClassVar', 'Required', 'NotRequired', 'ReadOnly'])
const MAX_DEPTH = 20

/** `visible` in declaration order; `docs` by parameter name. */
export function buildInputSchema(
  visible: readonly PythonParameter[],
  docs: ReadonlyMap<string, string>,
  takesAnyKeyword: boolean,
): JsonObject {
  const properties: JsonObject = Object.create(null)
  const required: string[] = []
  for (const parameter of visible) {
    properties[parameter.name] = propertySchema(parameter, docs.get(parameter.name))
    if (!parameter.default) required.push(parameter.name)
  }
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: takesAnyKeyword,
  }
}

function propertySchema(parameter: PythonParameter, doc: string | undefined): JsonObject {
  const { annotation, default: given } = parameter
  const declared = annotation ? typeSchema(annotation.type, 0) : inferFromDefault(parameter)
  const member = annotation?.type.kind === 'name' ? `${annotation.type.name}.` : undefined
  // `mode: Mode = Mode.FAST` is an enumeration: callers pass the name of a member.
  const isEnum =
    Object.keys(declared).length === 0 && member !== undefined && given?.source.startsWith(member)
  const base = isEnum ? { type: 'string' } : declared
  // `x: int = None` is the old spelling of `int | None`.
  const schema = given?.constant?.value === null ? orNull(base) : base
  const description = doc ?? annotatedDescription(annotation?.type)
  return {
    ...schema,
    ...(given?.constant && { default: given.constant.value }),
    ...(description !== undefined && { description }),
  }
}

function typeSchema(type: PythonType, depth: number): JsonObject {
  if (depth > MAX_DEPTH) return {}
  switch (type.kind) {
    case 'name':
      return Object.hasOwn(NAMED, type.name) ? { ...NAMED[type.name] } : {}
    case 'none':
      return { type: 'null' }
    case 'literal':
      return literalSchema(type.values)
    case 'annotated':
      return typeSchema(type.type, depth + 1)
    case 'union':
      return unionSchema(type.members.map(member => typeSchema(member, depth + 1)))
    case 'generic':
      return genericSchema(type.name, type.arguments, depth + 1)
    case 'ellipsis':
    case 'unknown':
      return {}
  }
}

function genericSchema(name: string, args: readonly PythonType[], depth: number): JsonObject {
  const [first, second] = args
  if (TRANSPARENT.has(name) && first) return typeSchema(first, depth)
  const base = Object.hasOwn(NAMED, name) ? { ...NAMED[name] } : {}
  if (name === 'tuple' || name === 'Tuple') return tupleSchema(args, depth)
  if (base.type === 'array' && first) return withPart(base, 'items', typeSchema(first, depth))
  if (base.type === 'object' && second)
    return withPart(base, 'additionalProperties', typeSchema(second, depth))
  return base
}

function tupleSchema(args: readonly PythonType[], depth: number): JsonObject {
  const [first, second] = args
  if (first && second?.kind === 'ellipsis')
    return withPart({ type: 'array' }, 'items', typeSchema(first, depth))
  return {
    type: 'array',
    prefixItems: args.map(arg => typeSchema(arg, depth)),
    items: false,
    minItems: args.length,
    maxItems: args.length,
  }
}

/** A part that allows anything is omitted. */
function withPart(schema: JsonObject, key: string, part: JsonObject): JsonObject {
  return Object.keys(part).length === 0 ? schema : { ...schema, [key]: part }
}

function literalSchema(values: readonly JsonValue[]): JsonObject {
  const types = new Set(values.map(typeName))
  const [only] = types
  return { ...(types.size === 1 && only !== undefined && { type: only }), enum: [...values] }
}

/** Plain types become a list of types; anything else needs `anyOf`. */
function unionSchema(members: readonly JsonObject[]): JsonObject {
  const distinct = [...new Map(members.map(member => [JSON.stringify(member), member])).values()]
  const [only] = distinct
  if (distinct.length === 1 && only) return only
  if (distinct.some(member => Object.keys(member).length === 0)) return {}
  const types = distinct.map(member => (Object.keys(member).length === 1 ? member.type : undefined))
  if (types.every(type => typeof type === 'string')) return { type: types }
  const [plain, nothing] = distinct
  const isNullable = distinct.length === 2 && nothing?.type === 'null' && typeof plain?.type === 'string'
  if (isNullable && !plain.enum) return { ...plain, type: [plain.type!, 'null'] }
  return { anyOf: distinct }
}

function orNull(schema: JsonObject): JsonObject {
  const { type, anyOf } = schema
  if (Object.keys(schema).length === 0) return schema
  const allows = type === 'null' || (Array.isArray(type) && type.includes('null'))
  const branch =
    Array.isArray(anyOf) &&
    anyOf.some(one => typeof one === 'object' && one !== null && 'type' in one && one.type === 'null')
  return allows || branch ? schema : unionSchema([schema, { type: 'null' }])
}

function inferFromDefault({ default: given }: PythonParameter): JsonObject {
  const value = given?.constant?.value
  if (given === undefined || value === undefined || value === null) return {}
  const type = typeName(value)
  // JSON has one kind of number; Python's `1.0` is a float.
  if (type === 'integer' && /^[-+]?[\d_]*(?:\.|[\d_]+[eE])/.test(given.source)) return { type: 'number' }
  return { type }
}

/** `Annotated[int, "How many"]`, `Annotated[int, Field(description="How many")]`. */
function annotatedDescription(type: PythonType | undefined): string | undefined {
  if (type?.kind !== 'annotated') return undefined
  for (const { constant, source } of type.metadata) {
    if (typeof constant?.value === 'string') return constant.value
    const quoted = /\bdescription[ \t]*=[ \t]*(?:"([^"\\\n]*)"|'([^'\\\n]*)')/.exec(source)
    const text = quoted?.[1] ?? quoted?.[2]
    if (text) return text
  }
  return undefined
}
