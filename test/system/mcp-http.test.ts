// `rye mcp --http`, used by the official client of both protocol eras, and over a bare socket.
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { until } from '../fixtures/patience.ts'
import {
  addSleeper,
  addWaiter,
  answerOf,
  connectHttp,
  ERAS,
  type HttpServer,
  isAsleep,
  makeWorld,
  ownNap,
  startHttp,
} from './mcp-world.ts'

describe.each(ERAS)('a client of %s', (_name, era) => {
  it('is served in each project that it names, with others at the same time', async () => {
    const world = makeWorld()
    const server = await startHttp(world)
    const projects = ['alpha', 'beta', 'gamma'].map(name => {
      world.write(`${name}/.ai/knowledge/own.md`, knowledge('own', `the word of ${name}`))
      return { name, path: join(world.project, name) }
    })
    const answers = await Promise.all(
      projects.map(async ({ path }) => {
        const client = await connectHttp(server, era)
        await client.callTool({ name: 'search', arguments: { query: 'word', project_path: path } })
        return answerOf(
          await client.callTool({ name: 'execute', arguments: { item_id: 'own', project_path: path } }),
        )
      }),
    )
    expect(answers.map(answer => String(answer.content).trim())).toEqual(
      projects.map(({ name }) => `the word of ${name}`),
    )
    expect(server.log().match(/^token: /gm)).toHaveLength(1)
  })

  it('must name its project', async () => {
    const server = await startHttp(makeWorld())
    const client = await connectHttp(server, era)
    const result = await client.callTool({ name: 'search', arguments: { query: 'x' } })
    expect(result.isError).toBe(true)
    expect(answerOf(result)).toMatchObject({
      code: 'INVALID_INPUT',
      error: '`project_path` is required: absolute path of the project',
    })
    expect((await client.listTools()).tools[0]?.inputSchema.required).toContain('project_path')
  })

  it('is told of progress, and ends its tool by going away', async () => {
    const world = makeWorld()
    const nap = ownNap()
    addSleeper(world, nap)
    const server = await startHttp(world)
    const client = await connectHttp(server, era)
    const abort = new AbortController()
    const progress: number[] = []
    const call = client.callTool(
      { name: 'execute', arguments: { item_id: 'sleeper', project_path: world.project } },
      { signal: abort.signal, onprogress: ({ progress: value }) => progress.push(value) },
    )
    await until(() => isAsleep(nap) && progress.length > 0)
    abort.abort()
    await expect(call).rejects.toThrow()
    await client.close()
    await until(() => !isAsleep(nap))
    expect(progress).toEqual([1])
  })

  it('is refused without the token', async () => {
    const server = await startHttp(makeWorld())
    await expect(connectHttp({ ...server, token: 'wrong' }, era)).rejects.toThrow()
  })
})

describe('shutting down', () => {
  it('ends in good order while a call runs, and leaves no process behind', async () => {
    const world = makeWorld()
    const nap = ownNap()
    addSleeper(world, nap)
    const server = await startHttp(world)
    const client = await connectHttp(server, { mode: 'legacy' })
    const call = client.callTool({
      name: 'execute',
      arguments: { item_id: 'sleeper', project_path: world.project },
    })
    call.catch(() => {})
    await until(() => isAsleep(nap))
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(143)
    await until(() => !isAsleep(nap))
  })

  it('lets a short call finish', async () => {
    const world = makeWorld()
    addWaiter(world)
    const [waiting, go] = ['waiting', 'go'].map(name => join(world.project, name)) as [string, string]
    for (;;) {
      for (const path of [waiting, go]) rmSync(path, { force: true })
      const server = await startHttp(world)
      const client = await connectHttp(server, { mode: 'legacy' })
      const call = client
        .callTool({ name: 'execute', arguments: { item_id: 'waiter', project_path: world.project } })
        .catch(() => undefined)
      await until(() => existsSync(waiting))
      const toldAt = performance.now()
      server.child.kill('SIGTERM')
      await until(() => isClosed(server))
      writeFileSync(go, '')
      const answer = await call
      // No call is short that takes longer than this: a machine that took so long has shown nothing yet.
      if (answer === undefined && performance.now() - toldAt > CLOSING_MS) continue
      expect(answerOf(answer!)).toMatchObject({ status: 'success', data: 'waited' })
      expect(await server.ended).toBe(143)
      break
    }
  })
})

