// Reads the value of a constant JavaScript expression as JSON. Types around it (`as const`, `satisfies`) are
// skipped, and names of other constants stand for their values. A call, or anything else that would have to
// run, is refused with a reason. A whole number past 2^53 is kept as text, exactly as written and not as the
// engine would round it.
import type { JsonObject, JsonValue } from '../../base/index.ts'
import {
  type Constant,
  ownMemberOf,
  Reading,
  type Refusal,
  type SharedReading,
  TOO_DEEP,
} from '../constant.ts'
import { MAX_DIGITS } from '../metadata.ts'
import { type Expression, type ObjectExpression, type ObjectMember, startOf } from './syntax-tree.ts'

/** The constants that an expression may refer to by name. */
export interface Names {
  find(name: string, offset: number): Constant<number> | Refusal
}

interface Reader {
  readonly reading: Reading<number>
  readonly names: Names
}

export function readConstant(root: Expression, names: Names, shared: SharedReading): Constant<number> {
  const reader: Reader = { reading: new Reading(shared), names }
  return reader.reading.finish(readValue(root, reader))
}

/** Strips type operators, which do not change the value. */
export function withoutTypes<Node extends Expression>(outer: Node): Expression {
  let node: Expression = outer
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

/** A bigint stands for a whole number that may be too large for a number to hold exactly. */
type Exact = JsonValue | bigint | undefined

type Readers = {
  readonly [Type in Expression['type']]?: (node: Extract<Expression, { type: Type }>, reader: Reader) => Exact
}

const READERS: Readers = {
  StringLiteral: node => node.value,
  BooleanLiteral: node => node.value,
  NullLiteral: () => null,
  NumericLiteral: (node, { reading }) => {
    const value = exactValue(node.value, String(node.extra?.raw ?? node.value))
    return value ?? reading.refuse(startOf(node), 'a number too large')
  },
  TemplateLiteral: (node, reader) => {
    const parts: string[] = []
    for (const [index, { value }] of node.quasis.entries()) {
      parts.push(value.cooked ?? value.raw)
      const expression = node.expressions[index]
      if (expression === undefined) continue
      // It is a type only inside type annotations, which are not read.
      const text = readText(expression as Expression, reader)
      if (text === undefined) return undefined
      parts.push(text)
    }
    return reader.reading.join(parts, startOf(node))
  },
  UnaryExpression: readSigned,
  BinaryExpression: readConcatenation,
  ArrayExpression: readList,
  ObjectExpression: readObject,
  Identifier: readNamed,
  MemberExpression: readNamed,
}

function readNamed(node: Expression, { reading, names }: Reader): JsonValue | undefined {
  const named = findNamed(node, names)
  return 'reason' in named ? reading.refuse(startOf(node), named.reason) : reading.take(named)
}

/** The constant that `A`, `A.b`, `A['b'].c` or `A[0]` refers to. */
function findNamed(outer: Expression, names: Names): Constant<number> | Refusal {
  const keys: string[] = []
  let node = withoutTypes(outer)
  while (node.type === 'MemberExpression') {
    const key = memberName(node) ?? indexOf(node)
    if (key === undefined) return { reason: describe(node) }
    keys.push(key)
    node = withoutTypes(node.object as Expression) // `super` occurs only in methods, which are not constants
  }
  if (node.type !== 'Identifier') return { reason: describe(outer) }
  let named = names.find(node.name, startOf(node))
  for (const key of keys.reverse()) {
    if ('reason' in named) return named
    named = ownMemberOf(named, key) ?? { reason: describe(outer) }
  }
  return named
}

export function memberName({
  computed,
  property,
}: Expression & { type: 'MemberExpression' }): string | undefined {
  if (!computed) return property.type === 'Identifier' ? property.name : undefined
  return property.type === 'StringLiteral' ? property.value : undefined
}

function indexOf({ computed, property }: Expression & { type: 'MemberExpression' }): string | undefined {
  return computed && property.type === 'NumericLiteral' ? String(property.value) : undefined
}

function readValue(node: Expression, reader: Reader): JsonValue | undefined {
  const value = readExact(node, reader)
  return typeof value === 'bigint' ? reader.reading.exact(value, startOf(node)) : value
}

function readExact(outer: Expression, reader: Reader): Exact {
  const node = withoutTypes(outer)
  // The table maps a node type to a reader of exactly that type.
  const read = READERS[node.type] as ((node: Expression, reader: Reader) => Exact) | undefined
  if (read === undefined) return reader.reading.refuse(startOf(node), describe(node))
  if (!reader.reading.enter()) return reader.reading.refuse(startOf(node), TOO_DEEP)
  const value = read(node, reader)
  reader.reading.leave()
  return value
}

const WHOLE = /^(?:[1-9][0-9]*|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)$/

function exactValue(value: number, raw: string): number | bigint | undefined {
  if (Number.isSafeInteger(value)) return value
  const digits = raw.replaceAll('_', '')
  if (digits.length <= MAX_DIGITS && WHOLE.test(digits)) return BigInt(digits)
  return Number.isFinite(value) ? value : undefined
}

/** `-1`, `+1`, `- -1`. Without recursion, since a chain of signs may be as long as the file. */
function readSigned(outer: Expression & { type: 'UnaryExpression' }, reader: Reader): Exact {
  let node: Expression = outer
  let isNegative = false
  while (node.type === 'UnaryExpression') {
    if (node.operator !== '-' && node.operator !== '+') break
    if (node.operator === '-') isNegative = !isNegative
    node = withoutTypes(node.argument)
  }
  const value = node.type === 'UnaryExpression' ? null : readExact(node, reader)
  if (value === undefined) return undefined
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    return reader.reading.refuse(startOf(outer), 'an operation')
  }
  return isNegative && value !== 0 ? -value : value
}

