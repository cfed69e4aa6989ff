// Checks names and types of a directive's inputs, fills in defaults, and inserts all of them into the text in
// one pass, so that the text of an input is never read as a placeholder.
import { AppError, isRecord, type JsonObject, type JsonValue, TYPE_WORDS, typeName } from '../base/index.ts'
import type { Metadata } from '../parse/index.ts'
import { convertParameter } from './parameters/convert-parameter.ts'
import { findTooLarge, isKept, NOT_KEPT, TOO_LARGE_FAULT } from './parameters/kept-numbers.ts'
import { listSome } from './parameters/parameter-faults.ts'

export interface Directions {
  /** Validated, defaults applied. */
  readonly inputs: JsonObject
  readonly your_directions: string
}

/**
 * Validates the inputs and fills in the body, or throws `PARAMETERS_INVALID` with everything that is wrong.
 */
export function fillDirections(metadata: Metadata, body: string, given: JsonObject): Directions {
  const declared = readInputs(metadata.inputs)
  const faults = [...unknownFaults(declared, given), ...typeFaults(declared, given)]
  const inputs: JsonObject = { ...given }
  const missing: string[] = []
  for (const input of declared) {
    if (Object.hasOwn(given, input.name)) continue
    if (input.fallback !== undefined) inputs[input.name] = input.fallback
    else if (input.required) missing.push(input.name)
  }
  if (missing.length > 0) faults.push(`Missing required inputs: ${listSome(missing)}`)
  if (faults.length > 0) throw invalidInputs(declared, faults)
  return { inputs, your_directions: interpolate(body, inputs) }
}

/** More inputs are not sent with an error; `load` shows them. */
const MOST_SCHEMA_CHARACTERS = 8_000

/** Includes what is declared, so that the next call can be right. */
function invalidInputs(declared: readonly Input[], faults: readonly string[]): AppError {
  const schema = schemaOf(declared)
  if (JSON.stringify(schema).length > MOST_SCHEMA_CHARACTERS) {
    return new AppError('PARAMETERS_INVALID', listSome(faults, '; '), {
      hint: {
        agent: '`load` of the directive with `view: "summary"` says what it takes',
        person: '`rye load` of the directive with `--view summary` says what it takes',
      },
    })
  }
  const declared_inputs = declared.map(({ name, type, required }) => ({ name, type, required }))
  return new AppError('PARAMETERS_INVALID', listSome(faults, '; '), { details: { declared_inputs, schema } })
}

/** The inputs as a JSON Schema, for `convertParameter` and for listings. */
export function inputSchema(metadata: Metadata): JsonObject {
  return schemaOf(readInputs(metadata.inputs))
}

function schemaOf(declared: readonly Input[]): JsonObject {
  const properties: JsonObject = Object.create(null)
  for (const { name, type, description, fallback } of declared) {
    properties[name] = {
      ...(type !== null && { type }),
      ...(description !== '' && { description }),
      ...(fallback !== undefined && { default: fallback }),
    }
  }
  const required = declared.filter(input => input.required).map(input => input.name)
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false }
}

interface Input {
  readonly name: string
  /** Null if any value is allowed. */
  readonly type: string | null
  readonly required: boolean
  readonly description: string
  readonly fallback: JsonValue | undefined
}

function readInputs(declared: JsonValue | undefined): Input[] {
  if (!Array.isArray(declared)) return []
  return declared.flatMap(entry => {
    if (!isRecord(entry) || typeof entry.name !== 'string') return []
    const type = TYPE_WORDS.get(entry.type) ?? null
    const fallback = entry.default as JsonValue | undefined // inside metadata, so JSON
    return {
      name: entry.name,
      type,
      required: entry.required === true || entry.required === 'true',
      description: typeof entry.description === 'string' ? entry.description : '',
      fallback:
        typeof fallback === 'string' && type !== null ? convertDefault(entry.name, type, fallback) : fallback,
    }
  })
}

/** Defaults are XML attributes, hence text. The type of the input says how to read them. */
function convertDefault(name: string, type: string, text: string): JsonValue {
  // A caller who gives too many digits is refused and can give fewer. The author is not there to ask, so
  // their number is rounded.
  if (type === 'number' && /^-?\d{16,300}$/.test(text)) return Number(text)
  try {
    return convertParameter({ properties: { [name]: { type } } }, name, text)
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    throw new AppError(thrown.code, `the default of ${thrown.message}`, { cause: thrown })
  }
}

function unknownFaults(declared: readonly Input[], given: JsonObject): string[] {
  const names = declared.map(input => input.name)
  const unknown = Object.keys(given).filter(name => !names.includes(name))
  if (unknown.length === 0) return []
  const valid = names.length === 0 ? 'This directive takes no inputs' : `Valid inputs: ${listSome(names)}`
  return [`Unknown parameters: ${listSome(unknown)}. ${valid}`]
}

function typeFaults(declared: readonly Input[], given: JsonObject): string[] {
  return declared.flatMap(({ name, type }) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    const tooLarge = findTooLarge(value, `/${name}`)
    if (tooLarge !== undefined) return `${tooLarge}: ${TOO_LARGE_FAULT}`
    if (type === 'integer' && !isKept(value)) return `/${name}: ${NOT_KEPT}`
    if (value === undefined || type === null || hasType(value, type)) return []
    return `/${name}: expected ${type}, got ${typeName(value)}`
  })
}

function hasType(value: JsonValue, type: string): boolean {
  const name = typeName(value)
  return name === type || (type === 'number' && name === 'integer')
}

const OPEN = '{input:'

/** Many times what anybody follows: a long input that is named often would fill the memory. */
const MOST_CHARACTERS = 8_000_000

/**
 * Without a value, `{input:k}` stays as it is, `{input:k?}` becomes empty, `{input:k:text}` and
 * `{input:k|text}` become the text.
 */
export function interpolate(text: string, inputs: JsonObject): string {
  let result = ''
  let from = 0
  let close = -1
  for (;;) {
    const open = text.indexOf(OPEN, from)
    if (open === -1) return result + text.slice(from)
    // Kept between rounds, so that many openings before one closing brace do not each search for it.
    if (close < open) close = text.indexOf('}', open)
    if (close === -1) return result + text.slice(from)
    const mark = /^([\w-]{1,128})(\?|[:|][\s\S]*)?$/.exec(text.slice(open + OPEN.length, close))
    const end = mark === null ? open + OPEN.length : close + 1
    result += text.slice(from, open) + (mark === null ? OPEN : fill(mark, inputs, text.slice(open, end)))
    if (result.length > MOST_CHARACTERS) throw tooLong()
    from = end
  }
}

function tooLong(): AppError {
  return new AppError(
    'PARAMETERS_INVALID',
    `the directions are too long with these inputs: expected at most ${MOST_CHARACTERS} characters, got more`,
    { hint: 'give shorter inputs: each stands wherever the text names it' },
  )
}

function fill(mark: RegExpExecArray, inputs: JsonObject, written: string): string {
  const [, name, tail] = mark
  const value = Object.hasOwn(inputs, name!) ? inputs[name!] : undefined
  if (value !== undefined) return typeof value === 'string' ? value : JSON.stringify(value)
  if (tail === undefined) return written
  return tail.slice(1)
}
