// Converts `name=value` from a command line to what the schema expects.
import {
  AppError,
  isRecord,
  type JsonObject,
  type JsonValue,
  quoteShellWord,
  quoteText,
  typeName,
} from '../../base/index.ts'
import type { PlanContext } from '../types.ts'
import { allowedTypesIn } from './allowed-types.ts'
import { isKept, isTooLarge, TOO_LARGE, WHOLE_RANGE } from './kept-numbers.ts'
import { findTarget, targetOf } from './schema-reference.ts'

/** The first reading of the text that the parameter's own schema accepts, or else the first reading. */
export async function readParameter(
  schema: JsonValue | undefined,
  name: string,
  text: string,
  { schemas, matchesPattern }: Pick<PlanContext, 'schemas' | 'matchesPattern'>,
): Promise<JsonValue> {
  const readings = readingsOf(schema, name, text)
  if (readings.length === 1) return readings[0]!
  const alone = schemaOfOne(schema, name)
  for (const value of readings) {
    try {
      await schemas.validate(name, alone, { [name]: value }, matchesPattern)
      return value
    } catch (thrown) {
      // Any fault is reported when all parameters are checked.
      if (!(thrown instanceof AppError)) throw thrown
    }
  }
  return readings[0]!
}

/** Keywords that concern the parameters as a whole. */
const OF_ALL: ReadonlySet<string> = new Set([
  ...['required', 'minProperties', 'maxProperties', 'dependentRequired', 'dependentSchemas', 'dependencies'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'type', 'const', 'enum'],
  ...['patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames'],
  ...['$ref', '$dynamicRef', '$recursiveRef'],
])

/** A schema that checks one parameter. It keeps the others, and whatever else a reference may lead to. */
function schemaOfOne(schema: JsonValue | undefined, name: string): JsonObject {
  const whole = isRecord(schema) ? (schema as JsonObject) : {} // a part of JSON
  const kept = Object.entries(whole).filter(([key]) => !OF_ALL.has(key))
  const property = propertyOf(schema, name) as JsonValue
  const others = isRecord(whole.properties) ? (whole.properties as JsonObject) : {}
  return { ...(Object.fromEntries(kept) as JsonObject), properties: { ...others, [name]: property } }
}

/**
 * A value of the type that the schema declares, or `INVALID_INPUT`; the text itself if no type is declared.
 */
export function convertParameter(schema: JsonValue | undefined, name: string, text: string): JsonValue {
  return readingsOf(schema, name, text)[0]!
}

/** The values that the text may be read as, best first. There is at least one. */
function readingsOf(schema: JsonValue | undefined, name: string, text: string): readonly JsonValue[] {
  const listed = listedValues(schema, name).filter(value => String(value) === text)
  if (listed.length === 1) return listed
  if (listed.length > 1) throw ambiguous(name, text, listed)
  if (propertyOf(schema, name) === undefined) return [text]
  const { types, isDeclared } = typesOf(schema, name)
  if (types.length === 0) return [text]
  const readings = types.map(type => CONVERTERS.get(type)?.(text)).filter(value => value !== undefined)
  // A number would lose its leading zeros, so the text comes first.
  if (/^-?0\d/.test(text)) readings.sort((one, other) => Number(one !== text) - Number(other !== text))
  if (readings.length > 0) return readings
  // For types found behind references and alternatives, the validator says more.
  if (!isDeclared && whyNot(text) === '') return [text]
  throw new AppError(
    'INVALID_INPUT',
    `parameter \`${name}\`: expected ${types.join(' or ')}, got ${quoteText(text)}${whyNot(text)}`,
    types[0] === 'array' ? { hint: asList(name, text) } : {},
  )
}

function asList(name: string, text: string): string {
  return `a list is JSON: \`--param ${quoteShellWord(`${name}=${JSON.stringify([text])}`)}\``
}

/**
 * The values that a schema lists for a parameter: in `enum: [1, "auto"]`, `1` is a number because the number
 * is listed.
 */
