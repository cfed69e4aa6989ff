// Generates Python source together with its meaning, for property and differential tests.
import fc from 'fast-check'
import type { JsonValue } from '../../../src/base/json.ts'

/** A JSON value that Python can write as a literal. */
export const pythonValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.string({ maxLength: 12 }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(number => (Object.is(number, -0) ? 0 : number)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ maxLength: 6 }), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value

/** Writes a value as Python in one of many spellings, chosen by `choose`. */
export function printPython(value: JsonValue, choose: (most: number) => number): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return printNumber(value, choose)
  if (typeof value === 'string') return printString(value, choose)
  const comma = choose(2) === 0 ? ', ' : ',  # a comment with ) and "\n  '
  if (Array.isArray(value)) {
    const items = value.map(item => printPython(item, choose)).join(comma)
    if (choose(2) === 0) return value.length === 0 ? '()' : `(${items},)`
    return `[${items}${value.length > 0 && choose(2) === 0 ? ',' : ''}]`
  }
  const members = Object.entries(value).map(
    ([key, item]) => `${printString(key, choose)}: ${printPython(item, choose)}`,
  )
  return `{${members.join(comma)}}`
}

function printNumber(value: number, choose: (most: number) => number): string {
  if (!Number.isInteger(value)) return String(value)
  // Without a point or an exponent it would be a whole number, and kept as text.
  if (!Number.isSafeInteger(value)) return value.toExponential()
  const sign = value < 0 ? '-' : choose(4) === 0 ? '+' : ''
  const size = BigInt(Math.abs(value))
  const spelling = [
    size.toString(),
    `0x${size.toString(16)}`,
    `0o${size.toString(8)}`,
    `0B${size.toString(2)}`,
    size.toString().replace(/(\d)(?=(\d{3})+$)/g, '$1_'),
  ]
  return sign + spelling[choose(spelling.length)]!
}

function printString(text: string, choose: (most: number) => number): string {
  if (text.length > 1 && choose(3) === 0) {
    const points = [...text]
    const middle = choose(points.length)
    const [left, right] = [points.slice(0, middle).join(''), points.slice(middle).join('')]
    return `(${printPiece(left, choose)}${choose(2) ? ' ' : '\n  # and\n  '}${printPiece(right, choose)})`
  }
  return printPiece(text, choose)
}

function printPiece(text: string, choose: (most: number) => number): string {
  const quote = ['"', "'", '"""', "'''"][choose(4)]!
  if (choose(4) === 0 && !/["'\\\r\n\0]/.test(text)) return `${'rRuU'[choose(4)]}${quote}${text}${quote}`
  const body = [...text].map(point => printPoint(point, quote, choose)).join('')
  return `${quote}${body}${quote}`
}

function printPoint(point: string, quote: string, choose: (most: number) => number): string {
  const code = point.codePointAt(0)!
  const hex = code.toString(16)
  const mustEscape = point === '\\' || point === quote[0] || code < 32 || (code >= 0xd800 && code < 0xe000)
  if (!mustEscape && choose(6) > 0) return point
  if (point === '\n' && quote.length === 3 && choose(2) === 0) return point
  const spellings = [`\\U${hex.padStart(8, '0')}`]
  if (code < 0x10000) spellings.push(`\\u${hex.padStart(4, '0')}`)
  if (code < 0x100) spellings.push(`\\x${hex.padStart(2, '0')}`)
  if (code < 0o1000) spellings.push(`\\${code.toString(8).padStart(3, '0')}`)
  if (point === '\\' || point === quote[0]) spellings.push(`\\${point}`)
  return spellings[choose(spellings.length)]!
}
