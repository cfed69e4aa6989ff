// `mcp discover`: lists the tools of a server. Writes nothing.
import { AppError, type JsonObject } from '../../base/index.ts'
import { idProblem } from '../../item/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { finishUse } from '../definition/finish-use.ts'
import { askForTools, openServer } from './ask.ts'
import { asDescription, describeServer } from './describe-server.ts'
import { DESCRIPTION_FIELDS, projectPath, readDescription, seconds } from './fields.ts'
import { standIn } from './place-server.ts'

const DISCOVER_FIELDS = {
  server: {
    type: 'string',
    about: 'id of a signed server item, such as `mcp/servers/context7`',
    flag: { value: 'ID' },
  },
  ...DESCRIPTION_FIELDS,
  timeout: seconds,
  project_path: projectPath,
} as const satisfies Fields

export type McpDiscoverInput = CallInput<typeof DISCOVER_FIELDS>

export interface McpDiscoverAnswer {
  readonly transport: 'stdio' | 'http'
  /** What the server says about itself. */
  readonly server: JsonObject | null
  readonly tools: readonly {
    readonly name: string
    readonly description: string
    readonly input_schema: JsonObject
  }[]
  readonly count: number
  readonly warning?: string
}

export const mcpDiscover = defineAction({
  name: 'mcp discover',
  description: 'List the tools of an MCP server, by its signed item, its address or its command.',
  effects: { readOnly: false, destructive: false, openWorld: true },
  fields: DISCOVER_FIELDS,
  run: async (context, input): Promise<McpDiscoverAnswer> => {
    const workspace = await context.library.open(input.project_path)
    const { server: id } = input
    const describedHere = () => describe(readDescription(input, standIn(workspace.projectPath, context)))
    const asked = id === undefined ? describedHere() : await openServer(workspace, checkedId(id))
    const { transport, server, tools } = await askForTools(context, workspace, asked, input.timeout)
    return {
      transport,
      server,
      tools: tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        input_schema: inputSchema,
      })),
      count: tools.length,
      ...(await finishUse(workspace)),
    }
  },
})

function describe(input: Parameters<typeof describeServer>[0]) {
  const described = describeServer(input)
  const { needsSignature } = described
  if (needsSignature === undefined) return asDescription(input.command ?? input.url!, described)
  throw new AppError('POLICY_DENIED', needsSignature, {
    hint: {
      agent: 'add it with `rye/mcp/manager`, and sign its item',
      person: 'add it with `rye mcp add NAME -- COMMAND`, which signs its item',
    },
  })
}

function checkedId(id: string): string {
  const problem = idProblem(id)
  if (problem !== undefined) throw new AppError('INVALID_INPUT', `\`server\`: ${problem}`)
  return id
}
