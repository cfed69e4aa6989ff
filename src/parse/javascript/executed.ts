// What runs when a module is loaded, node by node. What a function does when it is called is not seen, unless
// it is called where it stands.
import { isFunction, isNode, memberOf, type Node, nodesIn } from './node.ts'
import { type Scope, scopeOf, scopeOfFunction } from './scopes.ts'

/** A value where it stands. */
export interface Source {
  readonly value: unknown
  readonly scope: Scope | undefined
}

export interface Executed {
  readonly node: Node
  readonly scope: Scope | undefined
  /** Of a function, what it is called with. */
  readonly given?: Source
}

/** A node and all below it that run when it runs. */
export function* executedIn(root: unknown, outer?: Scope): Generator<Executed> {
  const waiting: unknown[] = [root]
  /** Of each of those. */
  const scopes: (Scope | undefined)[] = [outer]
  const push = (part: unknown, scope: Scope | undefined) => {
    waiting.push(part)
    scopes.push(scope)
  }
  while (waiting.length > 0) {
    const part = waiting.pop()
    const around = scopes.pop()
    if (Array.isArray(part)) for (const one of part) push(one, around)
    if (!isNode(part) || isFunction(part) || isFieldOfInstances(part)) continue
    const scope = scopeOf(part, around)
    yield { node: part, scope }
    for (const called of calledFunctions(part)) {
      const inside = scopeOfFunction(called, scope)
      yield { node: called, scope: inside, given: { value: [part.arguments, part.callee], scope } }
      push([called.params, called.body], inside)
    }
    for (const key in part) if (isChild(key, part)) push(part[key], scope)
  }
}

/** They call a function that they are given, before they return. */
const CALLING_METHODS: ReadonlySet<string> = new Set(
  'every filter find findIndex findLast findLastIndex flatMap forEach map reduce reduceRight some sort'.split(
    ' ',
  ),
)

/**
 * The functions that a call runs on the spot: the one that it calls, or those that it gives to `forEach` and
 * the like.
 */
function calledFunctions({ callee, arguments: given }: Node): Node[] {
  const called = withoutParentheses(callee)
  if (!isNode(called)) return []
  if (isFunction(called)) return [called]
  const method = memberOf(called) ?? ''
  const functions = method === 'call' || method === 'apply' ? [withoutParentheses(called.object)] : []
  if (CALLING_METHODS.has(method) && Array.isArray(given)) functions.push(...given)
  return nodesIn(functions).filter(isFunction)
}

function withoutParentheses(outer: unknown): unknown {
  let node = outer
  while (isNode(node) && node.type === 'ParenthesizedExpression') node = node.expression
  return node
}

function isFieldOfInstances({ type, static: isStatic }: Node): boolean {
  return isStatic !== true && /^Class.*Property$/.test(type)
}

/** Not the names of members, nor types: they stand for no values. */
function isChild(key: string, node: Node): boolean {
  if (key === 'loc' || key === 'typeAnnotation' || typeof node[key] !== 'object') return false
  return node.computed === true || (key !== 'key' && key !== 'property')
}
