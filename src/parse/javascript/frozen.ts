// `Object.freeze(x)` is `x`: the call changes nothing that can be read. It becomes parentheses around its
// argument, so nobody else has to know of it. Only where `Object` is the language's own: in a file that uses
// the name for anything but its methods and its prototype, it might be another.
import { isNode, memberOf, type Node } from './node.ts'
import type { Program } from './syntax-tree.ts'

/** A part of a program, and the two nodes around it. */
type Part = readonly [part: unknown, around: Node | undefined, outer: Node | undefined]

/** Changes the program. */
export function unwrapFrozen(program: Program, text: string): void {
  // The walk takes as long as reading the metadata does, and few files freeze anything.
  if (!text.includes('freeze')) return
  const calls: Node[] = []
  const waiting: Part[] = [[program.body, undefined, undefined]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [part, around, outer] = next
    if (Array.isArray(part)) for (const one of part) waiting.push([one, around, outer])
    if (!isNode(part)) continue
    if (isObject(part) && !isOwner(part, around, outer)) return
    if (isFreezing(part)) calls.push(part)
    for (const key in part)
      if (typeof part[key] === 'object' && key !== 'loc') waiting.push([part[key], part, around])
  }
  for (const call of calls) {
    const [expression] = call.arguments as Node[]
    Object.assign(call, { type: 'ParenthesizedExpression', expression, arguments: [], callee: null })
  }
}

function isObject({ type, name }: Node): boolean {
  return type === 'Identifier' && name === 'Object'
}

/** The `Object` of `Object.keys(x)` and `Object.prototype.x`. */
function isOwner(part: Node, around: Node | undefined, outer: Node | undefined): boolean {
  return around?.object === part && (outer?.callee === around || outer?.object === around)
}

function isFreezing({ type, callee, arguments: given }: Node): boolean {
  if (type !== 'CallExpression' || !isNode(callee) || !Array.isArray(given)) return false
  const isMethod = isNode(callee.object) && isObject(callee.object) && callee.computed === false
  return isMethod && memberOf(callee) === 'freeze' && given.length === 1 && given[0].type !== 'SpreadElement'
}
