// Turns a JSON Schema into the fields of a form, and the filled-in form into parameters. Anything that a form
// cannot express is typed as JSON.
import { TYPE_WORDS } from '../../src/base/json-types.ts'

export interface FormField {
  readonly name: string
  readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'group' | 'lines' | 'json'
  readonly about: string
  readonly isRequired: boolean
  readonly initial?: unknown
  readonly choices?: readonly unknown[]
  /** The fields of a group. */
  readonly fields?: readonly FormField[]
}

type Schema = Readonly<Record<string, unknown>>

/** The state of a form: text as typed, choices by index, groups by name. */
export type Values = { readonly [name: string]: string | boolean | Values | undefined }

const DEEPEST = 4

/** The parameters of an item, wherever its format keeps them. */
export function schemaOf(metadata: Readonly<Record<string, unknown>>): unknown {
  if (isObject(metadata.config_schema)) return metadata.config_schema
  if (isObject(metadata.input_schema)) return metadata.input_schema
  const listed = Array.isArray(metadata.inputs) ? metadata.inputs : metadata.parameters
  return Array.isArray(listed) ? schemaOfList(listed.filter(isObject)) : listed
}

/**
 * Inputs of a directive are a list. An unknown type accepts anything: the input is text, as on the command
 * line.
 */
function schemaOfList(inputs: readonly Schema[]): Schema {
  const named = inputs.filter(input => typeof input.name === 'string')
  return {
    type: 'object',
    properties: Object.fromEntries(
      named.map(({ name, required: _required, ...rest }) => [
        String(name),
        { ...rest, type: TYPE_WORDS.get(rest.type) ?? 'string' },
      ]),
    ),
    required: named
      .filter(({ required }) => required === true || required === 'true')
      .map(({ name }) => name),
  }
}

export function readSchema(schema: unknown, depth = 0): FormField[] {
  if (!isObject(schema) || !isObject(schema.properties)) return []
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(schema.properties).map(([name, property]) =>
    readProperty(name, isObject(property) ? property : {}, required.includes(name), depth),
  )
}

function readProperty(name: string, schema: Schema, isRequired: boolean, depth: number): FormField {
  const about = typeof schema.description === 'string' ? schema.description : ''
  const common = { name, about, isRequired, ...(schema.default !== undefined && { initial: schema.default }) }
  if (Array.isArray(schema.enum)) return { ...common, kind: 'choice', choices: schema.enum }
  switch (schema.type) {
    case 'string':
      return { ...common, kind: 'text' }
    case 'number':
    case 'integer':
    case 'boolean':
      return { ...common, kind: schema.type }
    case 'array':
      return { ...common, kind: isObject(schema.items) && schema.items.type === 'string' ? 'lines' : 'json' }
    case 'object': {
      const fields = depth < DEEPEST ? readSchema(schema, depth + 1) : []
      return fields.length > 0 ? { ...common, kind: 'group', fields } : { ...common, kind: 'json' }
    }
    default:
      return { ...common, kind: 'json' }
  }
}

const KIND_WORDS: Readonly<Record<FormField['kind'], string>> = {
  text: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'yes or no',
  choice: 'one of',
  group: 'group',
  lines: 'texts, one a line',
  json: 'JSON',
}

/** What a field takes, for people. */
export function printKind({ kind }: FormField): string {
  return KIND_WORDS[kind]
}

/** Each field under its full name, a group before its own fields: `notify`, `notify.people`. */
export function listFields(fields: readonly FormField[], prefix = ''): FormField[] {
  return fields.flatMap(field => [
    { ...field, name: prefix + field.name },
    ...listFields(field.fields ?? [], `${prefix}${field.name}.`),
  ])
}

export interface Filled {
  readonly parameters: Readonly<Record<string, unknown>>
  /** What is wrong with each field, by full name: `notify.people`. */
  readonly faults: ReadonlyMap<string, string>
}

/** Empty fields are left out, so that the schema's default applies. */
export function readForm(fields: readonly FormField[], values: Values, prefix = ''): Filled {
  const entries: [string, unknown][] = []
  const faults = new Map<string, string>()
  for (const field of fields) {
    const path = prefix + field.name
    const value = values[field.name]
    if (field.kind === 'group') {
      const inner = readForm(field.fields!, isObject(value) ? (value as Values) : {}, `${path}.`)
      const isUsed = field.isRequired || isFilled(value)
      if (isUsed) for (const [name, fault] of inner.faults) faults.set(name, fault)
      if (isUsed) entries.push([field.name, inner.parameters])
      continue
    }
    const read = readValue(field, value)
    if ('fault' in read) faults.set(path, read.fault)
    else if (read.value !== undefined) entries.push([field.name, read.value])
    else if (field.isRequired && field.initial === undefined) faults.set(path, 'is required')
  }
  return { parameters: Object.fromEntries(entries), faults }
}

/** Invalid input counts as filled in: it is reported, not left out. */
function isFilled(value: unknown): boolean {
  return isObject(value) ? Object.values(value).some(isFilled) : value !== undefined && value !== ''
}

function readValue(field: FormField, value: unknown): Read {
  if (typeof value === 'boolean') return { value }
  if (typeof value !== 'string' || value === '') return { value: undefined }
  switch (field.kind) {
    case 'number':
    case 'integer':
      return readNumber(value, field.kind)
    case 'choice':
      return { value: field.choices![Number(value)] }
    case 'boolean':
      return { value: value === 'true' }
    case 'lines':
      return { value: value.split('\n').filter(line => line !== '') }
    case 'json':
      return readJson(value)
    default:
      return { value }
  }
}

type Read = { readonly value: unknown } | { readonly fault: string }

const TOO_LARGE = 'has a number that is too large to keep: expected one below 1.8e308'
const NOT_KEPT = `cannot be kept exactly: expected a whole number from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`

/** A number is passed on exactly as typed, or not at all. */
function readNumber(text: string, kind: 'number' | 'integer'): Read {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (/^\s*[+-]?\d/.test(text) && Math.abs(value) === Number.POSITIVE_INFINITY) return { fault: TOO_LARGE }
  if (!Number.isFinite(value))
    return { fault: kind === 'integer' ? 'expected a whole number' : 'expected a number' }
  if (kind === 'integer' && !Number.isInteger(value)) return { fault: 'expected a whole number' }
  const isKept = kind === 'integer' ? Number.isSafeInteger(value) : !isRounded(text.trim().replace(/^\+/, ''))
  return isKept ? { value } : { fault: NOT_KEPT }
}

/** Whether a number of digits only differs from the number it is read as. */
function isRounded(text: string): boolean {
  return /^-?\d{16,300}$/.test(text) && BigInt(text) !== BigInt(Number(text))
}

/** An infinite number would arrive as null. */
function readJson(text: string): Read {
  let isTooLarge = false
  try {
    const value: unknown = JSON.parse(text, (_key, one) => {
      isTooLarge ||= typeof one === 'number' && !Number.isFinite(one)
      return one
    })
    return isTooLarge ? { fault: TOO_LARGE } : { value }
  } catch {
    return { fault: 'expected JSON, such as "text", 1, true, [] or {}' }
  }
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
