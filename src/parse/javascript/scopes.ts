// Decides what an identifier refers to: a name of the module, or one of a block or function that hides it.
import { isFunction, isNode, type Node, nodesIn } from './node.ts'
import { namesIn } from './targets.ts'

/** The names of one block or function. The scope of the module is undefined. */
export interface Scope {
  readonly names: ReadonlySet<string>
  readonly start: unknown
  readonly outer: Scope | undefined
  readonly depth: number
}

/** Deeper scopes hide no names. At worst, more names of the module then count as changed. */
const DEEPEST = 50

/** A unique name: that of a local has its scope added, and that of the module stays as written. */
export function nameIn(scope: Scope | undefined, name: string): string {
  for (let at = scope; at; at = at.outer) if (at.names.has(name)) return `${name} ${at.start}`
  return name
}

/** The scope inside a node that runs where it is written. */
export function scopeOf(node: Node, outer: Scope | undefined): Scope | undefined {
  switch (node.type) {
    case 'BlockStatement':
    case 'StaticBlock':
      return enter(node, nodesIn(node.body).flatMap(declaredBy), outer)
    case 'SwitchStatement':
      return enter(
        node,
        nodesIn(node.cases).flatMap(({ consequent }) => nodesIn(consequent).flatMap(declaredBy)),
        outer,
      )
    case 'ForStatement':
      return enter(node, nodesIn([node.init]).flatMap(declaredBy), outer)
    case 'ForInStatement':
    case 'ForOfStatement':
      return enter(node, nodesIn([node.left]).flatMap(declaredBy), outer)
    case 'CatchClause':
      return enter(node, namesIn(node.param), outer)
    default:
      return outer
  }
}

/** The scope inside a function: its own name, its parameters and what it declares with `var`. */
export function scopeOfFunction(node: Node, outer: Scope | undefined): Scope | undefined {
  return enter(node, [...namesIn([node.id, node.params]), ...variablesIn(node.body)], outer)
}

function enter(node: Node, names: readonly string[], outer: Scope | undefined): Scope | undefined {
  const depth = (outer?.depth ?? 0) + 1
  if (names.length === 0 || depth > DEEPEST) return outer
  return { names: new Set(names), start: node.start, outer, depth }
}

/** What a statement declares for the block around it. */
function declaredBy(statement: Node): string[] {
  if (statement.type === 'VariableDeclaration') return statement.kind === 'var' ? [] : namesIn(statement)
  return statement.type.endsWith('Declaration') ? namesIn(statement.id) : []
}

function variablesIn(body: unknown): string[] {
  const names: string[] = []
  const waiting = [body]
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (Array.isArray(node)) for (const one of node) waiting.push(one)
    if (!isNode(node) || isFunction(node)) continue
    if (node.type === 'VariableDeclaration' && node.kind === 'var') names.push(...namesIn(node))
    for (const child of Object.values(node)) waiting.push(child)
  }
  return names
}
