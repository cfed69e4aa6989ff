// Other ways to start a Python tool than an `execute` function that it defines or a `__main__` block:
// `execute` may be imported or assigned, and a plain script acts at its top level. A file with none of these
// would run, do nothing and pass for a success.
import type { ExprNode, StmtNode } from 'py-ast'
import type { CodeEntry } from '../code-fields.ts'
import { someNode } from '../some-node.ts'
import { CHANGING_METHODS } from './bindings.ts'

/** Completes the entry from the other statements of the file. */
export function completeEntry(entry: CodeEntry, statements: readonly StmtNode[]): CodeEntry {
  if (entry.execute !== null || entry.main) return entry
  const all = flatten(statements)
  const functions = new Set(all.flatMap(node => (isFunction(node) ? [node.name] : [])))
  if (all.some(node => acts(node, functions))) return { ...entry, main: true }
  return all.some(bindsExecute) ? { ...entry, execute: 'sync' } : entry
}

/** The statements that run when the file does, including those in blocks. */
function flatten(statements: readonly StmtNode[]): StmtNode[] {
  const found: StmtNode[] = []
  const pending = [...statements].reverse()
  while (pending.length > 0) {
    const node = pending.pop()!
    found.push(node)
    for (const block of blocksOf(node)) pending.push(...block)
  }
  return found
}

function blocksOf(node: StmtNode): readonly (readonly StmtNode[])[] {
  switch (node.nodeType) {
    case 'If':
      return [node.body, node.orelse]
    case 'With':
      return [node.body]
    case 'Try':
      return [node.body, node.orelse, node.finalbody, ...node.handlers.map(handler => handler.body)]
    default:
      return []
  }
}

function acts(node: StmtNode, functions: ReadonlySet<string>): boolean {
  switch (node.nodeType) {
    case 'Raise':
    case 'For':
    case 'While':
    case 'Match':
      return true
    case 'Expr':
      return node.value.nodeType !== 'Constant' && !isChange(node.value)
    case 'Assign':
    case 'AugAssign':
    case 'AnnAssign':
      return calls(node.value, functions)
    default:
      return false
  }
}

/** `MODES.append("slow")`, `sys.path.insert(0, HERE)`: preparation only, with no visible effect. */
function isChange(value: ExprNode): boolean {
  return (
    value.nodeType === 'Call' && value.func.nodeType === 'Attribute' && CHANGING_METHODS.has(value.func.attr)
  )
}

/** Whether a function of the same file is called: `result = main()`, but not `LOG = getLogger()`. */
function calls(value: ExprNode | undefined, functions: ReadonlySet<string>): boolean {
  return someNode(
    value,
    ({ nodeType, func }) => nodeType === 'Call' && isNameOf(func, functions),
    ({ nodeType }) => nodeType === 'Lambda',
  )
}

function isNameOf(node: unknown, names: ReadonlySet<string>): boolean {
  // Any node of the tree.
  const { nodeType, id } = node as { nodeType?: unknown; id?: unknown }
  return nodeType === 'Name' && names.has(String(id))
}

function isFunction(node: StmtNode): node is StmtNode & { nodeType: 'FunctionDef' | 'AsyncFunctionDef' } {
  return node.nodeType === 'FunctionDef' || node.nodeType === 'AsyncFunctionDef'
}

function bindsExecute(node: StmtNode): boolean {
  switch (node.nodeType) {
    case 'FunctionDef':
    case 'AsyncFunctionDef':
    case 'ClassDef':
      return node.name === 'execute'
    case 'Import':
    case 'ImportFrom':
      return node.names.some(({ asname, name }) => (asname ?? name) === 'execute' || name === '*')
    case 'Assign':
      return (
        node.value.nodeType !== 'Constant' &&
        node.targets.some(target => target.nodeType === 'Name' && target.id === 'execute')
      )
    default:
      return false
  }
}
