// Reads the value of a constant Python expression as JSON: what `ast.literal_eval` accepts, `+` between
// strings, and names of other constants. A value that JSON cannot hold (bytes, complex numbers, Ellipsis,
// infinity) is refused with a reason, never rounded to another. A whole number past 2^53 is kept as text.
import type { ExprNode } from 'py-ast'
import type { JsonObject, JsonValue } from '../../base/index.ts'
import {
  type Constant,
  createSharedReading,
  Reading,
  type Refusal,
  type SharedReading,
  TOO_DEEP,
} from '../constant.ts'
import { MAX_DIGITS } from '../metadata.ts'
import type { Position, PythonSource } from './source.ts'
import { decodeStrings } from './string-literal.ts'

/** The constants that an expression may refer to by name. */
export interface Names {
  find(name: string): Constant<Position> | Refusal
}

interface Reader {
  readonly reading: Reading<Position>
  readonly source: PythonSource
  readonly names: Names
}

const NO_NAMES: Names = { find: name => ({ reason: `the name \`${name}\`` }) }

/** Tuples and sets become lists; numbers, booleans and None as keys become strings, as in `json.dumps`. */
export function readConstant(
  root: ExprNode,
  source: PythonSource,
  names: Names = NO_NAMES,
  shared: SharedReading = createSharedReading(),
): Constant<Position> {
  const reader: Reader = { reading: new Reading(shared), source, names }
  return reader.reading.finish(readValue(root, reader))
}

/** A bigint stands for a whole number that may be too large for a number to hold exactly. */
type Exact = JsonValue | bigint | undefined

type NodeOf<Type extends ExprNode['nodeType']> = Extract<ExprNode, { nodeType: Type }>

type Readers = {
  readonly [Type in ExprNode['nodeType']]?: (node: NodeOf<Type>, reader: Reader) => Exact
}

const READERS: Readers = {
  Constant: readPrimitive,
  JoinedStr: readFormatted,
  UnaryOp: readSigned,
  BinOp: readConcatenation,
  List: ({ elts }, reader) => readItems(elts, reader),
  Tuple: ({ elts }, reader) => readItems(elts, reader),
  Set: ({ elts }, reader) => {
    const items = readItems(elts, reader)
    return items && [...new Set(items)]
  },
  Dict: readDict,
  Name: (node, reader) => {
    const named = reader.names.find(node.id)
    return 'reason' in named ? refuse(node, reader, named.reason) : reader.reading.take(named)
  },
}

function readValue(node: ExprNode, reader: Reader): JsonValue | undefined {
  const value = readExact(node, reader)
  return typeof value === 'bigint' ? reader.reading.exact(value, placeOf(node, reader)) : value
}

function readExact(node: ExprNode, reader: Reader): Exact {
  // The table maps a node type to a reader of exactly that type.
  const read = READERS[node.nodeType] as ((node: ExprNode, reader: Reader) => Exact) | undefined
  if (read === undefined) return refuse(node, reader, DESCRIPTIONS[node.nodeType] ?? 'an expression')
  if (!reader.reading.enter()) return refuse(node, reader, TOO_DEEP)
  const value = read(node, reader)
  reader.reading.leave()
  return value
}

function readPrimitive(node: NodeOf<'Constant'>, reader: Reader): Exact {
  const value: unknown = node.value
  if (typeof value === 'string') {
    if (node.quote_style === undefined) return refuse(node, reader, 'Ellipsis')
    const decoded = decodeStrings(reader.source.slice(node))
    return 'text' in decoded ? decoded.text : refuse(node, reader, decoded.reason)
  }
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'bigint' && reader.source.slice(node).length <= MAX_DIGITS) return value
  if (typeof value === 'bigint') return refuse(node, reader, 'a number too large')
  if (typeof value !== 'number') return refuse(node, reader, 'a complex number')
  return Number.isFinite(value) ? value : refuse(node, reader, 'a number too large')
}

/** `f"{NAME} text"`, when the values inserted are text. */
function readFormatted(node: NodeOf<'JoinedStr'>, reader: Reader): Exact {
  const parts: string[] = []
  for (const part of node.values) {
    const isPlain = part.nodeType === 'FormattedValue' && part.conversion === -1 && !part.format_spec
    const text = part.nodeType === 'Constant' ? part.value : isPlain && readExact(part.value, reader)
    if (text === undefined) return undefined
    if (typeof text !== 'string' || (isPlain && isKeptAsText(part.value, reader))) break
    parts.push(text)
  }
  const isWhole = parts.length === node.values.length
  // The parser misreads some escapes.
  if (!isWhole || reader.source.slice(node).includes('\\')) return refuse(node, reader, 'a formatted string')
  return reader.reading.join(parts, placeOf(node, reader))
}

