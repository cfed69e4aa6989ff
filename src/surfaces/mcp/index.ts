export { MCP_FLAGS } from './flags.ts'
export { runMcp } from './run-mcp.ts'
