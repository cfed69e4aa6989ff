// The same through a real MCP client: what an agent sees, and what it gets.
import { isRecord } from '../../../base/index.ts'
import { chapter, type Guide, recordCheck } from './step.ts'

export async function meetAgent(
  guide: Guide,
  program: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  chapter(
    guide,
    '6. The same for an agent',
    'A real MCP client connects to `rye mcp`. It sees four tools, whatever the library holds.',
  )
  const [{ Client }, { StdioClientTransport }] = await Promise.all([
    import('@modelcontextprotocol/client'),
    import('@modelcontextprotocol/client/stdio'),
  ])
  const client = new Client({ name: 'tour', version: '1.0.0' })
  const env = Object.fromEntries(
    Object.entries(environment).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp'],
      cwd: guide.project,
      env,
      stderr: 'ignore',
    }),
  )
  try {
    const list = await client.listTools()
    const names = list.tools.map(tool => tool.name).join(', ')
    say(guide, 'tools/list', `${names} (${JSON.stringify(list).length} bytes)`)
    recordCheck(guide, 'tools/list', names === 'search, load, execute, sign')

    const found = await call('search', { query: 'how do I undo a bad release?' })
    const first: unknown = Array.isArray(found.results) ? found.results[0] : undefined
    say(guide, 'search', isRecord(first) ? `${first.type}:${first.id}, score ${first.score}` : 'nothing')
    recordCheck(guide, 'search through MCP', isRecord(first) && first.id === 'ops/rollback')

    const ran = await call('execute', { item_id: 'ops/add', parameters: { who: 'agent' } })
    say(guide, 'execute', JSON.stringify(ran.data))
    recordCheck(guide, 'execute through MCP', ran.status === 'success')

    const missing = await call('load', { item_id: 'ops/rolback' })
    say(guide, 'load', `${missing.error}; ${missing.hint}`)
    recordCheck(guide, 'a mistyped id through MCP', missing.code === 'ITEM_NOT_FOUND')
  } finally {
    await client.close()
  }

  async function call(name: string, input: Record<string, unknown>): Promise<Record<string, unknown>> {
    const result = await client.callTool({ name, arguments: input })
    return isRecord(result.structuredContent) ? result.structuredContent : {}
  }
}

function say({ terminal }: Guide, name: string, text: string): void {
  terminal.print(`\n  ${terminal.style.cyan(`→ ${name}`)}\n    ${text}`)
}
