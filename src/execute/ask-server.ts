// Asks an MCP server which tools it has, over a separate connection, with the isolation and the hosts that
// calls to the server get.
import type { McpServer } from '../plan/index.ts'
import { listTools, type ServerTools } from './primitives/mcp/list-tools.ts'
import type { McpContext } from './primitives/mcp/mcp-connect.ts'
import type { Bounds } from './process/deadline.ts'
import type { Runner } from './runner.ts'

/** Throws an `AppError` for whatever the server does instead of answering. */
export function askServer(
  runner: Runner,
  server: McpServer,
  context: McpContext,
  bounds: Bounds,
): Promise<ServerTools> {
  return runner.parts.mcp.useOnce(server, context, bounds, (client, options) =>
    listTools(client, { ...options, serverId: server.id }),
  )
}
