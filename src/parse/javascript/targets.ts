// The names in a target that is assigned to, declared or changed: the `a` of `a`, `a.b[0]`, `{b: a}`, `[a]`,
// `var a`, `a!`. A CommonJS export is named `exports.a`.
import { exportedMember } from './exports.ts'
import { isNode } from './node.ts'

export interface Target {
  readonly name: string
  /** Set is not the name itself but something inside its value: `a.b = 1`. */
  readonly isPart: boolean
}

/** The field that holds the names, by type of target. */
const INSIDE: ReadonlyMap<string, string> = new Map([
  ['MemberExpression', 'object'],
  ['OptionalMemberExpression', 'object'],
  ['VariableDeclaration', 'declarations'],
  ['VariableDeclarator', 'id'],
  ['ObjectPattern', 'properties'],
  ['ObjectProperty', 'value'],
  ['ArrayPattern', 'elements'],
  ['AssignmentPattern', 'left'],
  ['RestElement', 'argument'],
])

export function targetsIn(target: unknown): Target[] {
  const found: Target[] = []
  const waiting = [{ node: target, isPart: false }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node } = next
    if (Array.isArray(node)) for (const one of node) waiting.push({ node: one, isPart: next.isPart })
    if (!isNode(node)) continue
    const isPart = next.isPart || node.type.endsWith('MemberExpression')
    const exported = exportedMember(node)
    if (exported !== undefined) found.push({ name: `exports.${exported}`, isPart: next.isPart })
    else if (node.type === 'Identifier') found.push({ name: String(node.name), isPart })
    else waiting.push({ node: node[INSIDE.get(node.type) ?? 'expression'], isPart })
  }
  return found
}

export function namesIn(target: unknown): string[] {
  return targetsIn(target).map(({ name }) => name)
}