/** `-1`, `+1`, `- -1`. */
function readSigned(node: NodeOf<'UnaryOp'>, reader: Reader): Exact {
  const value = readExact(node.operand, reader)
  if (value === undefined) return undefined
  const isNegative = node.op.nodeType === 'USub'
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  if (!isNumber || !(isNegative || node.op.nodeType === 'UAdd')) return refuse(node, reader, 'an operation')
  return isNegative && value !== 0 ? -value : value
}

/** Strings joined by `+`, left to right. Without recursion, since a chain may be as long as the file. */
function readConcatenation(node: NodeOf<'BinOp'>, reader: Reader): Exact {
  const operands: ExprNode[] = []
  let left: ExprNode = node
  while (left.nodeType === 'BinOp') {
    if (left.op.nodeType !== 'Add') return refuse(node, reader, 'an operation')
    operands.push(left.right)
    left = left.left
  }
  const parts: string[] = []
  for (const operand of [left, ...operands.reverse()]) {
    const value = readExact(operand, reader)
    if (value === undefined) return undefined
    if (typeof value !== 'string' || isKeptAsText(operand, reader))
      return refuse(node, reader, 'an operation')
    parts.push(value)
  }
  return reader.reading.join(parts, placeOf(node, reader))
}

/** Whether a name refers to a number that is text only here, not in the program. */
function isKeptAsText(node: ExprNode, { names }: Reader): boolean {
  const named = node.nodeType === 'Name' ? names.find(node.id) : undefined
  return named !== undefined && 'value' in named && named.tooLarge !== undefined
}

function readItems(nodes: readonly ExprNode[], reader: Reader): JsonValue[] | undefined {
  const items: JsonValue[] = []
  for (const [index, node] of nodes.entries()) {
    if (node.nodeType === 'Starred') {
      const more = readValue(node.value, reader)
      if (!reader.reading.spreadList(more, placeOf(node, reader), items)) return undefined
      continue
    }
    const value = reader.reading.at(index, () => readValue(node, reader))
    if (value === undefined) return undefined
    items.push(value)
  }
  return items
}

function readDict(node: NodeOf<'Dict'>, reader: Reader): JsonObject {
  const object: JsonObject = Object.create(null)
  for (const [index, value] of node.values.entries()) {
    const key = node.keys[index]
    if (!key) {
      reader.reading.spreadObject(readValue(value, reader), placeOf(value, reader), object)
      continue
    }
    const name = readKey(key, reader)
    if (name === undefined) continue
    const entry = reader.reading.at(name, () => readValue(value, reader))
    reader.reading.setMember(object, name, entry)
  }
  return object
}

function readKey(key: ExprNode, reader: Reader): string | undefined {
  const name = readValue(key, reader)
  if (name === undefined) return undefined
  // A name may refer to `1` or to `1.0`: different keys in Python's JSON, but the same number here.
  const isUnclear = key.nodeType === 'Name' && (typeof name === 'number' || isKeptAsText(key, reader))
  if (isUnclear || (typeof name === 'object' && name !== null)) {
    return refuse(key, reader, 'a key that is not a string')
  }
  if (typeof name === 'number' && !/^[-+]?\w+$/.test(reader.source.slice(key))) {
    return refuse(key, reader, 'a fractional key')
  }
  return String(name)
}

function refuse(node: ExprNode, reader: Reader, reason: string): undefined {
  return reader.reading.refuse(placeOf(node, reader), reason)
}

function placeOf({ lineno, col_offset }: ExprNode, { source }: Reader): Position {
  return source.position(lineno, col_offset)
}

const DESCRIPTIONS: { readonly [Type in ExprNode['nodeType']]?: string } = {
  Call: 'a call',
  Attribute: 'an attribute',
  Starred: 'an unpacking',
  ListComp: 'a comprehension',
  SetComp: 'a comprehension',
  DictComp: 'a comprehension',
  GeneratorExp: 'a comprehension',
  TemplateStr: 'a template string',
}
