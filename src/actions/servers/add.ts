// `mcp add`: turns an MCP server into items of the project. They are unsigned, so that nothing of them can
// run before somebody has read and signed them.
import { AppError, printHint } from '../../base/index.ts'
import { readFile } from '../../files/index.ts'
import type { Workspace } from '../../workspace/index.ts'
import type { ActionContext } from '../definition/action.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { resolvePath } from '../definition/resolve-path.ts'
import { askForTools } from './ask.ts'
import { readClientFile } from './client-file.ts'
import { asDescription, type DescribedServer, describeServer, type ServerInput } from './describe-server.ts'
import {
  checkServerName,
  DESCRIPTION_FIELDS,
  projectPath,
  readDescription,
  seconds,
  serverName,
} from './fields.ts'
import { ItemFiles } from './item-files.ts'
import { looksSecret } from './looks-secret.ts'
import { placeServer, standIn } from './place-server.ts'
import { printServer, printTools, serverId } from './server-items.ts'

const ADD_FIELDS = {
  name: serverName,
  ...DESCRIPTION_FIELDS,
  allow_private: {
    type: 'boolean',
    about:
      'write an item that allows plain http and private addresses; the server is not asked before it is signed',
    default: false,
  },
  network: {
    type: 'strings',
    about: 'hosts that a stdio server may reach; `*`, the public web, unless told',
    flag: { value: 'HOST' },
  },
  from: {
    type: 'string',
    about:
      'add the servers of this file: `.mcp.json`, `claude_desktop_config.json`, `.vscode/mcp.json`, `.codex/config.toml`; with NAME, that one',
    forPeople: true,
    flag: { value: 'FILE' },
  },
  timeout: seconds,
  project_path: projectPath,
} as const satisfies Fields

export type McpAddInput = CallInput<typeof ADD_FIELDS>

export type McpAddAnswer = AddedServer | AddedServers

export interface AddedServer {
  readonly server: string
  readonly tools: readonly string[]
  /** Items to read and sign. */
  readonly sign: readonly string[]
  readonly note: string
}

/** The answer for the servers of a file. */
export interface AddedServers {
  readonly servers: readonly (AddedServer & { readonly name: string })[]
  readonly failed: readonly { readonly name: string; readonly error: string }[]
  readonly skipped: readonly { readonly name: string; readonly reason: string }[]
  readonly sign: readonly string[]
}

const NOTE = 'names and descriptions come from the server: read them, then sign (item_type tool) and execute'

export const mcpAdd = defineAction({
  name: 'mcp add',
  description: 'Wrap an MCP server as items of the project: one for the server, one for each tool.',
  effects: { readOnly: false, destructive: false, openWorld: true },
  fields: ADD_FIELDS,
  exitStatus: (answer: McpAddAnswer) => ('failed' in answer && answer.failed.length > 0 ? 1 : 0),
  run: async (context, input): Promise<McpAddAnswer> => {
    const workspace = await context.library.open(input.project_path)
    if (input.from !== undefined) return addFile(context, workspace, input.from, input)
    const name = checkServerName(input.name)
    const described = describeServer(readDescription(input, standIn(workspace.projectPath, context)))
    const added = await addServer(context, workspace, { name, described, seconds: input.timeout })
    return { ...added, note: [...plainSecrets(input), added.note].join('; ') }
  },
})

/** Warns about secrets that the caller wrote out in full. */
function plainSecrets({ env = {}, headers = {} }: Pick<ServerInput, 'env' | 'headers'>): string[] {
  return Object.entries({ ...env, ...headers })
    .filter(([name, value]) => !String(value).includes('${') && looksSecret(name, String(value)))
    .map(
      ([name]) =>
        `\`${name}\` looks like a secret, and is in the item in plain text: write \`\${NAME}\` instead, and set NAME in the environment of rye or in the project's .env`,
    )
}

export interface NewServer {
  readonly name: string
  readonly described: DescribedServer
  readonly seconds: number
}

/** Asks the server first, so that nothing is written for one that does not answer. */
export async function addServer(
  context: ActionContext,
  workspace: Workspace,
  { name, described, seconds: timeout }: NewServer,
): Promise<AddedServer> {
  const files = new ItemFiles(workspace.projectPath)
  const server = serverId(name)
  if (files.has(server)) {
    throw new AppError('ITEM_EXISTS', `server \`${name}\` is here already: refresh it, or remove it first`)
  }
  const { needsSignature } = described
  // Asking may take a while: a package manager may have to fetch the server.
  if (needsSignature === undefined)
    context.onProgress({ message: `asking \`${server}\` for its tools`, done: 0, waits: true })
  const found =
    needsSignature === undefined
      ? await askForTools(context, workspace, asDescription(server, described), timeout)
      : undefined
  // All items are printed before anything is written.
  const items = found ? printTools(name, found.transport, found.tools) : new Map<string, string>()
  files.writeAll(new Map([[server, printServer(name, described)], ...items]))
  if (found === undefined) {
    return { server, tools: [], sign: [server], note: `${needsSignature}: sign it, then refresh \`${name}\`` }
  }
  return { server, tools: [...items.keys()].sort(), sign: [server, `mcp/${name}/*`], note: NOTE }
}

const MOST_BYTES = 1_000_000

/**
 * Adds the servers of the file one by one: one that does not answer doesn't keep the others from being added.
 */
async function addFile(
  context: ActionContext,
  workspace: Workspace,
  path: string,
  input: { readonly name?: string; readonly network?: readonly string[]; readonly timeout: number },
): Promise<AddedServers> {
  const file = readFile(resolvePath(context, path), { maxBytes: MOST_BYTES })
  if (file === undefined) throw new AppError('FILE_UNREADABLE', `\`${path}\` does not exist`)
  const listed = await readClientFile(file.bytes.toString('utf8'), path)
  const wanted = listed.servers.filter(({ name }) => input.name === undefined || name === input.name)
  if (wanted.length === 0 && input.name !== undefined) {
    const names = listed.servers.map(({ name }) => name).join(', ')
    throw new AppError(
      'INVALID_INPUT',
      `\`${path}\` has no server \`${input.name}\`: it has ${names || 'none'}`,
    )
  }
  const servers: (AddedServer & { name: string })[] = []
  const failed: { name: string; error: string }[] = []
  for (const [at, { name, input: described, notes }] of wanted.entries()) {
    context.onProgress({ message: `asking ${name} for its tools`, done: at, total: wanted.length })
    try {
      const network = input.network && { network: input.network }
      const added = await addServer(context, workspace, {
        name: checkServerName(name),
        described: describeServer(
          placeServer({ ...described, ...network }, { projectPath: workspace.projectPath }),
        ),
        seconds: input.timeout,
      })
      servers.push({ name, ...added, note: [...notes, added.note].join('; ') })
    } catch (thrown) {
      if (!(thrown instanceof AppError) || context.signal.aborted) throw thrown
      const { message } = thrown
      const hint = printHint(thrown.hint ?? '', context.caller)
      failed.push({ name, error: message.includes(hint) ? message : `${message}; ${hint}` })
    }
  }
  const skipped = input.name === undefined ? listed.skipped : []
  return { servers, failed, skipped, sign: servers.flatMap(({ sign }) => sign) }
}