function listedValues(schema: JsonValue | undefined, name: string): JsonValue[] {
  const property = propertyOf(schema, name)
  const target = isRecord(property) ? targetOf(property) : undefined
  const parts = [property, target === undefined ? undefined : findTarget(schema, target)]
  const values = parts.flatMap(part => (isRecord(part) && Array.isArray(part.enum) ? part.enum : []))
  const allowed = allowedTypesIn(schema)(property)
  return [...new Set<JsonValue>(values)].filter(
    value => (value === null || typeof value !== 'object') && (allowed?.has(typeName(value)) ?? true),
  )
}

function ambiguous(name: string, text: string, values: readonly JsonValue[]): AppError {
  const known = values.map(value => JSON.stringify(value)).join(' or ')
  const example = JSON.stringify({ [name]: values[0]! })
  return new AppError('INVALID_INPUT', `parameter \`${name}\`: ${quoteText(text)} may be ${known}`, {
    hint: `say which as JSON: \`--params ${quoteShellWord(example)}\``,
  })
}

/** Why a number would not arrive as written; empty if that is not the problem. */
function whyNot(text: string): string {
  if (!NUMBER.test(text)) return ''
  if (isTooLarge(Number(text))) return `, which is ${TOO_LARGE}`
  return isKept(Number(text)) && !isRounded(text)
    ? ''
    : `, which cannot be kept exactly: expected ${WHOLE_RANGE}`
}

/** Whether a text of digits would be read as a different number. */
function isRounded(text: string): boolean {
  return /^-?\d{16,300}$/.test(text) && BigInt(text) !== BigInt(Number(text))
}

const NUMBER = /^-?\d{1,300}(?:\.\d{1,300})?(?:[eE][+-]?\d{1,3})?$/

// `string` comes last: with `type: [string, integer]` the text `5` is a number, as a person would mean it.
const CONVERTERS: ReadonlyMap<string, (text: string) => JsonValue | undefined> = new Map<
  string,
  (text: string) => JsonValue | undefined
>([
  ['null', text => (text === 'null' ? null : undefined)],
  ['boolean', text => (text === 'true' ? true : text === 'false' ? false : undefined)],
  [
    'integer',
    text => (/^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined),
  ],
  [
    'number',
    text =>
      NUMBER.test(text) && Number.isFinite(Number(text)) && !isRounded(text) ? Number(text) : undefined,
  ],
  ['array', text => parseJson(text, Array.isArray)],
  ['object', text => parseJson(text, isRecord)],
  ['string', text => text],
])

const NAMES: readonly string[] = [...CONVERTERS.keys()]

/**
 * In the order of the converters. If the property itself names no type, text comes first where it is
 * accepted.
 */
function typesOf(schema: JsonValue | undefined, name: string): { types: string[]; isDeclared: boolean } {
  const property = propertyOf(schema, name)
  const allowed = allowedTypesIn(schema)(property)
  const words: unknown = isRecord(property) ? property.type : undefined
  if (words === undefined) {
    // Where any number is accepted, a whole number is read as `number`.
    const isWider = (type: string) => type === 'integer' && allowed?.has('number')
    const named = NAMES.filter(type => (allowed?.has(type) ?? true) && !isWider(type))
    const isText = (type: string) => type === 'string'
    return { types: [...named.filter(isText), ...named.filter(type => !isText(type))], isDeclared: false }
  }
  const declared = NAMES.filter(type => [words].flat().includes(type))
  const usable = declared.filter(type => allowed?.has(type))
  return { types: usable.length > 0 ? usable : declared, isDeclared: true }
}

/** The parameters as a whole may be declared behind a reference. */
function propertyOf(schema: JsonValue | undefined, name: string): unknown {
  if (!isRecord(schema)) return undefined
  const target = targetOf(schema)
  for (const part of [schema, target === undefined ? undefined : findTarget(schema, target)])
    if (isRecord(part?.properties) && Object.hasOwn(part.properties, name)) return part.properties[name]
  return undefined
}

function parseJson(text: string, isWanted: (value: unknown) => boolean): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text)
    return isWanted(value) ? value : undefined
  } catch {
    return undefined // not JSON: the caller reports what was expected
  }
}
