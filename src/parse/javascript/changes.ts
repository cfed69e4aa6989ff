// The names of a module whose values change after they were set: assigned again, in whole or in part, or handed to what
// is known to change them. What a function does when it is called is not seen, unless it is called where it stands.
import { isRecord } from '../../base/index.ts'
import { addSources } from '../changed-names.ts'
import type { Program } from './syntax-tree.ts'

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

/** Methods that change a list and do nothing else. */
export const CHANGING_METHODS = words('push pop shift unshift splice sort reverse fill copyWithin')
/** Of `Object` and `Reflect`: they change their first argument. */
const CHANGING_FUNCTIONS = words('assign defineProperty defineProperties setPrototypeOf set deleteProperty')
const FUNCTIONS = words('FunctionDeclaration FunctionExpression ArrowFunctionExpression ObjectMethod')

/** Their members are set, each once: that is how CommonJS exports. */
const EXPORTS = ['exports', 'module']

/** What is part of a value that changes may change with it, so its names count too. */
export function findChanged(program: Program): Set<string> {
  const changed = new Set<string>()
  /** What a name was set to, each time. */
  const sources = new Map<string, unknown[]>()
  for (const statement of program.body) {
    const top = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    for (const node of executedIn(statement)) {
      for (const name of boundBy(changedBy(node, top))) changed.add(name)
      const [target, source] = setBy(node)
      for (const name of boundBy(target)) {
        const known = sources.get(name) ?? []
        // Set a second time.
        if (known.length > 0 && node.type === 'VariableDeclarator') changed.add(name)
        known.push(source)
        sources.set(name, known)
      }
    }
  }
  for (const name of EXPORTS) changed.delete(name)
  addSources(changed, sources, namesIn)
  return changed
}

/** The names that stand in an expression, whatever for. */
function namesIn(expression: unknown): string[] {
  return [...executedIn(expression)].flatMap(node => (node.type === 'Identifier' ? [String(node.name)] : []))
}

/** A node and all below it that run when it runs: no function, unless it is called on the spot. */
function* executedIn(root: unknown): Generator<Node> {
  const waiting: unknown[] = [root]
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (Array.isArray(node)) for (const one of node) waiting.push(one)
    if (!isNode(node) || FUNCTIONS.has(node.type) || node.type === 'ClassBody') continue
    yield node
    waiting.push(calledFunction(node)?.body)
    for (const child of Object.values(node)) waiting.push(child)
  }
}

/** The function that a call has for its callee, not one that it names. */
function calledFunction({ callee }: Node): Node | undefined {
  let node = callee
  while (isNode(node) && node.type === 'ParenthesizedExpression') node = node.expression
  return isNode(node) && FUNCTIONS.has(node.type) ? node : undefined
}

/** What a node assigns to, or is known to change. */
function changedBy(node: Node, top: unknown): unknown {
  switch (node.type) {
    case 'AssignmentExpression':
    case 'ForInStatement':
    case 'ForOfStatement':
      return isNode(node.left) && node.left.type === 'VariableDeclaration' ? undefined : node.left
    case 'UpdateExpression':
      return node.argument
    case 'UnaryExpression':
      return node.operator === 'delete' ? node.argument : undefined
    case 'VariableDeclaration':
      // In a block it belongs to the module, and may or may not be set.
      return node.kind === 'var' && node !== top ? node : undefined
    case 'CallExpression':
      return changedByCall(node)
    default:
      return undefined
  }
}

/** The names that a node sets, and to what. */
function setBy(node: Node): [target: unknown, source: unknown] {
  switch (node.type) {
    case 'VariableDeclarator':
      return [node.id, node.init]
    case 'AssignmentExpression':
    case 'ForOfStatement':
      return [node.left, node.right]
    case 'CallExpression':
      return [calledFunction(node)?.params, node.arguments]
    default:
      return [undefined, undefined]
  }
}

function changedByCall({ callee, arguments: given }: Node): unknown {
  if (!isNode(callee) || !isNode(callee.object) || !isNode(callee.property)) return undefined
  const { object, property } = callee
  const method = String(property.name ?? property.value)
  if (object.name !== 'Object' && object.name !== 'Reflect') {
    return CHANGING_METHODS.has(method) ? object : undefined
  }
  return CHANGING_FUNCTIONS.has(method) && Array.isArray(given) ? given[0] : undefined
}

/** By the type of a target, where in it the names stand: `a.b[0]`, `{b: a}`, `[a]`, `var a`, `a!`. */
const INSIDE: ReadonlyMap<string, string> = new Map([
  ['MemberExpression', 'object'],
  ['VariableDeclaration', 'declarations'],
  ['VariableDeclarator', 'id'],
  ['ObjectPattern', 'properties'],
  ['ObjectProperty', 'value'],
  ['ArrayPattern', 'elements'],
  ['AssignmentPattern', 'left'],
  ['RestElement', 'argument'],
])

function boundBy(target: unknown): string[] {
  const names: string[] = []
  const waiting = [target]
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (Array.isArray(node)) for (const one of node) waiting.push(one)
    if (!isNode(node)) continue
    if (node.type === 'Identifier') names.push(String(node.name))
    else waiting.push(node[INSIDE.get(node.type) ?? 'expression'])
  }
  return names
}

function isNode(value: unknown): value is Node {
  return isRecord(value) && typeof value.type === 'string'
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}
