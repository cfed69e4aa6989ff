// The value of a constant Python expression as JSON: `ast.literal_eval`, and `+` between strings. A value that JSON
// cannot hold (bytes, complex numbers, Ellipsis, infinity) is refused with a reason, never rounded to another; a whole
// number past 2^53 is kept as text.
import type { Constant, ExprNode } from 'py-ast'
import type { JsonObject, JsonValue } from '../../base/index.ts'
import { MAX_DIGITS, toExact } from '../metadata.ts'
import type { PythonSource } from './source.ts'
import { decodeStrings } from './string-literal.ts'

export type Literal =
  | {
      readonly constant: true
      readonly value: JsonValue
      /** The first whole number in it that had to be kept as text. */
      readonly tooLarge: ExprNode | undefined
    }
  | { readonly constant: false; readonly reason: string; readonly node: ExprNode }

/** Tuples and sets become lists; keys that are numbers, booleans or None become strings, as `json.dumps` does. */
export function evaluateLiteral(root: ExprNode, source: PythonSource): Literal {
  let refusal: { reason: string; node: ExprNode } | undefined
  const refuse = (node: ExprNode, reason: string): undefined => {
    refusal ??= { reason, node }
    return undefined
  }

  let tooLarge: ExprNode | undefined
  const read = (node: ExprNode): JsonValue | undefined => {
    const value = readExact(node)
    if (typeof value !== 'bigint') return value
    const kept = toExact(value)
    if (typeof kept === 'string') tooLarge ??= node
    return kept
  }

  const readExact = (node: ExprNode): JsonValue | bigint | undefined => {
    switch (node.nodeType) {
      case 'Constant':
        return readConstant(node)
      case 'JoinedStr': {
        const parts = node.values.map(part => (part.nodeType === 'Constant' ? part.value : undefined))
        const escaped = source.slice(node).includes('\\')
        if (escaped || !parts.every(part => typeof part === 'string'))
          return refuse(node, 'a formatted string')
        return parts.join('')
      }
      case 'UnaryOp': {
        const operand = readExact(node.operand)
        if (operand === undefined) return undefined
        if (typeof operand !== 'number' && typeof operand !== 'bigint') return refuse(node, 'an operation')
        if (node.op.nodeType === 'USub') return operand === 0 ? 0 : -operand
        return node.op.nodeType === 'UAdd' ? operand : refuse(node, 'an operation')
      }
      case 'BinOp':
        return readConcatenation(node)
      case 'List':
      case 'Tuple':
        return readAll(node.elts)
      case 'Set': {
        const values = readAll(node.elts)
        return values && [...new Set(values)]
      }
      case 'Dict':
        return readDict(node)
      default:
        return refuse(node, describe(node))
    }
  }

  const readConstant = (node: Constant): JsonValue | bigint | undefined => {
    const value: unknown = node.value
    if (typeof value === 'string') {
      if (node.quote_style === undefined) return refuse(node, 'Ellipsis')
      const decoded = decodeStrings(source.slice(node))
      return 'text' in decoded ? decoded.text : refuse(node, decoded.reason)
    }
    if (value === null || typeof value === 'boolean') return value
    if (typeof value === 'bigint' && source.slice(node).length <= MAX_DIGITS) return value
    if (typeof value === 'bigint') return refuse(node, 'a number too large')
    if (typeof value !== 'number') return refuse(node, 'a complex number')
    return Number.isFinite(value) ? value : refuse(node, 'a number too large')
  }

  const readAll = (nodes: readonly ExprNode[]): JsonValue[] | undefined => {
    const values: JsonValue[] = []
    for (const node of nodes) {
      const value = read(node)
      if (value === undefined) return undefined
      values.push(value)
    }
    return values
  }

  const readDict = (node: ExprNode & { nodeType: 'Dict' }): JsonObject | undefined => {
    const object: JsonObject = Object.create(null)
    for (const [index, value] of node.values.entries()) {
      const key = node.keys[index]
      if (!key) return refuse(value, 'an unpacking')
      const name = read(key)
      if (name === undefined) return undefined
      if (typeof name === 'object' && name !== null) return refuse(key, 'a key that is not a string')
      if (typeof name === 'number' && !/^[-+]?\w+$/.test(source.slice(key)))
        return refuse(key, 'a fractional key')
      const entry = read(value)
      if (entry === undefined) return undefined
      object[String(name)] = entry
    }
    return object
  }

  // Left to right without recursion: a chain may be as long as the file.
  const readConcatenation = (node: ExprNode): string | undefined => {
    const parts: string[] = []
    let left = node
    while (left.nodeType === 'BinOp') {
      if (left.op.nodeType !== 'Add') return refuse(node, 'an operation')
      const right = read(left.right)
      if (right === undefined) return undefined
      if (typeof right !== 'string') return refuse(node, 'an operation')
      parts.push(right)
      left = left.left
    }
    const first = read(left)
    if (first === undefined) return undefined
    return typeof first === 'string' ? first + parts.reverse().join('') : refuse(node, 'an operation')
  }

  const value = read(root)
  if (value !== undefined) return { constant: true, value, tooLarge }
  return { constant: false, ...(refusal ?? { reason: 'an expression', node: root }) }
}

function describe(node: ExprNode): string {
  switch (node.nodeType) {
    case 'Call':
      return 'a call'
    case 'Name':
      return `the name \`${node.id}\``
    case 'Attribute':
      return 'an attribute'
    case 'Starred':
      return 'an unpacking'
    case 'ListComp':
    case 'SetComp':
    case 'DictComp':
    case 'GeneratorExp':
      return 'a comprehension'
    case 'TemplateStr':
      return 'a template string'
    default:
      return 'an expression'
  }
}
