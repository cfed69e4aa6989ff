// Other ways to start a JavaScript tool than an `execute` function that it declares and exports: the export
// may come from elsewhere, and a plain program acts at its top level. A file with none of these would run, do
// nothing and pass for a success.
import { isRecord } from '../../base/index.ts'
import type { CodeEntry } from '../code-fields.ts'
import { someNode } from '../some-node.ts'
import { CHANGING_METHODS } from './changes.ts'
import type { Statement } from './syntax-tree.ts'

type Node = Readonly<Record<string, unknown>>

/** Completes the entry from the rest of the program. `exported` has the names that the file exports. */
export function completeEntry(
  entry: CodeEntry,
  statements: readonly Statement[],
  exported: { has(name: string): boolean },
): CodeEntry {
  if (entry.execute !== null) return entry
  // From here on, nodes are examined by field name, as in `someNode`.
  const nodes = statements as unknown as readonly Node[]
  const functions = new Set(nodes.flatMap(functionNames))
  const wholes = nodes.flatMap(exportedAsWhole)
  if (exported.has('execute') || wholes.some(hasExecute)) return { ...entry, execute: 'sync' }
  if (nodes.some(node => acts(node, functions))) return { ...entry, main: true }
  // Only running it shows what a name or a call gives. If that has no `execute`, the caller is told then.
  const isUnknown = wholes.some(value => mayHaveExecute(value, functions)) || nodes.some(exportsAll)
  return isUnknown ? { ...entry, execute: 'sync' } : entry
}

/** What `export default` and `module.exports =` export. */
function exportedAsWhole({ type, declaration, expression }: Node): Node[] {
  if (type === 'ExportDefaultDeclaration') return isRecord(declaration) ? [declaration] : []
  if (!isRecord(expression) || expression.type !== 'AssignmentExpression') return []
  const { left, right } = expression
  return isRecord(left) &&
    isRecord(left.property) &&
    nameOfKey(left.property) === 'exports' &&
    isRecord(right)
    ? [right]
    : []
}

function hasExecute({ type, properties }: Node): boolean {
  if (type !== 'ObjectExpression' || !Array.isArray(properties)) return false
  return properties.some(({ key }) => isRecord(key) && nameOfKey(key) === 'execute')
}

function mayHaveExecute(value: Node, functions: ReadonlySet<string>): boolean {
  if (value.type === 'Identifier') return !functions.has(nameOfKey(value) ?? '')
  if (value.type !== 'ObjectExpression') return !/Function|Class|Literal$/.test(String(value.type))
  return Array.isArray(value.properties) && value.properties.some(({ type }) => type === 'SpreadElement')
}

function exportsAll({ type, exportKind }: Node): boolean {
  return type === 'ExportAllDeclaration' && exportKind !== 'type'
}

const SILENT = /^(?:Import|Export|TS|Empty|Class|Function)/

function acts(node: Node, functions: ReadonlySet<string>): boolean {
  const { type, expression, declaration } = node
  if (type === 'ExpressionStatement') return isRecord(expression) && isAction(expression, functions)
  if (type === 'VariableDeclaration') return calls(node, functions)
  if (type === 'ExportNamedDeclaration' && isRecord(declaration)) return acts(declaration, functions)
  // Conditions, loops, blocks: an author who writes these at the top level wants something to happen.
  return !SILENT.test(String(type))
}

function isAction(expression: Node, functions: ReadonlySet<string>): boolean {
  const { type, callee, left, right } = expression
  if (/Literal$/.test(String(type))) return false
  // `MODES.push('slow')` only prepares something, with no visible effect.
  if (isRecord(callee) && isRecord(callee.property) && CHANGING_METHODS.has(nameOfKey(callee.property) ?? ''))
    return false
  if (type !== 'AssignmentExpression' || !isRecord(left)) return true
  return !isExports(left) || calls(right, functions)
}

/** `exports`, `module.exports`, or a member of one of them. */
function isExports(node: Node): boolean {
  for (let at: unknown = node; isRecord(at); at = at.object) {
    if (nameOfKey(at) === 'exports' || (isRecord(at.property) && nameOfKey(at.property) === 'exports'))
      return true
  }
  return false
}

/** Whether a function of the same file is called, or anything is awaited. */
function calls(tree: unknown, functions: ReadonlySet<string>): boolean {
  return someNode(
    tree,
    ({ type, callee }) =>
      type === 'AwaitExpression' ||
      (type === 'CallExpression' && isRecord(callee) && functions.has(nameOfKey(callee) ?? '')),
    ({ type }) => /Function|Method|Class/.test(String(type)),
  )
}

function functionNames(statement: Node): string[] {
  const node = isRecord(statement.declaration) ? statement.declaration : statement
  if (/^(?:Function|Class)Declaration$/.test(String(node.type)) && isRecord(node.id))
    return [nameOfKey(node.id) ?? '']
  if (node.type !== 'VariableDeclaration' || !Array.isArray(node.declarations)) return []
  return node.declarations.flatMap(({ id, init }) =>
    isRecord(init) && /Function/.test(String(init.type)) && isRecord(id) ? [nameOfKey(id) ?? ''] : [],
  )
}

function nameOfKey({ name, value }: Node): string | undefined {
  const found = name ?? value
  return typeof found === 'string' ? found : undefined
}
