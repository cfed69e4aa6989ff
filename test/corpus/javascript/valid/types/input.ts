import type { Schema } from './schema.ts'
type Kind = 'a' | 'b'
interface Config { timeout: number }

export const __version__: string = "1.0.0"
export const __tool_type__ = 'javascript' as const
export const CONFIG_SCHEMA: Record<string, Array<{ a: number }> | unknown> = {
  type: 'object',
  properties: { kind: { enum: ['a', 'b'] as const } },
} satisfies Schema
export const CONFIG = (<Config>{ timeout: 60 })!
export const LIST: readonly [first: string, ...rest: number[]] = ['a', 1] as const
export type { Kind }

export async function execute(params: { a?: string }, projectPath: string): Promise<unknown> {
  return { a: params.a! }
}
