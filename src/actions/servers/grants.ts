// `mcp grants`: lists who may use a shared server. It cannot show tokens, because only their digests are
// kept.
import { readAccessTokens } from '../../user/access/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { resolvePath } from '../definition/resolve-path.ts'
import { tokensFile } from './fields.ts'
import type { Granted } from './grant.ts'

const GRANTS_FIELDS = { tokens: tokensFile } as const satisfies Fields

export type McpGrantsInput = CallInput<typeof GRANTS_FIELDS>

export interface McpGrantsAnswer {
  readonly file: string
  readonly grants: readonly (Granted & { readonly expired?: true })[]
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
