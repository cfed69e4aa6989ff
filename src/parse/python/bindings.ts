// What the statements of a module bind and change. Function bodies are not looked into, and the inside of a
// block counts as something that may or may not happen.
import type { ExprNode, StmtNode } from 'py-ast'
import { isRecord } from '../../base/index.ts'
import { addSources } from '../changed-names.ts'

export interface Bindings {
  readonly names: readonly string[]
  /** Absent when the names are bound to something other than one expression. */
  readonly value?: ExprNode
  readonly reason: string
}

const NONE: Bindings = { names: [], reason: '' }

/** The names that one statement binds, or changes in part. */
export function bindingsOf(node: StmtNode): Bindings {
  switch (node.nodeType) {
    case 'Assign': {
      const [only] = node.targets
      if (node.targets.every(target => target.nodeType === 'Name')) {
        return { names: node.targets.map(target => target.id), value: node.value, reason: '' }
      }
      return {
        names: node.targets.flatMap(rootNames),
        reason: only?.nodeType === 'Tuple' ? 'an unpacking' : 'a change',
      }
    }
    case 'AnnAssign':
      if (!node.value) return NONE
      if (node.target.nodeType !== 'Name') return { names: rootNames(node.target), reason: 'a change' }
      return { names: [node.target.id], value: node.value, reason: '' }
    case 'AugAssign':
      return { names: rootNames(node.target), reason: 'a change' }
    case 'Delete':
      return { names: node.targets.flatMap(rootNames), reason: 'a deletion' }
    case 'Import':
    case 'ImportFrom':
      return { names: node.names.map(alias => alias.asname ?? alias.name), reason: 'an import' }
    case 'FunctionDef':
    case 'AsyncFunctionDef':
    case 'ClassDef':
      return { names: [node.name], reason: 'a definition' }
    case 'If':
      return { names: boundInside(importedPart(node)), reason: 'a change' }
    case 'Expr':
      // A docstring, most often.
      if (node.value.nodeType === 'Constant') return NONE
      return { names: boundInside(node), reason: 'a change' }
    default:
      return { names: boundInside(node), reason: 'a change' }
  }
}

/** `__name__ == "__main__"`, either way round. */
export function isMainTest(test: ExprNode): boolean {
  if (test.nodeType !== 'Compare' || test.ops.length !== 1 || test.ops[0]!.nodeType !== 'Eq') return false
  const sides = [test.left, test.comparators[0]!]
  return (
    sides.some(side => side.nodeType === 'Name' && side.id === '__name__') &&
    sides.some(side => side.nodeType === 'Constant' && side.value === '__main__')
  )
}

/** The part of a statement that runs when the module is imported: not the `__main__` block. */
function importedPart(node: StmtNode): StmtNode | readonly StmtNode[] {
  return node.nodeType === 'If' && isMainTest(node.test) ? node.orelse : node
}

/** The names whose values the module changes, and the names in those values, which may change with them. */
export function findChanged(statements: readonly StmtNode[]): ReadonlySet<string> {
  const changed = new Set<string>()
  /** What a name was bound to, each time. */
  const sources = new Map<string, unknown[]>()
  for (const node of executedIn(statements.map(importedPart))) {
    for (const name of changedBy(node)) changed.add(name)
    const [targets, source] = boundBy(node)
    for (const name of targets.flatMap(rootNames)) {
      const known = sources.get(name) ?? []
      known.push(source)
      sources.set(name, known)
    }
  }
  addSources(changed, sources, namesIn)
  return changed
}

interface Node {
  readonly nodeType: string
  readonly [key: string]: unknown
}

const DEFINITIONS = new Set(['FunctionDef', 'AsyncFunctionDef', 'ClassDef', 'Lambda'])
const NAMING = new Set(['ExceptHandler', 'MatchAs', 'MatchStar'])
/** Methods that change a list, a dictionary or a set and do nothing else. */
export const CHANGING_METHODS: ReadonlySet<string> = new Set(
  `append extend insert remove pop clear sort reverse update setdefault popitem add discard
  difference_update intersection_update symmetric_difference_update`.split(/\s+/),
)

/** A node, and all nodes below it that run when it does. */
function* executedIn(root: unknown): Generator<Node> {
  const waiting = [root]
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (Array.isArray(node)) for (const one of node) waiting.push(one)
    if (!isNode(node) || DEFINITIONS.has(node.nodeType)) continue
    yield node
    for (const child of Object.values(node)) waiting.push(child)
  }
}

/** Names bound or changed in a block, by a loop, a `with` or an exception, or changed by a method call. */
function boundInside(statements: StmtNode | readonly StmtNode[]): string[] {
  return [...executedIn(statements)].flatMap(node => {
    const [targets] = boundBy(node)
    return [...targets.flatMap(rootNames), ...changedBy(node), ...namedBy(node)]
  })
}

function namedBy(node: Node): string[] {
  const aliases = Array.isArray(node.names) ? node.names.filter(isRecord) : []
  const names = aliases.map(alias => alias.asname ?? alias.name)
  if (NAMING.has(node.nodeType)) names.push(node.name)
  return names.filter(name => typeof name === 'string')
}

/** The targets that a node binds, and to what. */
function boundBy(node: Node): [targets: ExprNode[], source: unknown] {
  switch (node.nodeType) {
    case 'Assign':
      return [expressions(node.targets), node.value]
    case 'AnnAssign':
    case 'NamedExpr':
      return [expressions([node.target]), node.value]
    case 'For':
    case 'AsyncFor':
      return [expressions([node.target]), node.iter]
    case 'WithItem':
      return [expressions([node.optional_vars]), node.context_expr]
    default:
      return [[], undefined]
  }
}

/** The names whose values a node changes, in whole or in part. */
function changedBy(node: Node): string[] {
  if (node.nodeType === 'AugAssign') return expressions([node.target]).flatMap(rootNames)
  if (node.nodeType === 'Call') return changedByCall(node)
  const targets = node.nodeType === 'Delete' ? expressions(node.targets) : boundBy(node)[0]
  return targets.filter(target => target.nodeType !== 'Name').flatMap(rootNames)
}

function changedByCall({ func }: Node): string[] {
  const [method] = expressions([func])
  if (method?.nodeType !== 'Attribute' || !CHANGING_METHODS.has(method.attr)) return []
  return rootNames(method.value)
}

function namesIn(expression: unknown): string[] {
  return [...executedIn(expression)].flatMap(node => (node.nodeType === 'Name' ? [String(node.id)] : []))
}

/** The names that a target binds or changes: `X["key"] = 1` changes `X`. */
function rootNames(target: ExprNode): string[] {
  let node = target
  while (node.nodeType === 'Subscript' || node.nodeType === 'Attribute' || node.nodeType === 'Starred') {
    node = node.value
  }
  if (node.nodeType === 'Name') return [node.id]
  return node.nodeType === 'Tuple' || node.nodeType === 'List' ? node.elts.flatMap(rootNames) : []
}

// The fields named above hold expressions, or nothing.
function expressions(values: unknown): ExprNode[] {
  return Array.isArray(values)
    ? values.filter(value => isNode(value)).map(value => value as unknown as ExprNode)
    : []
}

function isNode(value: unknown): value is Node {
  return isRecord(value) && typeof value.nodeType === 'string'
}