describe('the token', () => {
  it('is read from a file that only its owner can read, and then not shown', async () => {
    const world = makeWorld()
    const file = join(world.root, 'token')
    writeFileSync(file, 'a-token-from-a-file\n', { mode: 0o600 })
    const server = await startHttp(world, ['--token-file', file])
    expect(server.log()).not.toContain('token')
    const client = await connectHttp({ ...server, token: 'a-token-from-a-file' }, { mode: 'legacy' })
    expect((await client.listTools()).tools).toHaveLength(4)
    chmodSync(file, 0o644)
    await expect(startHttp(world, ['--token-file', file])).rejects.toThrow('can read the token file')
  })

  it('is new at each start', async () => {
    const world = makeWorld()
    const [one, two] = await Promise.all([startHttp(world), startHttp(world)])
    expect(one.token).toMatch(/^rye_[\w-]{43}$/)
    expect(two.token).not.toBe(one.token)
  })
})

it('says when its port is taken', async () => {
  const world = makeWorld()
  const server = await startHttp(world)
  await expect(startHttp(world, ['--port', server.url.port])).rejects.toThrow('EADDRINUSE')
})

it('listens on loopback alone', async () => {
  const server = await startHttp(makeWorld())
  expect(server.url.hostname).toBe('127.0.0.1')
})

describe('over a bare socket', () => {
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

  it('refuses strangers, and goes on after everything that they send', async () => {
    const server = await startHttp(makeWorld())
    const cases: [string, Record<string, string | undefined>, string, string, RegExp][] = [
      ['a rebound name', { host: 'evil.example' }, 'POST /mcp', list, /^HTTP\/1.1 403 /],
      ['a page', { origin: 'http://evil.example' }, 'POST /mcp', list, /^HTTP\/1.1 403 /],
      [
        'no token',
        { authorization: undefined },
        'POST /mcp',
        list,
        /^HTTP\/1.1 401 [\s\S]*www-authenticate: Bearer/i,
      ],
      ['another path', {}, 'POST /', list, /^HTTP\/1.1 404 /],
      ['a path that is no URL', {}, 'POST //', list, /^HTTP\/1.1 404 /],
      ['a path out of bounds', {}, 'POST /../mcp', list, /^HTTP\/1.1 404 /],
      ['a form', { 'content-type': 'text/plain' }, 'POST /mcp', list, /^HTTP\/1.1 415 /],
      ['GET', {}, 'GET /mcp', '', /^HTTP\/1.1 405 /],
      ['DELETE', {}, 'DELETE /mcp', '', /^HTTP\/1.1 405 /],
      ['no JSON', {}, 'POST /mcp', 'hello', /^HTTP\/1.1 400 [\s\S]*-32700/],
      ['nothing', {}, 'POST /mcp', '', /^HTTP\/1.1 400 /],
      ['an empty batch', {}, 'POST /mcp', '[]', /^HTTP\/1.1 400 /],
      ['a scalar', {}, 'POST /mcp', '5', /^HTTP\/1.1 400 /],
      ['a large body announced', { 'content-length': '20000000' }, 'POST /mcp', '', /^HTTP\/1.1 413 /],
      ['no HTTP', {}, 'x', '', /^HTTP\/1.1 400 /],
    ]
    for (const [title, headers, line, body, expected] of cases) {
      expect(await exchange(server, line, headers, body), title).toMatch(expected)
    }
    const large = async (body: string | ReadableStream) => {
      const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
      return (await fetch(server.url, init)).status
    }
    expect(await large('x'.repeat(5_000_000))).toBe(413)
    expect(await large(new Blob(['x'.repeat(5_000_000)]).stream()), 'of unknown length').toBe(413)
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const call = `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"execute","arguments":{"item_id":"x","project_path":"/","parameters":{"deep":${deep}}}}}`
    expect(await exchange(server, 'POST /mcp', {}, call), 'deep JSON').toMatch(/^HTTP\/1.1 \d{3} /)
    expect(await exchange(server, 'POST /mcp', {}, list)).toMatch(/^HTTP\/1.1 200 [\s\S]*"tools"/)
    expect(server.child.exitCode).toBeNull()
  })

  it('drops a client that never finishes its headers', async () => {
    const server = await startHttp(makeWorld())
    const socket = connect(Number(server.url.port), '127.0.0.1')
    socket.write('POST /mcp HTTP/1.1\r\nhost: ')
    const answer = await readAll(socket)
    expect(answer === '' || answer.startsWith('HTTP/1.1 408 ')).toBe(true)
  })

  it('keeps nothing of a client that hangs up in the middle', async () => {
    const world = makeWorld()
    const server = await startHttp(world)
    for (let i = 0; i < 50; i++) {
      const socket = connect(Number(server.url.port), '127.0.0.1')
      socket.write(head(server, 'POST /mcp', { 'content-length': '1000' }))
      socket.write('{"jsonrpc"')
      socket.destroySoon()
    }
    mkdirSync(join(world.project, '.ai'), { recursive: true })
    const client = await connectHttp(server, { mode: { pin: '2026-07-28' } })
    expect((await client.listTools()).tools).toHaveLength(4)
  })
})

