// `mcp list`: lists the servers of the project, with the tools that were written for each.
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { projectPath, serverName } from './fields.ts'
import { ItemFiles } from './item-files.ts'

const LIST_FIELDS = { name: serverName, project_path: projectPath } as const satisfies Fields

export type McpListInput = CallInput<typeof LIST_FIELDS>

export interface McpListAnswer {
  readonly servers: readonly {
    readonly name: string
    readonly server: string
    readonly tools: readonly string[]
  }[]
}

export const mcpList = defineAction({
  name: 'mcp list',
  description: 'List the MCP servers of the project and their tools.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: LIST_FIELDS,
  run: async (context, input): Promise<McpListAnswer> => {
    const { projectPath: project } = await context.library.open(input.project_path)
    const files = new ItemFiles(project)
    const servers = files
      .ids('mcp/servers')
      .map(server => ({ name: server.slice(server.lastIndexOf('/') + 1), server }))
      .filter(({ name }) => input.name === undefined || input.name === name)
    return { servers: servers.map(found => ({ ...found, tools: files.ids(`mcp/${found.name}`) })) }
  },
})
