// A server that answers with something that is no answer is not waited for.
import { PassThrough } from 'node:stream'
import { Client, isJSONRPCResponse } from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'
import { StdioTransport } from '../../../../src/execute/primitives/mcp/mcp-stdio.ts'

/** A connected client of a server that answers each call of a tool with `answer`. */
async function connect(answer: object): Promise<Client> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const reply = (id: unknown, rest: object) =>
    stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...rest })}\n`)
  stdin.on('data', chunk => {
    for (const line of String(chunk).trim().split('\n')) {
      const { id, method, params } = JSON.parse(line)
      if (method === 'tools/call') reply(id, answer)
      if (method !== 'initialize') continue
      const { protocolVersion } = params
      reply(id, {
        result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
      })
    }
  })
  const child = {
    stdin,
    stdout,
    stderr: new PassThrough(),
    exited: new Promise(() => {}),
    end: async () => {},
  }
  // As much of a process as is used.
  const started = { child, takeRefused: () => [] } as never
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StdioTransport(async () => started, isJSONRPCResponse))
  return client
}

const call = async (answer: object) => (await connect(answer)).callTool({ name: 't', arguments: {} })

it.each([
  { result: null },
  { result: 'done' },
  {},
  { error: null },
  { error: 'broken' },
  { result: { content: [] }, error: null },
])('%j in answer to a call is an error at once', async answer => {
  await expect(call(answer)).rejects.toMatchObject({
    name: 'ProtocolError',
    message: expect.stringContaining('its answer has neither a result nor an error'),
  })
})

it('answers and errors as the protocol has them arrive as they are', async () => {
  expect(await call({ result: { content: [], more: 1 } })).toMatchObject({ content: [], more: 1 })
  await expect(call({ error: { code: -32_000, message: 'no such thing' } })).rejects.toMatchObject({
    code: -32_000,
    message: expect.stringContaining('no such thing'),
  })
})