it('keeps a connection for the next call, however long the agent thinks, unless the client wants it closed', async () => {
  const server = await startHttp(makeWorld())
  const authorization = `Bearer ${server.token}`
  const { headers } = await fetch(server.url, { method: 'POST', headers: { authorization } })
  expect(headers.get('keep-alive')).toBe('timeout=65')
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const answer = await exchange(server, 'POST /mcp', {}, list)
  expect(answer).toMatch(/^HTTP\/1.1 200 /)
  expect(answer.match(/^connection: .*$/gim)).toEqual(['Connection: close'])
})

it('needs no session: another process can answer the next request', async () => {
  const world = makeWorld()
  const file = join(world.root, 'token')
  writeFileSync(file, 'shared-by-two-servers', { mode: 0o600 })
  const flags = ['--token-file', file]
  const servers = await Promise.all([startHttp(world, flags), startHttp(world, flags)])
  let turn = 0
  const transport = new StreamableHTTPClientTransport(servers[0]!.url, {
    fetch: (_url, init) => fetch(servers[turn++ % 2]!.url, init as RequestInit),
    requestInit: { headers: { authorization: 'Bearer shared-by-two-servers' } },
  })
  const { Client } = await import('@modelcontextprotocol/client')
  const client = new Client({ name: 'balanced', version: '1' })
  await client.connect(transport)
  for (let i = 0; i < 4; i++) expect((await client.listTools()).tools).toHaveLength(4)
  expect(turn).toBeGreaterThan(4)
  await client.close()
})

/** How long a server that was told to end goes on for calls that are under way. */
const CLOSING_MS = 2_000

/** Whether the server takes no more connections. */
function isClosed(server: HttpServer): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(Number(server.url.port), '127.0.0.1')
    socket.on('error', () => resolve(true))
    socket.on('connect', () => {
      socket.destroy()
      resolve(false)
    })
  })
}

function knowledge(id: string, text: string): string {
  return `---\nid: ${id}\ntitle: ${id}\nversion: 1.0.0\n---\n\n${text}\n`
}

function head(server: HttpServer, line: string, headers: Record<string, string | undefined>): string {
  const all: Record<string, string | undefined> = {
    host: server.url.host,
    authorization: `Bearer ${server.token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    connection: 'close',
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  )
  return `${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}

function exchange(
  server: HttpServer,
  line: string,
  headers: Record<string, string | undefined>,
  body: string,
): Promise<string> {
  const socket = connect(Number(server.url.port), '127.0.0.1')
  socket.write(head(server, line, { 'content-length': String(Buffer.byteLength(body)), ...headers }))
  socket.write(body)
  return readAll(socket)
}

/** What the server says until it hangs up; a reset after its answer is how it refuses the rest of a body. */
function readAll(socket: ReturnType<typeof connect>): Promise<string> {
  return new Promise(resolve => {
    let text = ''
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
}
