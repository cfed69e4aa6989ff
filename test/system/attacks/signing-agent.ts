// An agent that signs through MCP, and a person behind its client who may be asked.
import { Client, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'
import { type Place, PROGRAM } from '../run-rye.ts'

export interface AgentOptions {
  readonly era?: ClientOptions['versionNegotiation']
  /** Without it, the client has no way to ask a person. */
  readonly answer?: ((question: string) => object) | undefined
}

/** Gives what signs an item by its id or a pattern. */
export async function connectAgent({ project, environment }: Place, { era, answer }: AgentOptions = {}) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp', '--project', project],
    cwd: project,
    env: environment,
    stderr: 'ignore',
  })
  const client = new Client(
    { name: 'test', version: '1' },
    {
      ...(era && { versionNegotiation: era }),
      ...(answer && { capabilities: { elicitation: { form: {} } } }),
    },
  )
  if (answer)
    client.setRequestHandler(
      'elicitation/create',
      ({ params }) => answer(params.message) as { action: 'accept' },
    )
  await client.connect(transport)
  onTestFinished(() => client.close())
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the members that it reads
  return async (item: string, input: object = {}): Promise<any> => {
    const { content } = await client.callTool({ name: 'sign', arguments: { item_id: item, ...input } })
    return JSON.parse((content as { text: string }[])[0]!.text)
  }
}
