// A server's tool list is read up to limits of depth and size; errors name the server and the tool.
import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { listTools } from '../../../../src/execute/primitives/mcp/list-tools.ts'

function ask(tools: unknown, { version = { name: 'x', version: '1' } as object, cursor = '' } = {}) {
  const client = {
    request: async () => ({ tools, nextCursor: cursor }),
    getServerVersion: () => version,
  }
  const options = { signal: new AbortController().signal, timeout: 1000, serverId: 'mcp/servers/x' }
  // The part of a client that is used.
  return listTools(client as unknown as Client, options)
}

const nest = (levels: number): object =>
  Array.from({ length: levels }).reduce<object>(value => ({ a: value }), {})
const tool = (inputSchema: object, name = 't') => ({ name, inputSchema })

describe('the tools of a server', () => {
  it('are taken as they are', async () => {
    const inputSchema = { type: 'object', properties: nest(50) }
    expect(await ask([tool(inputSchema), { name: 'u', title: 'U' }])).toMatchObject({
      server: { name: 'x' },
      tools: [
        { name: 't', description: 't', inputSchema },
        { name: 'u', description: 'U', inputSchema: { type: 'object' } },
      ],
    })
  })

  it.each<[string, unknown, RegExp]>([
    [
      'too deep',
      [tool(nest(20_000))],
      /its tool `t` too deeply: expected at most 64 levels of nesting, got more/,
    ],
    [
      'too long',
      [tool({ a: 'x'.repeat(300_000) })],
      /its tool `t` in too many words: expected at most 250000 .*, got 3000\d\d/,
    ],
    ['of long names', [tool({}, 'x'.repeat(300_000))], /its tool .{0,200} in too many words/],
    [
      'too long together',
      Array(40).fill(tool({ a: 'x'.repeat(240_000) })),
      /too long a list of tools: expected at most 8000000/,
    ],
    ['too many', Array(3000).fill(tool({})), /too many tools: expected at most 2000, got 3000/],
    ['nameless', [{}], /listed a tool without a name/],
    ['no list', 'abc', /answered with no list when it was asked for its tools/],
    ['nothing', undefined, /answered with no list when it was asked for its tools/],
  ])('are refused where they are %s', async (_what, tools, says) => {
    await expect(ask(tools)).rejects.toMatchObject({
      code: 'REMOTE_FAILED',
      message: expect.stringMatching(new RegExp(`^server \`mcp/servers/x\` .*${says.source}`)),
    })
  })

  it('are refused with what the server says of itself, or on pages without an end', async () => {
    await expect(ask([], { version: nest(20_000) })).rejects.toMatchObject({
      message: expect.stringContaining('described itself too deeply'),
    })
    await expect(ask([], { cursor: 'next' })).rejects.toMatchObject({
      message: expect.stringContaining('expected at most 200'),
    })
  })
})
