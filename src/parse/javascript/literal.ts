// The value of a constant JavaScript expression as JSON. Types around it (`as const`, `satisfies`) are stepped over;
// a name, a call, a spread or anything else that would have to run is refused with a reason. A whole number past 2^53
// is kept as text, as it is written and not as the engine would round it.
import type { ArrayExpressionElement, Expression, ObjectExpression } from 'oxc-parser'
import type { JsonObject, JsonValue } from '../../base/index.ts'
import { MAX_DIGITS, toExact } from '../metadata.ts'

export type Literal =
  | {
      readonly constant: true
      readonly value: JsonValue
      /** Where the first whole number stands that had to be kept as text. */
      readonly tooLarge: number | undefined
    }
  | { readonly constant: false; readonly reason: string; readonly offset: number }

export function evaluateLiteral(root: Expression): Literal {
  let refusal: { reason: string; offset: number } | undefined
  const refuse = (node: { start: number }, reason: string): undefined => {
    refusal ??= { reason, offset: node.start }
    return undefined
  }

  let tooLarge: number | undefined
  const read = (node: Expression): JsonValue | undefined => {
    const value = readExact(node)
    if (typeof value !== 'bigint') return value
    const kept = toExact(value)
    if (typeof kept === 'string') tooLarge ??= node.start
    return kept
  }

  const readExact = (outer: Expression): JsonValue | bigint | undefined => {
    const node = withoutTypes(outer)
    switch (node.type) {
      case 'Literal': {
        if ('regex' in node) return refuse(node, 'a regular expression')
        if ('bigint' in node) return refuse(node, 'a big integer')
        if (typeof node.value !== 'number') return node.value
        return exactValue(node.value, node.raw ?? '') ?? refuse(node, 'a number too large')
      }
      case 'TemplateLiteral':
        if (node.expressions.length > 0) return refuse(node, 'a template with substitutions')
        return node.quasis[0]?.value.cooked ?? refuse(node, 'a broken template')
      case 'UnaryExpression': {
        if (node.operator !== '-' && node.operator !== '+') return refuse(node, 'an operation')
        const operand = readExact(node.argument)
        if (operand === undefined) return undefined
        if (typeof operand !== 'number' && typeof operand !== 'bigint') return refuse(node, 'an operation')
        return node.operator === '+' || operand === 0 ? operand : -operand
      }
      case 'BinaryExpression':
        return readConcatenation(node)
      case 'ArrayExpression':
        return readArray(node.elements)
      case 'ObjectExpression':
        return readObject(node)
      default:
        return refuse(node, describe(node))
    }
  }

  const readArray = (elements: readonly ArrayExpressionElement[]): JsonValue[] | undefined => {
    const values: JsonValue[] = []
    for (const element of elements) {
      if (element === null) return refuse({ start: root.start }, 'a list with holes')
      if (element.type === 'SpreadElement') return refuse(element, 'a spread')
      const value = read(element)
      if (value === undefined) return undefined
      values.push(value)
    }
    return values
  }

  const readObject = (node: ObjectExpression): JsonObject | undefined => {
    const object: JsonObject = Object.create(null)
    for (const property of node.properties) {
      if (property.type === 'SpreadElement') return refuse(property, 'a spread')
      if (property.kind !== 'init' || property.method) return refuse(property, 'a function')
      const { key } = property
      let name: JsonValue | undefined
      if (!property.computed && key.type === 'Identifier') name = key.name
      else if (key.type !== 'PrivateIdentifier') name = read(key)
      if (typeof name !== 'string' && typeof name !== 'number') return refuse(key, 'a computed key')
      // Written plainly, this sets a prototype and makes no property.
      if (name === '__proto__' && !property.computed) return refuse(key, 'a prototype')
      const value = read(property.value)
      if (value === undefined) return undefined
      object[String(name)] = value
    }
    return object
  }

  // Left to right without recursion: a chain may be long.
  const readConcatenation = (node: Expression): string | undefined => {
    const parts: string[] = []
    let left = node
    while (left.type === 'BinaryExpression') {
      const right = left.operator === '+' ? read(left.right) : refuse(node, 'an operation')
      if (right === undefined) return undefined
      if (typeof right !== 'string') return refuse(node, 'an operation')
      parts.push(right)
      if (left.left.type === 'PrivateIdentifier') return refuse(node, 'an operation')
      left = withoutTypes(left.left)
    }
    const first = read(left)
    if (first === undefined) return undefined
    return typeof first === 'string' ? first + parts.reverse().join('') : refuse(node, 'an operation')
  }

  const value = read(root)
  if (value !== undefined) return { constant: true, value, tooLarge }
  return { constant: false, ...(refusal ?? { reason: 'an expression', offset: root.start }) }
}

const WHOLE = /^(?:[1-9][0-9]*|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)$/

function exactValue(value: number, raw: string): number | bigint | undefined {
  if (Number.isSafeInteger(value)) return value
  const digits = raw.replaceAll('_', '')
  if (digits.length <= MAX_DIGITS && WHOLE.test(digits)) return BigInt(digits)
  return Number.isFinite(value) ? value : undefined
}

/** Without parentheses and type operators, which change no value. */
export function withoutTypes(outer: Expression): Expression {
  let node = outer
  while (
    node.type === 'ParenthesizedExpression' ||
    node.type === 'TSAsExpression' ||
    node.type === 'TSSatisfiesExpression' ||
    node.type === 'TSTypeAssertion' ||
    node.type === 'TSNonNullExpression'
  ) {
    node = node.expression
  }
  return node
}

function describe(node: Expression): string {
  switch (node.type) {
    case 'Identifier':
      return `the name \`${node.name}\``
    case 'CallExpression':
    case 'NewExpression':
    case 'TaggedTemplateExpression':
    case 'ImportExpression':
      return 'a call'
    case 'MemberExpression':
      return 'a member of an object'
    case 'ArrowFunctionExpression':
    case 'FunctionDeclaration':
    case 'FunctionExpression':
      return 'a function'
    default:
      return 'an expression'
  }
}
