// Nodes of a syntax tree, as far as stripping types looks at them. There are many kinds, so a walk relies on
// `type`, `start` and `end` alone.
import { isRecord } from '../../base/index.ts'

export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

export const TYPE_STATEMENTS = new Set([
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'TSDeclareFunction',
  'TSNamespaceExportDeclaration',
])

export const PROPERTIES = new Set(['ClassProperty', 'ClassPrivateProperty', 'ClassAccessorProperty'])

export function isNode(value: unknown): value is Node {
  return isRecord(value) && typeof value.type === 'string' && typeof value.start === 'number'
}

export function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode)
}
