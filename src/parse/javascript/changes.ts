// Finds the names of a module whose values change after they were set: they are assigned again, in whole or
// in part, or passed to a function or method known to change them.
import { addSources } from '../changed-names.ts'
import { executedIn, type Source } from './executed.ts'
import { exportedMember } from './exports.ts'
import { isNode, memberOf, type Node } from './node.ts'
import { nameIn } from './scopes.ts'
import type { Program, Statement } from './syntax-tree.ts'
import { namesIn, type Target, targetsIn } from './targets.ts'

/** Methods that change a list and do nothing else. */
export const CHANGING_METHODS: ReadonlySet<string> = new Set(
  'push pop shift unshift splice sort reverse fill copyWithin'.split(' '),
)
/** Functions of `Object` and `Reflect` that change their first argument. */
const CHANGING_FUNCTIONS: ReadonlySet<string> = new Set(
  'assign defineProperty defineProperties setPrototypeOf set deleteProperty'.split(' '),
)

/** Setting members of these is not a change: that is how CommonJS exports. */
const EXPORTS = ['exports', 'module']

/** A value that changes may change what it is made of, so the names in it count too. */
export function findChanged(program: Program): Set<string> {
  const changed = new Set<string>()
  /** Names that get another value. The old value stays as it was, so the names in it do not count. */
  const setAgain = new Set<string>()
  const sources = new Map<string, Source[]>()
  for (const statement of program.body) {
    const top = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    for (const { node, scope, given } of executedIn(statement)) {
      for (const { name, isPart } of changedBy(node, top)) {
        if (isPart) changed.add(nameIn(scope, name))
        else if (!isLastExport(name, statement)) setAgain.add(nameIn(scope, name))
      }
      const [target, value] = setBy(node)
      if (target === undefined) continue
      const source = given ?? { value, scope }
      for (const name of namesIn(target).map(name => nameIn(scope, name))) {
        const known = sources.get(name) ?? []
        if (known.length > 0 && node.type === 'VariableDeclarator') setAgain.add(name)
        known.push(source)
        sources.set(name, known)
      }
    }
  }
  for (const name of EXPORTS) changed.delete(name)
  addSources(changed, sources, values => values.flatMap(usedIn))
  return new Set([...changed, ...setAgain])
}

/** At the top level, the last assignment is what is exported. In a block, it may or may not run. */
function isLastExport(name: string, { type }: Statement): boolean {
  return name.startsWith('exports.') && type === 'ExpressionStatement'
}

/** All names that occur in an expression. */
function usedIn({ value, scope }: Source): string[] {
  return [...executedIn(value, scope)].flatMap(({ node, scope }) =>
    node.type === 'Identifier' || exportedMember(node) !== undefined
      ? namesIn(node).map(name => nameIn(scope, name))
      : [],
  )
}

/** What a node assigns to, or is known to change. */
function changedBy(node: Node, top: unknown): Target[] {
  switch (node.type) {
    case 'AssignmentExpression':
    case 'ForInStatement':
    case 'ForOfStatement':
      return isNode(node.left) && node.left.type === 'VariableDeclaration' ? [] : targetsIn(node.left)
    case 'UpdateExpression':
      return targetsIn(node.argument)
    case 'UnaryExpression':
      return node.operator === 'delete' ? targetsIn(node.argument) : []
    case 'VariableDeclaration':
      // A `var` in a block belongs to the module, and may or may not be set.
      return node.kind === 'var' && node !== top ? targetsIn(node) : []
    case 'CallExpression':
    case 'OptionalCallExpression':
      return namesIn(changedByCall(node)).map(name => ({ name, isPart: true }))
    default:
      return []
  }
}

function changedByCall({ callee, arguments: given }: Node): unknown {
  const method = isNode(callee) ? memberOf(callee) : undefined
  if (!isNode(callee) || !isNode(callee.object) || method === undefined) return undefined
  const { object } = callee
  if (object.name !== 'Object' && object.name !== 'Reflect') {
    return CHANGING_METHODS.has(method) ? object : undefined
  }
  return CHANGING_FUNCTIONS.has(method) && Array.isArray(given) ? given[0] : undefined
}

/** What a node sets, and to what. */
function setBy(node: Node): [target: unknown, value: unknown] {
  switch (node.type) {
    case 'VariableDeclarator':
      return [node.id, node.init]
    case 'AssignmentExpression':
    case 'AssignmentPattern':
    case 'ForOfStatement':
      return [node.left, node.right]
    default:
      return [node.params, undefined]
  }
}
