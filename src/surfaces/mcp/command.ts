// `rye mcp` as a command. The server is loaded when it runs: completion and help only need the fields.
import type { InputOf } from '../../actions/index.ts'
import { MCP_FIELDS } from './fields.ts'
import type { McpSettings } from './settings.ts'

export function mcpCommand(settings: McpSettings) {
  return {
    fields: MCP_FIELDS,
    async run(input: InputOf<typeof MCP_FIELDS>): Promise<number> {
      const { runMcp } = await import('./run-mcp.ts')
      return runMcp(input, settings)
    },
  }
}
