// Other MCP servers, healthy and broken: stdio ones as real processes, remote ones as real local servers.
import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { runPlan } from '../../src/execute/run-plan.ts'
import { createRunner, type Runner } from '../../src/execute/runner.ts'
import type { McpServer } from '../../src/plan/types.ts'
import {
  FIXTURES,
  findMarked,
  findSurvivors,
  makeDirectory,
  makeMarker,
  makePlan,
} from '../execute/hand-made-plan.ts'
import { until } from '../fixtures/patience.ts'

const project = makeDirectory()

type Stdio = Extract<McpServer, { transport: 'stdio' }>
type Http = Extract<McpServer, { transport: 'http' }>

function stdioServer(manner: string, parts: Partial<Stdio> = {}): Stdio {
  const args = [join(FIXTURES, 'mcp-server.mjs'), manner]
  return {
    id: 'mcp/servers/test',
    digest: 'd',
    transport: 'stdio',
    command: process.execPath,
    args,
    env: {},
    cwd: project,
    mayUseProject: false,
    ...parts,
  }
}

describe.each(['process-group', 'bubblewrap'] as const)('a stdio server in %s isolation', isolation => {
  let runner: Runner
  beforeAll(() => {
    runner = createRunner({ isolation, readable: [FIXTURES] })
  })
  afterAll(() => runner.close())

  function call(
    server: McpServer,
    parts: { timeoutMs?: number; secrets?: string[]; signal?: AbortSignal; on?: Runner } = {},
  ) {
    const { signal, on, ...rest } = parts
    const parameters = { text: 'hi', timeout: 1 }
    const invocation = { kind: 'mcp', server, toolName: 'echo' } as const
    return runPlan(
      makePlan({ projectPath: project, invocation, parameters, ...rest }),
      on ?? runner,
      signal ? { signal } : {},
    )
  }

  it('answers, and its connection is kept', async () => {
    const first = await call(stdioServer('well'))
    expect(first).toMatchObject({
      status: 'success',
      isolation,
      data: { arguments: { text: 'hi', timeout: 1 }, calls: 1 },
    })
    const second = await call(stdioServer('well'))
    expect(second.data).toEqual({ ...(first.data as object), calls: 2 })
  })

  it('with another credential is another process', async () => {
    const one = await call(stdioServer('well', { env: { SECRET: 'one' } }))
    const two = await call(stdioServer('well', { env: { SECRET: 'two' } }))
    expect([one.data, two.data]).toMatchObject([
      { secret: 'one', calls: 1 },
      { secret: 'two', calls: 1 },
    ])
  })

  it.each([
    ['structured', 'success', { answer: 42 }],
    ['text', 'success', { content: [{ type: 'text', text: 'just words' }] }],
    ['noisy', 'success', { calls: 1 }],
    ['fail', 'error', { content: [{ type: 'text', text: 'the disk is on fire' }] }],
  ])('that answers with `%s` is understood', async (manner, status, data) => {
    expect(await call(stdioServer(manner))).toMatchObject({ status, data })
  })

  it.each([
    ['error', 'REMOTE_FAILED', 'no such tool here'],
    ['wrong-shape', 'REMOTE_FAILED', ''],
    ['die', 'REMOTE_FAILED', 'it ended with exit status 4'],
    ['die-at-start', 'REMOTE_FAILED', 'it ended with exit status 3'],
    ['junk', 'REMOTE_FAILED', 'not protocol messages'],
    ['flood', 'REMOTE_FAILED', 'not protocol messages'],
    ['hang', 'EXECUTION_TIMEOUT', 'did not answer within'],
    ['hang-at-start', 'EXECUTION_TIMEOUT', 'did not answer within'],
    ['ignore-term', 'EXECUTION_TIMEOUT', ''],
  ])(
    'that does `%s` is an error within its time, and nothing is left of it',
    async (manner, code, message) => {
      const marker = makeMarker()
      const own = createRunner({ isolation, readable: [FIXTURES] })
      const outcome = await call(stdioServer(manner, { env: { MARKER: marker } }), {
        timeoutMs: code === 'EXECUTION_TIMEOUT' ? 600 : 20_000,
        on: own,
      })
      expect(outcome).toMatchObject({
        status: 'error',
        error: { code, message: expect.stringContaining(message) },
      })
      await own.close()
      expect(await findSurvivors(marker)).toEqual([])
    },
  )

  it.each(['die', 'die-at-start'])('that does `%s` is quoted with its last lines', async manner => {
    const env = { SECRET: 'hunter22' }
    const outcome = await call(stdioServer(manner, { env }), { secrets: ['hunter22'] })
    const end = 'line 1999 / Traceback: / \\u{1b}[31mno key \\u{202e}in [secret]'
    expect(outcome).toMatchObject({ status: 'error', error: { message: expect.stringContaining(end) } })
    const { stderr } = outcome.data as { stderr: string }
    expect(stderr).toMatch(/^line \d+\n/)
    expect(stderr.endsWith('line 1999\nTraceback:\n  \u001b[31mno key \u202ein [secret]\n')).toBe(true)
    expect(stderr.length).toBeLessThanOrEqual(4_096)
  })

  it('that died is started again at the next call', async () => {
    const marker = makeMarker()
    const server = stdioServer('well', { env: { MARKER: marker } })
    const own = createRunner({ isolation, readable: [FIXTURES] })
    const { pid } = (await call(server, { on: own })).data as { pid: number }
    const inside = isolation === 'bubblewrap'
    if (!inside) process.kill(pid, 'SIGKILL')
    else await own.parts.mcp.close()
    // Its memory is gone a moment before its parent, which is us, has been told.
    await until(() => findMarked(marker).length === 0 && (inside || !existsSync(`/proc/${pid}`)))
    // Its end is known at once, while its last lines are still read.
    for (let i = 0; i < 5; i++) await turn()
    expect(await call(server, { on: own })).toMatchObject({ status: 'success', data: { calls: 1 } })
    await own.close()
  })

  it('that is missing is named', async () => {
    expect(await call(stdioServer('well', { command: '/no/such/server' }))).toMatchObject({
      error: { code: 'INTERPRETER_MISSING' },
    })
  })

  it('is ended when it has been idle', async () => {
    const marker = makeMarker()
    const own = createRunner({ isolation, readable: [FIXTURES], idleMs: 100 })
    expect(await call(stdioServer('well', { env: { MARKER: marker } }), { on: own })).toMatchObject({
      status: 'success',
    })
    expect(await findSurvivors(marker)).toEqual([])
    await own.close()
  })

  it('reports progress, without secrets', async () => {
    const seen: unknown[] = []
    const server = stdioServer('progress', { env: { SECRET: 'hunter22' } })
    const plan = makePlan({
      projectPath: project,
      invocation: { kind: 'mcp', server, toolName: 'echo' },
      secrets: ['hunter22'],
    })
    const controller = new AbortController()
    const onProgress = (progress: unknown) => {
      seen.push(progress)
      controller.abort()
    }
    const outcome = await runPlan(plan, runner, { onProgress, signal: controller.signal })
    expect(outcome).toMatchObject({ error: { code: 'EXECUTION_CANCELLED' } })
    expect(seen).toEqual([{ progress: 1, total: 2, message: 'opening with [secret]' }])
  })

  it('can be cancelled', async () => {
    const controller = new AbortController()
    const marker = makeMarker()
    const calling = call(stdioServer('hang', { env: { MARKER: marker } }), { signal: controller.signal })
    await until(() => findMarked(marker).length > 0)
    controller.abort()
    expect(await calling).toMatchObject({ error: { code: 'EXECUTION_CANCELLED' } })
  })
})

