// The parameters of an item on one line, for the agent that is about to call it: `path: string, limit?:
// integer = 10`.
import { cutText, isRecord, type JsonObject, type JsonValue } from '../../base/index.ts'

/** The first of these with parameters is used. Calls are checked against `config_schema`. */
const SCHEMA_KEYS = ['config_schema', 'input_schema', 'parameters', 'inputs']
export const MAX_LINE = 600
const MAX_CHOICES = 6
const MAX_VALUE = 24
const MAX_NAME = 64
/** How deep lists of lists and choices of choices are shown. */
const MAX_DEPTH = 3

/** Empty for an item without parameters. */
export function parametersLine(metadata: JsonObject): string {
  for (const key of SCHEMA_KEYS) {
    const parameters = readParameters(metadata[key])
    if (parameters.length > 0) return joinWithin(parameters, MAX_LINE)
  }
  return ''
}

/** The first parameters that fit, and an ellipsis for the others; empty when not even one fits. */
function joinWithin(parameters: readonly string[], most: number): string {
  let line = parameters.join(', ')
  for (let count = parameters.length - 1; line.length > most && count > 0; count--) {
    line = `${parameters.slice(0, count).join(', ')}, …`
  }
  return line.length > most ? '' : line
}

/**
 * Reads a JSON schema, a record of parameters, or a directive's list of inputs. Required parameters come
 * first.
 */
function readParameters(value: JsonValue | undefined): string[] {
  const found = readAll(value)
  const print = (isRequired: boolean) =>
    found.filter(parameter => parameter.isRequired === isRequired).map(printParameter)
  return [...print(true), ...print(false)]
}

interface Parameter {
  readonly name: string
  readonly schema: JsonObject
  readonly isRequired: boolean
}

function readAll(value: JsonValue | undefined): Parameter[] {
  if (Array.isArray(value)) {
    return value.flatMap(input => {
      if (!isRecord(input) || typeof input.name !== 'string') return []
      return { name: input.name, schema: withTypedDefault(input), isRequired: isTrue(input.required) }
    })
  }
  if (!isRecord(value)) return []
  const isSchema = isRecord(value.properties)
  const properties = isRecord(value.properties) ? value.properties : value.type === undefined ? value : {}
  const required = Array.isArray(value.required) ? value.required : []
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (!isRecord(schema)) return []
    return { name, schema, isRequired: isSchema ? required.includes(name) : isTrue(schema.required) }
  })
}

/** In XML every value is text. */
function isTrue(value: JsonValue | undefined): boolean {
  return value === true || value === 'true'
}

/**
 * Replaces a default that is written as text, such as `10`, by its value, unless the parameter itself is
 * text.
 */
function withTypedDefault(input: JsonObject): JsonObject {
  const { type, default: text } = input
  if (typeof text !== 'string' || type === undefined || TEXT_TYPES.has(String(type))) return input
  try {
    return { ...input, default: JSON.parse(text) }
  } catch {
    return input
  }
}

const TEXT_TYPES: ReadonlySet<string> = new Set(['string', 'str'])

function printParameter({ name, schema, isRequired }: Parameter): string {
  const fallback = JSON.stringify(schema.default)
  const ending = fallback === undefined || fallback.length > MAX_VALUE ? '' : ` = ${fallback}`
  return `${cutText(name, MAX_NAME)}${isRequired ? '' : '?'}: ${printType(schema, 0)}${ending}`
}

function printType(schema: JsonObject, depth: number): string {
  const { type, enum: choices, const: only, nullable } = schema
  if (Array.isArray(choices) && choices.length > 0) return join(choices.map(printValue))
  if (only !== undefined) return printValue(only)
  const types = (Array.isArray(type) ? type : [type]).filter(entry => typeof entry === 'string')
  if (types.length > 0) {
    const all = nullable === true ? [...types, 'null'] : types
    return join(all.map(name => (name === 'array' ? printArray(schema, depth) : cutText(name, MAX_VALUE))))
  }
  const either = choicesOf(schema.anyOf ?? schema.oneOf)
  return either.length > 0 && depth < MAX_DEPTH
    ? join(either.map(entry => printType(entry, depth + 1)))
    : 'any'
}

function choicesOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(entry => isRecord(entry)) : []
}

function printArray({ items }: JsonObject, depth: number): string {
  const inner = isRecord(items) && depth < MAX_DEPTH ? printType(items, depth + 1) : 'any'
  return inner.includes('|') ? `(${inner})[]` : `${inner}[]`
}

function join(choices: readonly string[]): string {
  const all = [...new Set(choices)]
  return [...all.slice(0, MAX_CHOICES), ...(all.length > MAX_CHOICES ? ['…'] : [])].join('|')
}

function printValue(value: JsonValue): string {
  return cutText(JSON.stringify(value), MAX_VALUE)
}
