// Checks that a program is the same without its types.
import { childrenOf, isNode, type Node, PROPERTIES, TYPE_STATEMENTS } from './syntax-nodes.ts'

/**
 * An offset where the syntax trees of two programs differ, apart from types: `a + b as number * 2` is a
 * product, and without the type a sum. Undefined if they do not differ.
 */
export function findChange(typed: Node, plain: Node): number | undefined {
  const waiting: [Node, Node][] = [[typed, plain]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [one, other] = next
    if (kindOf(one) !== kindOf(other) || one.name !== other.name) return one.start
    const [ones, others] = [valuesIn(one), valuesIn(other)]
    if (ones.length !== others.length) return one.start
    for (const [index, child] of ones.entries()) waiting.push([child, others[index]!])
  }
  return undefined
}

/** In a chain with `!`, parsers disagree on which parts are optional. */
function kindOf({ type }: Node): string {
  return type.replace(/^Optional(?=Member|Call)/, '')
}

/** The children of a node that exist when the program runs, in order. */
function valuesIn(node: Node): Node[] {
  const types = Array.isArray(node.implements) ? node.implements : []
  return childrenOf(node)
    .filter(child => !types.includes(child))
    .flatMap(withoutWrapper)
    .filter(child => !isForTypes(child, node))
    .sort((a, b) => a.start - b.start)
}

/** `(a as B)!` is `a`. */
function withoutWrapper(node: Node): Node[] {
  let inner = node
  while (inner.type.startsWith('TS') && isNode(inner.expression)) inner = inner.expression
  return inner.type.startsWith('TS') || inner.type.startsWith('Comment') ? [] : [inner]
}

function isForTypes(node: Node, parent: Node): boolean {
  if (node.type === 'EmptyStatement' || node.declare === true || isTypeOnly(node)) return true
  if (PROPERTIES.has(node.type) && node.abstract === true) return true
  const isParameter = Array.isArray(parent.params) && parent.params[0] === node
  return isParameter && node.type === 'Identifier' && node.name === 'this'
}

/** Whether it imports or exports types only, or declares nothing but a type. */
function isTypeOnly(node: Node): boolean {
  if (node.importKind === 'type' || node.exportKind === 'type') return true
  const { declaration } = node
  if (!isNode(declaration) || !node.type.startsWith('Export')) return false
  return TYPE_STATEMENTS.has(declaration.type) || declaration.declare === true
}