/** Strings joined by `+`, left to right. Without recursion, since a chain may be long. */
function readConcatenation(node: Expression & { type: 'BinaryExpression' }, reader: Reader): Exact {
  const refuse = () => reader.reading.refuse(startOf(node), 'an operation')
  const operands: Expression[] = []
  let left: Expression = node
  while (left.type === 'BinaryExpression') {
    if (left.operator !== '+' || left.left.type === 'PrivateName') return refuse()
    operands.push(left.right)
    left = withoutTypes(left.left)
  }
  const parts: string[] = []
  for (const operand of [left, ...operands.reverse()]) {
    const value = readExact(operand, reader)
    if (value === undefined) return undefined
    if (typeof value !== 'string' || isKeptAsText(operand, reader)) return refuse()
    parts.push(value)
  }
  return reader.reading.join(parts, startOf(node))
}

/** The text that a template literal makes of a value. */
function readText(node: Expression, reader: Reader): string | undefined {
  const value = readExact(node, reader)
  if (value === undefined) return undefined
  const isPlain = typeof value !== 'bigint' && (value === null || typeof value !== 'object')
  if (isPlain && !isKeptAsText(node, reader)) return String(value)
  return reader.reading.refuse(startOf(node), 'a value that is not text')
}

/** Whether a name refers to a number that is text only here, not in the program. */
function isKeptAsText(outer: Expression, { names }: Reader): boolean {
  const named = findNamed(outer, names)
  return 'value' in named && named.tooLarge !== undefined
}

function readList(node: Expression & { type: 'ArrayExpression' }, reader: Reader): Exact {
  const { reading } = reader
  const list: JsonValue[] = []
  for (const [index, element] of node.elements.entries()) {
    if (element?.type === 'SpreadElement') {
      const items = readValue(element.argument, reader)
      if (!reading.spreadList(items, startOf(element), list)) return undefined
      continue
    }
    const value = reading.at(index, () =>
      element === null ? reading.refuse(startOf(node), 'a hole in a list') : readValue(element, reader),
    )
    if (value === undefined) return undefined
    list.push(value)
  }
  return list
}

function readObject(node: ObjectExpression, reader: Reader): JsonObject {
  const object: JsonObject = Object.create(null)
  for (const member of node.properties) {
    if (member.type === 'SpreadElement') {
      reader.reading.spreadObject(readValue(member.argument, reader), startOf(member), object)
    } else readMember(member, reader, object)
  }
  return object
}

function readMember(
  member: Exclude<ObjectMember, { type: 'SpreadElement' }>,
  reader: Reader,
  object: JsonObject,
): void {
  const name = readKey(member, reader)
  if (name === undefined) return
  const { reading } = reader
  // Written like this, it sets the prototype and creates no property.
  if (name === '__proto__' && member.type === 'ObjectProperty' && !member.computed && !member.shorthand) {
    reading.at(name, () => reading.refuse(startOf(member), 'a prototype'))
    return
  }
  const value = reading.at(name, () =>
    member.type === 'ObjectMethod'
      ? reading.refuse(startOf(member), 'a function')
      : // It is a pattern only in assignments, which are not constants.
        readValue(member.value as Expression, reader),
  )
  reading.setMember(object, name, value)
}

function readKey(
  { key, computed }: Exclude<ObjectMember, { type: 'SpreadElement' }>,
  reader: Reader,
): string | undefined {
  if (!computed && key.type === 'Identifier') return key.name
  const name = key.type === 'PrivateName' ? null : readValue(key, reader)
  if (name === undefined) return undefined
  if (typeof name === 'string' || typeof name === 'number') return String(name)
  return reader.reading.refuse(startOf(key), 'a computed key')
}

const DESCRIPTIONS: { readonly [Type in Expression['type']]?: string } = {
  RegExpLiteral: 'a regular expression',
  BigIntLiteral: 'a big integer',
  CallExpression: 'a call',
  OptionalCallExpression: 'a call',
  NewExpression: 'a call',
  TaggedTemplateExpression: 'a call',
  ImportExpression: 'a call',
  MemberExpression: 'a member of an object',
  OptionalMemberExpression: 'a member of an object',
  ArrowFunctionExpression: 'a function',
  FunctionExpression: 'a function',
}

function describe(node: Expression): string {
  return DESCRIPTIONS[node.type] ?? 'an expression'
}
