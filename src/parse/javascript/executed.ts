// Walks the nodes that run when a module is loaded. Function bodies are skipped, unless the function is
// called right where it is written.
import { isFunction, isNode, memberOf, type Node, nodesIn } from './node.ts'
import { type Scope, scopeOf, scopeOfFunction } from './scopes.ts'

/** A value and the scope it is in. */
export interface Source {
  readonly value: unknown
  readonly scope: Scope | undefined
}

export interface Executed {
  readonly node: Node
  readonly scope: Scope | undefined
  /** For a function that is called on the spot: what it is called with. */
  readonly given?: Source
}

/** A node, and all nodes below it that run when it does. */
export function* executedIn(root: unknown, outer?: Scope): Generator<Executed> {
  const waiting: unknown[] = [root]
  /** The scope of each waiting node. */
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

/** Methods that call a function given to them before they return. */
const CALLING_METHODS: ReadonlySet<string> = new Set(
  'every filter find findIndex findLast findLastIndex flatMap forEach map reduce reduceRight some sort'.split(
    ' ',
  ),
)

/** The functions that a call runs at once: the one it calls, or those it passes to `forEach` and the like. */
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

/** Leaves out member names and types, which are not values. */
function isChild(key: string, node: Node): boolean {
  if (key === 'loc' || key === 'typeAnnotation' || typeof node[key] !== 'object') return false
  return node.computed === true || (key !== 'key' && key !== 'property')
}