describe('a remote server', () => {
  const open: Server[] = []
  const runner = createRunner({ isolation: 'process-group' })
  afterAll(() => runner.close())
  afterEach(() => {
    for (const server of open.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })

  async function serve(
    answer: (
      method: string,
      id: unknown,
    ) => object | string | ((response: ServerResponse) => void) | undefined,
    seen: IncomingMessage['headers'][] = [],
  ): Promise<string> {
    const server = createServer(async (request, response) => {
      seen.push(request.headers)
      let text = ''
      for await (const chunk of request) text += chunk
      if (request.method !== 'POST') return response.writeHead(405).end()
      const { id, method } = JSON.parse(text)
      const result =
        method === 'initialize'
          ? {
              protocolVersion: '2025-06-18',
              capabilities: { tools: {} },
              serverInfo: { name: 't', version: '1' },
            }
          : answer(method, id)
      if (id === undefined) return response.writeHead(202).end()
      if (result === undefined) return
      if (typeof result === 'function') return result(response)
      if (typeof result === 'string')
        return response.setHeader('content-type', 'application/json').end(result)
      const known = method === 'initialize' || method === 'tools/call'
      const message = known
        ? { jsonrpc: '2.0', id, result }
        : { jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown' } }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(message))
    })
    open.push(server)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as { port: number }).port}/mcp`
  }

  function call(url: string, parts: Partial<Http> = {}, timeoutMs = 20_000) {
    const server: Http = {
      id: 'mcp/servers/remote',
      digest: 'd',
      transport: 'http',
      url,
      headers: {},
      credentialHeaders: [],
      allowPrivate: true,
      ...parts,
    }
    const invocation = { kind: 'mcp', server, toolName: 'echo' } as const
    return runPlan(makePlan({ projectPath: project, invocation, timeoutMs }), runner)
  }

  it('answers over streamable HTTP, with its own credential', async () => {
    const seen: IncomingMessage['headers'][] = []
    const url = await serve(() => ({ content: [{ type: 'text', text: '{"a":1}' }] }), seen)
    const outcome = await call(url, {
      headers: { Authorization: 'Bearer for-this-server' },
      credentialHeaders: ['authorization'],
    })
    expect(outcome).toMatchObject({ status: 'success', data: { a: 1 }, isolation: 'none' })
    expect(new Set(seen.map(headers => headers.authorization))).toEqual(new Set(['Bearer for-this-server']))
  })

  it.each([
    ['hangs', () => undefined, 'EXECUTION_TIMEOUT'],
    ['answers with junk', () => 'junk', 'REMOTE_FAILED'],
    ['answers with another shape', () => ({ content: 7 }), 'REMOTE_FAILED'],
  ])('that %s is an error within its time', async (_, answer, code) => {
    const url = await serve(method => (method === 'tools/call' ? answer() : {}))
    expect(await call(url, {}, code === 'EXECUTION_TIMEOUT' ? 700 : 20_000)).toMatchObject({
      status: 'error',
      error: { code },
    })
  })

  it.each<[string, (response: ServerResponse) => void, string]>([
    [
      'dies in the middle of its answer',
      response =>
        void response
          .writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
          .write('{', () => response.destroy()),
      'REMOTE_FAILED',
    ],
    [
      'answers without end',
      response => sendForever(response.setHeader('content-type', 'application/json'), ' '.repeat(65_536)),
      'OUTPUT_TOO_LARGE',
    ],
    [
      'streams a message without end',
      response => sendForever(response.setHeader('content-type', 'text/event-stream'), 'x'.repeat(65_536)),
      // The protocol layer waits for a stream that broke to come back.
      'EXECUTION_TIMEOUT',
    ],
    [
      'streams empty messages without end',
      response => sendForever(response.setHeader('content-type', 'text/event-stream'), ': nothing\n\n'),
      'EXECUTION_TIMEOUT',
    ],
    [
      'redirects in a circle',
      response => void response.writeHead(307, { location: '/mcp' }).end(),
      'NETWORK_REFUSED',
    ],
    [
      'answers with a page',
      response => void response.setHeader('content-type', 'text/html').end('<p>Sign in</p>'),
      'REMOTE_FAILED',
    ],
  ])('that %s is an error within its time, and the next call is well', async (_, misbehave, code) => {
    let ill = true
    const url = await serve(method =>
      method !== 'tools/call' ? {} : ill ? misbehave : { content: [{ type: 'text', text: '"well"' }] },
    )
    const before = process.memoryUsage().rss
    const outcome = await call(url, {}, code === 'EXECUTION_TIMEOUT' ? 700 : 20_000)
    expect(outcome).toMatchObject({ status: 'error', error: { code } })
    expect(process.memoryUsage().rss - before).toBeLessThan(200e6)
    ill = false
    expect(await call(url, {}, 20_000)).toMatchObject({ status: 'success', data: 'well' })
  })

  it('on a private address is refused unless allowed', async () => {
    const url = await serve(() => ({ content: [] }))
    for (const address of [url, 'https://169.254.169.254/mcp', 'https://localhost/mcp']) {
      expect(await call(address, { allowPrivate: false })).toMatchObject({
        error: { code: 'NETWORK_REFUSED' },
      })
    }
  })

  it('that is not there is named', async () => {
    expect(await call('http://127.0.0.1:1/mcp')).toMatchObject({ error: { code: 'REMOTE_FAILED' } })
  })
})

function sendForever(response: ServerResponse, text: string): void {
  const send = () => {
    while (!response.destroyed && response.write(text));
  }
  response.on('drain', send)
  send()
}
