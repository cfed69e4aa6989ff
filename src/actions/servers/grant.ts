// `mcp grant`: makes a token for one user of a shared server. It is shown once, and only its digest is kept.
import { AppError, quoteText } from '../../base/index.ts'
import { SPACES } from '../../item/index.ts'
import {
  type AccessToken,
  changeAccessTokens,
  digestToken,
  isDate,
  isTokenName,
  makeToken,
  PERMISSIONS,
  TOKEN_BOUNDS,
  TOKEN_DEFAULTS,
} from '../../user/access/index.ts'
import { checkProject } from '../../workspace/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { resolvePath } from '../definition/resolve-path.ts'
import { grantName, tokensFile } from './fields.ts'

const GRANT_FIELDS = {
  name: grantName,
  tokens: tokensFile,
  projects: {
    type: 'strings',
    about: 'a project of this user, or a folder with projects in it',
    required: true,
    flag: { name: 'in', form: 'list', value: 'DIR' },
  },
  spaces: {
    type: 'strings',
    about: `whose items the user sees: ${SPACES.join(', ')}; those of the package in any case`,
    default: [...TOKEN_DEFAULTS.spaces],
    flag: { name: 'space', form: 'list', value: 'SPACE' },
  },
  permissions: {
    type: 'strings',
    about: `what the user may do: ${PERMISSIONS.join(', ')}`,
    default: [...TOKEN_DEFAULTS.permissions],
    flag: { name: 'permission', form: 'list', value: 'WORD' },
  },
  rate: {
    type: 'integer',
    about: 'calls a minute, of each server',
    default: TOKEN_DEFAULTS.rate,
    ...TOKEN_BOUNDS.rate,
    flag: { value: 'N' },
  },
  concurrency: {
    type: 'integer',
    about: 'calls at once, of each server',
    default: TOKEN_DEFAULTS.concurrency,
    ...TOKEN_BOUNDS.concurrency,
    flag: { value: 'N' },
  },
  queue: {
    type: 'integer',
    about: 'calls that may wait for one of those to end',
    default: TOKEN_DEFAULTS.queue,
    ...TOKEN_BOUNDS.queue,
    flag: { value: 'N' },
  },
  until: { type: 'string', about: 'the last day on which the token counts', flag: { value: 'DATE' } },
} as const satisfies Fields

export type McpGrantInput = CallInput<typeof GRANT_FIELDS>

/** What a token allows, as shown in answers. */
export interface Granted extends Omit<AccessToken, 'user' | 'sha256'> {
  readonly name: string
}

export interface McpGrantAnswer extends Granted {
  /** Shown only in this answer and stored nowhere. */
  readonly token: string
  readonly file: string
}

export const mcpGrant = defineAction({
  name: 'mcp grant',
  description: 'Make a token for one user of a server that several share.',
  effects: { readOnly: false, destructive: false, openWorld: false },
  forPeople: true,
  fields: GRANT_FIELDS,
  run: async (context, input): Promise<McpGrantAnswer> => {
    const { name, rate, concurrency, queue, until } = input
    if (!isTokenName(name)) {
      throw new AppError(
        'INVALID_INPUT',
        `expected a name of letters, digits, \`.\`, \`_\`, \`@\` and \`-\`, got ${quoteText(name)}`,
      )
    }
    if (until !== undefined && !isDate(until)) {
      throw new AppError(
        'INVALID_INPUT',
        `\`until\`: expected a date such as 2027-01-31, got ${quoteText(until)}`,
      )
    }
    const file = resolvePath(context, input.tokens)
    const token = makeToken()
    const grant = {
      projects: input.projects.map(path => checkProject(resolvePath(context, path))),
      spaces: wordsOf('spaces', input.spaces, SPACES),
      permissions: wordsOf('permissions', input.permissions, PERMISSIONS),
      ...{ rate, concurrency, queue },
      ...(until !== undefined && { until }),
    }
    if (grant.projects.includes('/')) {
      throw new AppError('INVALID_INPUT', '`projects`: expected folders with projects in them, got `/`')
    }
    await changeAccessTokens(file, tokens => {
      if (!tokens.some(({ user }) => user === name)) {
        return [...tokens, { user: name, sha256: digestToken(token), ...grant }]
      }
      throw new AppError('ITEM_EXISTS', `there is a token for \`${name}\` in \`${file}\` already`, {
        hint: `end it first: rye mcp revoke ${name} --tokens FILE`,
      })
    })
    return { name, token, file, ...grant }
  },
})

function wordsOf<Word extends string>(
  field: string,
  given: readonly string[],
  known: readonly Word[],
): readonly Word[] {
  const unknown = given.find(word => !(known as readonly string[]).includes(word))
  if (unknown !== undefined) {
    throw new AppError(
      'INVALID_INPUT',
      `\`${field}\`: expected one of ${known.join(', ')}, got ${quoteText(unknown)}`,
    )
  }
  return known.filter(word => given.includes(word))
}
