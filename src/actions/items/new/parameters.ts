// Parameters as they are typed: `who`, `who:string`, `n?:integer`, `n:integer=5`. `?` means optional.
import { AppError, nearest, quoteText } from '../../../base/index.ts'

export const PARAMETER_TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const
export type ParameterType = (typeof PARAMETER_TYPES)[number]

export interface NewParameter {
  readonly name: string
  readonly type: ParameterType
  readonly required: boolean
  readonly default?: string | number | boolean
}

const PARAMETER = /^([A-Za-z_]\w{0,63})(\??)(?::([A-Za-z]+))?(?:=(.*))?$/s

/** Throws `INVALID_INPUT` naming the text. */
export function readParameter(text: string): NewParameter {
  const match = PARAMETER.exec(text)
  // In an object literal, `__proto__` would set the prototype.
  if (!match || match[1] === '__proto__')
    throw wrong(`expected a parameter such as \`n?:integer\`, got ${quoteText(text)}`)
  const [, name, mark, typed = 'string', fallback] = match
  const type = PARAMETER_TYPES.find(known => known === typed)
  if (!type) {
    const close = nearest(typed, PARAMETER_TYPES)[0]
    throw wrong(
      `expected the type of \`${name}\` to be one of ${PARAMETER_TYPES.join(', ')}, got \`${typed}\`${close ? `; did you mean \`${close}\`?` : ''}`,
    )
  }
  const required = mark === '' && fallback === undefined
  return {
    name: name!,
    type,
    required,
    ...(fallback !== undefined && { default: convert(name!, type, fallback) }),
  }
}

/** Throws `INVALID_INPUT` when the same name is described in two different ways. */
export function uniteParameters(parameters: readonly NewParameter[]): NewParameter[] {
  const known = new Map<string, NewParameter>()
  for (const parameter of parameters) {
    const before = known.get(parameter.name)
    if (before && JSON.stringify(before) !== JSON.stringify(parameter))
      throw wrong(`\`${parameter.name}\` is described twice, and not in the same way`)
    known.set(parameter.name, parameter)
  }
  return [...known.values()]
}

function convert(name: string, type: ParameterType, text: string): string | number | boolean {
  if (type === 'string') return text
  const value = type === 'boolean' ? { true: true, false: false }[text] : Number(text)
  const isRight =
    value !== undefined &&
    (type === 'boolean' ||
      (text.trim() !== '' && (type === 'integer' ? Number.isInteger(value) : Number.isFinite(value))))
  if (isRight && type !== 'array' && type !== 'object') return value
  throw wrong(`the default of \`${name}\` is not of type ${type}: ${quoteText(text)}`)
}

function wrong(message: string): AppError {
  return new AppError('INVALID_INPUT', message)
}
