// Turns what the validator found into sentences that say where the fault is and what was expected. Values are
// never quoted: they may be secret.
import { countOf, escapeHidden, isRecord, nearest, typeName } from '../../base/index.ts'

export interface ParameterFault {
  /** Such as `/files/0/name`. The whole object is `/`. */
  readonly path: string
  readonly message: string
}

const SHOWN = 20
/** Nobody fixes more at once; a long list can have one for each of its entries. */
const MOST_FAULTS = 100
const MOST_ERRORS = 10_000
/** Of names and values that a sentence lists. */
const MOST_WORDS = 50

/** Reads the library's errors, without duplicates. */
export function readFaults(errors: readonly unknown[]): ParameterFault[] {
  const faults = new Map<string, ParameterFault>()
  for (const error of errors.slice(0, MOST_ERRORS)) {
    if (faults.size >= MOST_FAULTS) break
    if (!isRecord(error)) continue
    const fault = readFault(error)
    faults.set(`${fault.path}\n${fault.message}`, fault)
  }
  return [...faults.values()]
}

export function printFaults(faults: readonly ParameterFault[]): string {
  const shown = faults.slice(0, SHOWN).map(fault => `${fault.path}: ${fault.message}`)
  if (faults.length > SHOWN)
    shown.push(`and ${faults.length >= MOST_FAULTS ? 'at least ' : ''}${faults.length - SHOWN} more`)
  return shown.join('; ')
}

function readFault(error: Readonly<Record<string, unknown>>): ParameterFault {
  const at = String(error.instancePath ?? '')
  const params = isRecord(error.params) ? error.params : {}
  const child = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty
  const path =
    child === undefined ? at || '/' : `${at}/${String(child).replaceAll('~', '~0').replaceAll('/', '~1')}`
  const sentence = SENTENCES.get(String(error.keyword))
  const message = sentence?.(params, error) ?? String(error.message ?? 'is not allowed')
  return faultOf(path, message)
}

/** The names in a path. */
export function pointerNames(path: string): string[] {
  return path.split('/').map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

export function faultOf(path: string, message: string): ParameterFault {
  return { path: escapeHidden(path, { oneLine: true }), message: escapeHidden(message, { oneLine: true }) }
}

type Sentence = (
  params: Readonly<Record<string, unknown>>,
  error: Readonly<Record<string, unknown>>,
) => string

const SENTENCES: ReadonlyMap<string, Sentence> = new Map<string, Sentence>([
  ['type', (params, error) => `expected ${listWords(params.type)}, got ${typeName(error.data)}`],
  ['required', () => 'required, but missing'],
  ['dependentRequired', params => `required together with \`${String(params.property)}\`, but missing`],
  ['additionalProperties', unknownProperty],
  ['unevaluatedProperties', unknownProperty],
  ['enum', params => `expected one of ${listValues(params.allowedValues)}`],
  ['const', params => `expected ${JSON.stringify(params.allowedValue)}`],
  ['minimum', params => `expected at least ${String(params.limit)}`],
  ['maximum', params => `expected at most ${String(params.limit)}`],
  ['exclusiveMinimum', params => `expected more than ${String(params.limit)}`],
  ['exclusiveMaximum', params => `expected less than ${String(params.limit)}`],
  ['multipleOf', params => `expected a multiple of ${String(params.multipleOf)}`],
  ['minLength', params => `expected at least ${countOf(Number(params.limit), 'character')}`],
  ['maxLength', params => `expected at most ${countOf(Number(params.limit), 'character')}`],
  ['minItems', params => `expected at least ${countOf(Number(params.limit), 'item')}`],
  ['maxItems', params => `expected at most ${countOf(Number(params.limit), 'item')}`],
  ['minProperties', params => `expected at least ${countOf(Number(params.limit), 'member')}`],
  ['maxProperties', params => `expected at most ${countOf(Number(params.limit), 'member')}`],
  ['uniqueItems', () => 'expected items that all differ'],
  ['pattern', params => `expected text that matches \`${String(params.pattern)}\``],
  ['anyOf', () => 'expected one of the allowed forms'],
  ['oneOf', () => 'expected exactly one of the allowed forms'],
  ['not', () => 'has a form that is not allowed'],
  ['false schema', () => 'is not allowed'],
])

function unknownProperty(
  params: Readonly<Record<string, unknown>>,
  error: Readonly<Record<string, unknown>>,
): string {
  const found = String(params.additionalProperty ?? params.unevaluatedProperty)
  const schema = isRecord(error.parentSchema) ? error.parentSchema : {}
  const known = isRecord(schema.properties) ? Object.keys(schema.properties) : []
  const close = nearest(found, known)[0]
  if (close !== undefined) return `unknown; did you mean \`${close}\`?`
  return known.length === 0 ? 'unknown' : `unknown; expected one of ${listSome(known)}`
}

function listWords(value: unknown): string {
  return Array.isArray(value) ? value.join(' or ') : String(value)
}

function listValues(values: unknown): string {
  return Array.isArray(values) ? listSome(values.map(value => JSON.stringify(value))) : String(values)
}

export function listSome(words: readonly string[], separator = ', '): string {
  const more = words.length - MOST_WORDS
  const shown = words.slice(0, MOST_WORDS).join(separator)
  return more > 0 ? `${shown} and ${more} more` : shown
}
