// `mcp grants`: who may use a shared server. No token can be shown: only digests are kept.
import type { Space } from '../../item/index.ts'
import { type Permission, readAccessTokens } from '../../user/access/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { resolvePath } from '../definition/resolve-path.ts'
import { tokensFile } from './fields.ts'

const GRANTS_FIELDS = { tokens: tokensFile } as const satisfies Fields

export type McpGrantsInput = CallInput<typeof GRANTS_FIELDS>

export interface McpGrantsAnswer {
  readonly file: string
  readonly grants: readonly {
    readonly name: string
    readonly projects: readonly string[]
    readonly spaces: readonly Space[]
    readonly permissions: readonly Permission[]
    readonly rate: number
    readonly concurrency: number
    readonly queue: number
    readonly until?: string
    readonly expired?: true
  }[]
}

export const mcpGrants = defineAction({
  name: 'mcp grants',
  description: 'List who may use a shared server, and for what.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  forPeople: true,
  fields: GRANTS_FIELDS,
  run: async (context, input): Promise<McpGrantsAnswer> => {
    const file = resolvePath(context, input.tokens)
    const today = context.library.now().toISOString().slice(0, 10)
    const tokens = await readAccessTokens(file)
    return {
      file,
      grants: tokens.map(({ user, sha256: _, ...grant }) => ({
        name: user,
        ...grant,
        ...(grant.until !== undefined && grant.until < today && { expired: true as const }),
      })),
    }
  },
})
