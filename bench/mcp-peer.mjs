// A real MCP client connected to the built server, to measure what an agent experiences.
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

export const PROGRAM = fileURLToPath(new URL('../dist/rye.cjs', import.meta.url))

/** Connects to `rye mcp` in a project. `close` ends the server. */
export async function connect({ project, userSpace, environment = {} }) {
  const client = new Client({ name: 'bench', version: '1.0.0' })
  const env = { PATH: process.env.PATH, USER_SPACE: userSpace, HOME: userSpace, ...environment }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp'],
    cwd: project,
    env,
    stderr: 'ignore',
  })
  await client.connect(transport)
  return {
    pid: transport.pid,
    async call(name, input) {
      const result = await client.callTool({ name, arguments: input }, { timeout: 120_000 })
      if (result.isError) throw new Error(result.content[0].text)
      return result.structuredContent
    },
    ping: () => client.ping(),
    close: () => client.close(),
  }
}
