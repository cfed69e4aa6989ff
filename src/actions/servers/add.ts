// `mcp add`: an MCP server becomes items of the project. They are unsigned: nothing of them can run before somebody has read and signed
// them.
import { AppError } from '../../base/index.ts'
import type { Workspace } from '../../workspace/index.ts'
import type { ActionContext } from '../definition/action.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { askForTools } from './ask.ts'
import { asDescription, type DescribedServer, describeServer } from './describe-server.ts'
import {
  checkServerName,
  DESCRIPTION_FIELDS,
  projectPath,
  seconds,
  serverName,
  withCommand,
} from './fields.ts'
import { ItemFiles } from './item-files.ts'
import { printServer, printTools, serverId } from './server-items.ts'

const ADD_FIELDS = {
  name: { ...serverName, required: true },
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
  timeout: seconds,
  project_path: projectPath,
} as const satisfies Fields

export type McpAddInput = CallInput<typeof ADD_FIELDS>

export interface McpAddAnswer {
  readonly server: string
  readonly tools: readonly string[]
  /** What has to be read and signed. */
  readonly sign: readonly string[]
  readonly note: string
}

const NOTE = 'names and descriptions come from the server: read them, then sign (item_type tool) and execute'

export const mcpAdd = defineAction({
  name: 'mcp add',
  description: 'Wrap an MCP server as items of the project: one for the server, one for each tool.',
  effects: { readOnly: false, destructive: false, openWorld: true },
  fields: ADD_FIELDS,
  run: async (context, input): Promise<McpAddAnswer> => {
    const workspace = await context.library.open(input.project_path)
    const name = checkServerName(input.name)
    return addServer(context, workspace, {
      name,
      described: describeServer(withCommand(input)),
      seconds: input.timeout,
    })
  },
})

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
): Promise<McpAddAnswer> {
  const files = new ItemFiles(workspace.projectPath)
  const server = serverId(name)
  if (files.has(server)) {
    throw new AppError('ITEM_EXISTS', `server \`${name}\` is here already: refresh it, or remove it first`)
  }
  const { needsSignature } = described
  const found =
    needsSignature === undefined
      ? await askForTools(context, workspace, asDescription(server, described), timeout)
      : undefined
  files.write(server, printServer(name, described))
  if (found === undefined) {
    return { server, tools: [], sign: [server], note: `${needsSignature}: sign it, then refresh \`${name}\`` }
  }
  const items = printTools(name, found.transport, found.tools)
  for (const [id, text] of items) files.write(id, text)
  return { server, tools: [...items.keys()].sort(), sign: [server, `mcp/${name}/*`], note: NOTE }
}
