// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of server items
// Input fields of the actions on MCP servers.
import { AppError } from '../../base/index.ts'
import type { Fields } from '../definition/field-spec.ts'
import { projectPath } from '../definition/shared-fields.ts'
import type { ServerInput } from './describe-server.ts'
import { placeFolder, placeServer, type Standing } from './place-server.ts'

export const serverName = {
  type: 'string',
  about: 'short name of the server; its items are `mcp/servers/NAME` and `mcp/NAME/TOOL`',
  flag: { position: 'first', value: 'NAME' },
} as const

/** A user of a shared server. */
export const grantName = {
  type: 'string',
  about: 'who it is for: letters, digits, `.`, `_`, `@` and `-`',
  required: true,
  flag: { position: 'first', value: 'NAME' },
} as const

export const tokensFile = {
  type: 'string',
  about: 'the file of tokens that the server is started with',
  required: true,
  flag: { value: 'FILE' },
} as const

export const seconds = {
  type: 'number',
  about: 'seconds to wait for the server',
  minimum: 0.1,
  maximum: 120,
  default: 120,
  flag: { value: 'S' },
} as const

/** How a server is described: by an address or a command. */
export const DESCRIPTION_FIELDS = {
  url: { type: 'string', about: 'address of a streamable HTTP server', flag: { value: 'URL' } },
  headers: {
    type: 'object',
    about: 'sent with each request; write secrets as `${NAME}`',
    flag: { name: 'header', form: 'pairs', value: 'NAME=VALUE' },
  },
  command: { type: 'string', about: 'program of a stdio server', flag: { hidden: true } },
  args: { type: 'strings', about: 'its arguments', flag: { hidden: true } },
  env: {
    type: 'object',
    about: 'variables of a stdio server; write secrets as `${NAME}`',
    flag: { form: 'pairs', value: 'NAME=VALUE' },
  },
  cwd: {
    type: 'string',
    about: 'folder where a stdio server starts, such as `.`; `/` unless told',
    forPeople: true,
    flag: { value: 'DIR' },
  },
  command_line: {
    type: 'strings',
    about: 'after `--`: program of a stdio server and its arguments',
    forPeople: true,
    flag: { position: 'rest', value: 'COMMAND' },
  },
} as const satisfies Fields

export { projectPath }

interface DescriptionInput extends ServerInput {
  readonly command_line?: readonly string[]
}

/**
 * Returns the description in the form of an item. The first word of a command line is the command; the others
 * are its arguments.
 */
export function readDescription(description: DescriptionInput, standing: Standing): ServerInput {
  const { command_line: words, cwd, ...input } = description
  const [command, ...args] = words ?? []
  const line = words === undefined ? {} : { ...(command !== undefined && { command }), args }
  return placeServer(
    { ...input, ...line, ...(cwd !== undefined && { cwd: placeFolder(cwd, standing) }) },
    standing,
  )
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

export function checkServerName(name: string | undefined): string {
  if (name === undefined)
    throw new AppError('INVALID_INPUT', '`name` is required: the short name of a server', {
      hint: 'choose one, as in `rye mcp add NAME -- npx -y PACKAGE`',
    })
  if (name === 'servers') {
    throw new AppError('INVALID_INPUT', '`servers` is the folder of the servers: choose another name')
  }
  if (NAME.test(name)) return name
  throw new AppError('INVALID_INPUT', `expected a name of letters, digits, \`-\` and \`_\`, got \`${name}\``)
}
