// Untyped nodes of a program, for walks that look at all of them.
import { isRecord } from '../../base/index.ts'

export interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

export function isNode(value: unknown): value is Node {
  return isRecord(value) && typeof value.type === 'string'
}

export function nodesIn(list: unknown): Node[] {
  return Array.isArray(list) ? list.filter(isNode) : []
}

/** The name of a member as written: `b` in `a.b` and `a['b']`, but also in `a[b]`. */
export function memberOf({ property }: Node): string | undefined {
  return isNode(property) ? String(property.name ?? property.value) : undefined
}

export function isFunction({ type }: Node): boolean {
  return FUNCTIONS.has(type)
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ObjectMethod',
  'ClassMethod',
  'ClassPrivateMethod',
])
