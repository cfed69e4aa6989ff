// Names for the parser's types of the nodes that we use.
import type { parse } from '@babel/parser'
import type { Span } from './without-spans.ts'

type File = ReturnType<typeof parse>

export type Program = File['program']
export type Comment = NonNullable<File['comments']>[number]
export type Statement = Program['body'][number]
export type Expression = Extract<Statement, { type: 'ExpressionStatement' }>['expression']
export type VariableDeclarator = Extract<Statement, { type: 'VariableDeclaration' }>['declarations'][number]
export type FunctionDeclaration = Extract<Statement, { type: 'FunctionDeclaration' }>
export type ObjectExpression = Extract<Expression, { type: 'ObjectExpression' }>
export type ObjectMember = ObjectExpression['properties'][number]

/** Positions are optional only in the types: every parsed node has them. */
export function startOf(node: { readonly start?: number | null }): number {
  return node.start ?? 0
}

export function spanOf(node: { readonly start?: number | null; readonly end?: number | null }): Span {
  return { start: node.start ?? 0, end: node.end ?? 0 }
}
