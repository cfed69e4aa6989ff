// `mcp remove`: deletes the items of a server.
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { checkServerName, projectPath, serverName } from './fields.ts'
import { ItemFiles } from './item-files.ts'
import { missingServer } from './missing-server.ts'
import { serverId } from './server-items.ts'

const REMOVE_FIELDS = {
  name: { ...serverName, required: true },
  project_path: projectPath,
} as const satisfies Fields

export type McpRemoveInput = CallInput<typeof REMOVE_FIELDS>

export interface McpRemoveAnswer {
  readonly removed: readonly string[]
}

export const mcpRemove = defineAction({
  name: 'mcp remove',
  description: 'Delete the items of an MCP server.',
  effects: { readOnly: false, destructive: true, openWorld: false },
  fields: REMOVE_FIELDS,
  run: async (context, input): Promise<McpRemoveAnswer> => {
    const { projectPath: project } = await context.library.open(input.project_path)
    const name = checkServerName(input.name)
    const files = new ItemFiles(project)
    const removed = [...files.ids(`mcp/${name}`), serverId(name)].filter(id => files.remove(id))
    if (removed.length > 0) return { removed }
    throw missingServer(files, name)
  },
})
