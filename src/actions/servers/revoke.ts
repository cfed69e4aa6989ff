// `mcp revoke`: ends a token that was granted, from the next call on.
import { AppError, nearest, quoteText } from '../../base/index.ts'
import { changeAccessTokens, readAccessTokens } from '../../user/access/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { resolvePath } from '../definition/resolve-path.ts'
import { grantName, tokensFile } from './fields.ts'

const REVOKE_FIELDS = { name: grantName, tokens: tokensFile } as const satisfies Fields

export type McpRevokeInput = CallInput<typeof REVOKE_FIELDS>

export interface McpRevokeAnswer {
  readonly revoked: string
  readonly file: string
}

export const mcpRevoke = defineAction({
  name: 'mcp revoke',
  description: 'End the token of a user of a shared server.',
  effects: { readOnly: false, destructive: true, openWorld: false },
  forPeople: true,
  fields: REVOKE_FIELDS,
  run: async (context, { name, tokens: path }): Promise<McpRevokeAnswer> => {
    const file = resolvePath(context, path)
    // Throws if the file does not exist; `changeAccessTokens` would take it as empty.
    await readAccessTokens(file)
    await changeAccessTokens(file, tokens => {
      const others = tokens.filter(({ user }) => user !== name)
      if (others.length < tokens.length) return others
      const close = nearest(
        name,
        tokens.map(({ user }) => user),
      )[0]
      throw new AppError('ITEM_NOT_FOUND', `no token for ${quoteText(name)} in \`${file}\``, {
        ...(close !== undefined && { hint: `did you mean \`${close}\`?` }),
      })
    })
    return { revoked: name, file }
  },
})
