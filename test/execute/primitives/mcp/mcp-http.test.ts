// A remote server that sends what is no message of the protocol is not waited for.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { openClient } from '../../../../src/execute/primitives/mcp/mcp-connect.ts'

type Form = 'application/json' | 'text/event-stream'

/** A server that answers each call of a tool with `answer`. Returns its address. */
async function serve(form: Form, answer: (id: unknown) => string): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (request.method !== 'POST') return response.writeHead(405).end()
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString())
    if (id === undefined) return response.writeHead(202).end()
    const reply = (text: string) =>
      response
        .writeHead(200, { 'content-type': form })
        .end(form === 'application/json' ? text : `data: ${text}\n\n`)
    if (method === 'tools/call') return reply(answer(id))
    const result = {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'x', version: '1' },
    }
    const unknown = { error: { code: -32_601, message: 'no such method' } }
    return reply(JSON.stringify({ jsonrpc: '2.0', id, ...(method === 'initialize' ? { result } : unknown) }))
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

it.each<[Form, string, (id: unknown) => string]>([
  ['application/json', 'no result', id => JSON.stringify({ jsonrpc: '2.0', id, result: null })],
  ['text/event-stream', 'no result', id => JSON.stringify({ jsonrpc: '2.0', id, result: null })],
  ['text/event-stream', 'no JSON', () => '{"jsonrpc":'],
])('%s with %s in answer to a call is an error at once', async (form, _what, answer) => {
  const url = await serve(form, answer)
  const server = { transport: 'http', id: 'mcp/servers/x', url, headers: {}, allowPrivate: true }
  // As much of a server and of its context as is used.
  const opened = await openClient(server as never, { projectPath: '/' } as never, {} as never, 10_000)
  onTestFinished(() => opened.client.close())
  await expect(opened.client.callTool({ name: 't', arguments: {} })).rejects.toThrow()
  expect(opened.faults.takeRefusal()).toMatchObject({
    code: 'REMOTE_FAILED',
    message: 'server `mcp/servers/x` sent what is no message of the protocol',
  })
})
