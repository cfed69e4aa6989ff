// Reads what a caller sent as the input of an action: checks types, fills in defaults, names all problems at
// once.
import { AppError, type Caller, describeType, isRecord, nearest, quoteText } from '../../base/index.ts'
import { type FieldSpec, type Fields, listedFields } from './field-spec.ts'

/** Reads an input against the fields that its caller may give, or throws `INVALID_INPUT`. */
export function readInput(fields: Fields, raw: unknown, caller: Caller): Record<string, unknown> {
  if (!isRecord(raw))
    throw new AppError('INVALID_INPUT', `expected an object of parameters, got ${describeType(raw)}`)
  const problems: string[] = []
  const input: Record<string, unknown> = {}
  const open = Object.keys(caller === 'person' ? fields : listedFields(fields))
  for (const key of Object.keys(raw)) {
    if (open.includes(key)) continue
    const close = nearest(key, open)[0]
    problems.push(`unknown parameter \`${key}\`${close ? `; did you mean \`${close}\`?` : ''}`)
  }
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(raw, name) && open.includes(name) ? raw[name] : undefined
    if (value === undefined || value === null) {
      if (field.required) problems.push(`\`${name}\` is required: ${field.about}`)
      else if (field.default !== undefined) input[name] = field.default
      continue
    }
    const problem = problemWith(field, value)
    if (problem) problems.push(`\`${name}\`: ${problem}`)
    else input[name] = value
  }
  if (problems.length > 0) {
    throw new AppError('INVALID_INPUT', problems.join('; '), { hint: `parameters: ${open.join(', ')}` })
  }
  return input
}

function problemWith(field: FieldSpec, value: unknown): string | undefined {
  const got = describeType(value)
  switch (field.type) {
    case 'string':
      if (typeof value !== 'string') return `expected a string, got ${got}`
      if (field.values && ![...field.values, ...(field.unlisted ?? [])].includes(value))
        return unknownValue(field.values, value)
      return undefined
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected true or false, got ${got}`
    case 'integer':
    case 'number':
      return numberProblem(field, value, got)
    case 'object':
      return isRecord(value) ? undefined : `expected an object, got ${got}`
    case 'strings':
      return Array.isArray(value) && value.every(entry => typeof entry === 'string')
        ? undefined
        : `expected a list of strings, got ${got}`
    case 'any':
      return undefined
  }
}

function numberProblem(field: FieldSpec, value: unknown, got: string): string | undefined {
  const whole = field.type === 'integer'
  const kind = whole ? 'a whole number' : 'a number'
  if (typeof value !== 'number' || !Number.isFinite(value) || (whole && !Number.isInteger(value))) {
    return `expected ${kind}, got ${typeof value === 'number' ? `\`${value}\`` : got}`
  }
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = field
  if (value >= minimum && value <= maximum) return undefined
  if (maximum === Number.POSITIVE_INFINITY) return `expected ${kind} of at least ${minimum}, got \`${value}\``
  return `expected ${kind} from ${minimum} to ${maximum}, got \`${value}\``
}

function unknownValue(values: readonly string[], value: string): string {
  const close = nearest(value, values)[0]
  return `expected one of ${values.join(', ')}, got ${quoteText(value)}${close ? `; did you mean \`${close}\`?` : ''}`
}
