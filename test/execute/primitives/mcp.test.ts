// Answers of other servers are read up to a limit of depth.
import { describe, expect, it } from 'vitest'
import { callMcpTool } from '../../../src/execute/primitives/mcp.ts'

function call(result: unknown) {
  const client = { callTool: async () => result }
  const mcp = {
    isolationOf: async () => 'none',
    use: (_server: unknown, _context: unknown, _bounds: unknown, work: (client: unknown) => unknown) =>
      work(client),
  }
  const invocation = { server: { id: 'mcp/servers/x' }, toolName: 't' }
  const plan = { timeoutMs: 1000, projectPath: '', permissions: {}, parameters: {} }
  // The part of a call that is used.
  return callMcpTool({ plan, invocation, parts: { mcp } } as unknown as Parameters<typeof callMcpTool>[0])
}

const nest = (levels: number): object =>
  Array.from({ length: levels }).reduce<object>(value => ({ a: value }), {})

describe('the answer of a tool of another server', () => {
  it('is taken as it is', async () => {
    const structuredContent = nest(100)
    expect(await call({ content: [], structuredContent })).toMatchObject({ data: structuredContent })
  })

  it.each([
    ['its data', { content: [], structuredContent: nest(20_000) }],
    ['a block', { content: [{ type: 'text', text: '1', _meta: nest(20_000) }] }],
  ])('is refused where %s are too deep', async (_what, result) => {
    await expect(call(result)).rejects.toMatchObject({
      code: 'REMOTE_FAILED',
      message:
        'server `mcp/servers/x` returned a result of its tool `t` that is nested too deeply: expected at most 200 levels, got more',
    })
  })
})
