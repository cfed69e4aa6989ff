// Reads annotations into a structure from which a JSON Schema can be built. Names are compared by their last
// part, so `typing.Optional`, `t.Optional` and `Optional` are the same. The rest is kept as source text.
import type { ExprNode } from 'py-ast'
import type { JsonValue } from '../../base/index.ts'
import { readConstant } from './literal.ts'
import { createSource, type PythonSource } from './source.ts'

export type PythonType =
  /** `int`, `Path`, `typing.Any`: the last part of the name. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'none' }
  /** `Optional`, `Union` and `|`, flattened. */
  | { readonly kind: 'union'; readonly members: readonly PythonType[] }
  | { readonly kind: 'literal'; readonly values: readonly JsonValue[] }
  /** `list[int]`, `Dict[str, int]`; `tuple[int, ...]` has `{kind: 'ellipsis'}` last. */
  | { readonly kind: 'generic'; readonly name: string; readonly arguments: readonly PythonType[] }
  | { readonly kind: 'annotated'; readonly type: PythonType; readonly metadata: readonly PythonValue[] }
  | { readonly kind: 'ellipsis' }
  | { readonly kind: 'unknown'; readonly source: string }

/** An expression: its source, and its value when it is constant. */
export interface PythonValue {
  readonly source: string
  readonly constant?: { readonly value: JsonValue }
}

type ParseExpression = (text: string) => ExprNode | undefined

export interface TypeReader {
  readonly source: PythonSource
  /** Reads the text of a forward reference (`"int | None"`). */
  readonly parse: ParseExpression
}

export function readValue(node: ExprNode, source: PythonSource): PythonValue {
  const { value, problems, tooLarge } = readConstant(node, source)
  const text = source.slice(node)
  // A number kept as text would not be a value of the parameter's type.
  if (value === undefined || problems.length > 0 || tooLarge) return { source: text }
  return { source: text, constant: { value } }
}

export function readType(node: ExprNode, reader: TypeReader): PythonType {
  switch (node.nodeType) {
    case 'Constant':
      return readConstantType(node, reader)
    case 'Name':
    case 'Attribute': {
      const name = lastName(node)
      return name === undefined ? unknown(node, reader) : { kind: 'name', name }
    }
    case 'BinOp':
      return node.op.nodeType === 'BitOr' ? readUnion(node, reader) : unknown(node, reader)
    case 'Subscript':
      return readSubscript(node, reader)
    case 'List':
      // The parameter list of a `Callable`.
      return { kind: 'generic', name: '', arguments: node.elts.map(entry => readType(entry, reader)) }
    default:
      return unknown(node, reader)
  }
}

function readConstantType(node: ExprNode & { nodeType: 'Constant' }, reader: TypeReader): PythonType {
  if (node.value === null) return { kind: 'none' }
  if (node.value === '...' && node.quote_style === undefined) return { kind: 'ellipsis' }
  const { constant } = readValue(node, reader.source)
  const text = constant?.value
  const inner = typeof text === 'string' && text.length <= 1000 ? reader.parse(text) : undefined
  // A reference inside a reference is not a type; reading it would recurse without a bound.
  if (inner === undefined || inner.nodeType === 'Constant') {
    return inner?.nodeType === 'Constant' && inner.value === null ? { kind: 'none' } : unknown(node, reader)
  }
  // `text` is a string here: `inner` was read from it.
  return readType(inner, { source: createSource(String(text)), parse: () => undefined })
}

function readSubscript(node: ExprNode & { nodeType: 'Subscript' }, reader: TypeReader): PythonType {
  const name = lastName(node.value)
  if (name === undefined) return unknown(node, reader)
  const entries = node.slice.nodeType === 'Tuple' ? node.slice.elts : [node.slice]
  switch (name) {
    case 'Optional':
      return union([...entries.map(entry => readType(entry, reader)), { kind: 'none' }])
    case 'Union':
      return union(entries.map(entry => readType(entry, reader)))
    case 'Literal': {
      const values = entries.map(entry => readValue(entry, reader.source).constant)
      return values.every(value => value !== undefined)
        ? { kind: 'literal', values: values.map(value => value.value) }
        : unknown(node, reader)
    }
    case 'Annotated': {
      const [type, ...metadata] = entries
      if (type === undefined) return unknown(node, reader)
      const values = metadata.map(entry => readValue(entry, reader.source))
      return { kind: 'annotated', type: readType(type, reader), metadata: values }
    }
    default:
      return { kind: 'generic', name, arguments: entries.map(entry => readType(entry, reader)) }
  }
}

// Loops to the left instead of recursing, since `a | b | ...` may be as long as the file.
function readUnion(node: ExprNode, reader: TypeReader): PythonType {
  const members: PythonType[] = []
  let left = node
  while (left.nodeType === 'BinOp' && left.op.nodeType === 'BitOr') {
    members.push(readType(left.right, reader))
    left = left.left
  }
  members.push(readType(left, reader))
  return union(members.reverse())
}

function union(members: readonly PythonType[]): PythonType {
  const flat = members.flatMap(member => (member.kind === 'union' ? member.members : [member]))
  return { kind: 'union', members: flat }
}

function unknown(node: ExprNode, reader: TypeReader): PythonType {
  return { kind: 'unknown', source: reader.source.slice(node) }
}

/** `a.b.c` gives `c`. Undefined for anything but a dotted name. */
function lastName(node: ExprNode): string | undefined {
  return dottedName(node)?.split('.').at(-1)
}

/** A name such as `a.b.c`. Undefined for any other expression. */
export function dottedName(node: ExprNode): string | undefined {
  const parts: string[] = []
  let current = node
  while (current.nodeType === 'Attribute') {
    parts.push(current.attr)
    current = current.value
  }
  return current.nodeType === 'Name' ? [current.id, ...parts.reverse()].join('.') : undefined
}
