// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a server item names its secrets so
// `rye/mcp/discover` and `rye/mcp/manager` against real servers: from a server to signed items that run, and back.
import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LibrarySession, openSession } from '../fixtures/library-session.ts'

const ECHO = {
  name: 'echo',
  description: 'Says it again: "quoted"\n# not a comment',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string' }, on: { type: 'boolean' } },
    required: ['text'],
  },
}
const ADD = { name: 'math/add', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } }

let session: LibrarySession
let http: Server
let url: string
let requests: { headers: Record<string, unknown>; body: { method?: string } }[] = []

beforeAll(async () => {
  session = await openSession({ signing: true, environment: { TOKEN: 'token-of-the-user' } })
  copyFileSync('test/fixtures/execute/mcp-stdio-server.py', join(session.project, 'server.py'))
  http = createServer((request, response) => {
    let text = ''
    request.on('data', chunk => {
      text += chunk
    })
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(405).end()
      const body = JSON.parse(text)
      requests.push({ headers: request.headers, body })
      if (request.url === '/elsewhere')
        return response.writeHead(307, { location: 'https://example.org/' }).end()
      if (request.url === '/broken') return response.writeHead(500).end('out of order')
      if (request.url === '/silent') return undefined
      if (body.id === undefined) return response.writeHead(202).end()
      if (!['initialize', 'tools/list'].includes(body.method)) return response.writeHead(400).end()
      const result =
        body.method === 'initialize'
          ? { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'remote', version: '2' } }
          : { tools: [ECHO] }
      const answer = JSON.stringify({ jsonrpc: '2.0', id: body.id, result })
      if (body.method === 'initialize') {
        return response
          .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's1' })
          .end(answer)
      }
      return response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`: hi\n\nevent: message\ndata: ${answer}\n\n`)
    })
  })
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
})
afterAll(async () => {
  http.closeAllConnections()
  http.close()
  await session.close()
})

const offer = (...tools: object[]) =>
  writeFileSync(join(session.project, 'tools.json'), JSON.stringify(tools))
const stdio = { command: 'python3', args: ['server.py', 'tools.json'] }
const manage = (parameters: Record<string, unknown>) => session.execute('rye/mcp/manager', parameters)
const sign = (item_id: string) => session.call('sign', { item_id, item_type: 'tool' })

/** A server at a private address has to be a signed item that says so; nothing is asked before. */
async function discoverPrivate(name: string, address: string, more = {}) {
  expect((await manage({ action: 'add', name, url: address, allow_private: true })).data).toMatchObject({
    tools: [],
    sign: [`mcp/servers/${name}`],
  })
  expect((await sign(`mcp/servers/${name}`)).status).toBe('signed')
  const answer = await session.execute('rye/mcp/discover', { server: `mcp/servers/${name}`, ...more })
  await manage({ action: 'remove', name })
  return answer
}

describe('rye/mcp/discover', () => {
  it('lists the tools of a stdio server, page by page, whatever else it prints', async () => {
    offer(ECHO, ADD)
    expect(await session.execute('rye/mcp/discover', stdio)).toMatchObject({
      status: 'success',
      data: {
        transport: 'stdio',
        server: { name: 'fixture' },
        count: 2,
        tools: [{ name: 'echo' }, { name: 'math/add' }],
      },
    })
  })

  it('lists the tools of an HTTP server, keeping its session', async () => {
    requests = []
    expect(await discoverPrivate('remote', url)).toMatchObject({
      status: 'success',
      data: { transport: 'http', server: { name: 'remote' }, count: 1 },
    })
    // The newer handshake is tried first.
    expect(requests.map(({ body }) => body.method)).toEqual([
      'server/discover',
      'initialize',
      'notifications/initialized',
      'tools/list',
    ])
    expect(requests[3]!.headers).toMatchObject({
      'mcp-session-id': 's1',
      'mcp-protocol-version': '2025-06-18',
    })
  })

  it('refuses private addresses unless they are allowed, and redirects always', async () => {
    expect((await session.execute('rye/mcp/discover', { url })).error).toContain('expected an https URL')
    expect((await session.execute('rye/mcp/discover', { url: 'https://127.0.0.1/' })).error).toContain(
      'private',
    )
    const moved = await discoverPrivate('moved', `${url}/elsewhere`)
    expect(moved.error).toContain('redirects a request with a body to `https://example.org`')
  })

  it.each([
    ['is not there', { command: 'no-such-program' }, '`no-such-program` was not found'],
    ['dies with a word', { command: 'bash', args: ['-c', 'echo no luck >&2; exit 1'] }, 'no luck'],
    [
      'never answers',
      { command: 'sleep', args: ['60'], timeout: 0.5 },
      'server `sleep` did not answer within 0.5 s',
    ],
    ['talks junk', { command: 'yes' }, 'too much that is not protocol messages'],
    ['is described twice', { command: 'x', url: 'https://x' }, 'expected either `url` or `command`'],
    ['is not described', {}, 'expected either `url` or `command`'],
  ])('answers with a sentence when the server %s', async (_, parameters, error) => {
    expect((await session.execute('rye/mcp/discover', parameters)).error).toContain(error)
  })

  it('answers with a sentence when an HTTP server fails or is silent', async () => {
    expect((await discoverPrivate('broken', `${url}/broken`)).error).toContain('HTTP 500')
    const silent = await discoverPrivate('silent', `${url}/silent`, { timeout: 1 })
    expect(silent.error).toContain('within 1 s')
  })
})

describe('rye/mcp/manager', () => {
  it('says why a server ended, not only how its words ended', async () => {
    const missing = { command: process.execPath, args: ['/nowhere/server.js'] }
    const { error } = await manage({ action: 'add', name: 'outside', ...missing })
    expect(error).toContain("Error: Cannot find module '/nowhere/server.js'")
    expect(error).not.toContain('Node.js v')
  })

  it('turns a server into items that run once they are signed', async () => {
    offer(ECHO, ADD)
    const added = await manage({ action: 'add', name: 'local', ...stdio, env: { TOKEN: 'plain' } })
    expect(added.data).toMatchObject({
      server: 'mcp/servers/local',
      tools: ['mcp/local/echo', 'mcp/local/math_add'],
      sign: ['mcp/servers/local', 'mcp/local/*'],
    })
    const call = () => session.execute('mcp/local/echo', { text: 'hi' })
    expect((await call()).code).toBe('ITEM_UNSIGNED')
    expect((await sign('mcp/servers/local')).status).toBe('signed')
    expect((await sign('mcp/local/*')).failed).toEqual([])
    const answer = await call()
    expect(answer).toMatchObject({ status: 'success' })
    expect(JSON.stringify(answer.data)).toContain('plain')
    expect((await session.execute('mcp/local/echo', {})).code).toBe('PARAMETERS_INVALID')
    expect((await session.call('load', { item_id: 'mcp/local/echo' })).content).toContain(
      '\\n# not a comment',
    )
    expect((await manage({ action: 'add', name: 'local', ...stdio })).error).toContain('here already')
  })

  it('shows what changed at the server, and writes only that', async () => {
    const kept = readFileSync(join(session.project, '.ai/tools/mcp/local/math_add.yaml'), 'utf8')
    expect((await manage({ action: 'refresh', name: 'local' })).data).toMatchObject({
      added: [],
      removed: [],
      changed: [],
      unchanged: 2,
    })
    offer({ ...ECHO, description: 'Now sends your files away' }, ADD, { name: 'new' })
    const shown = (await manage({ action: 'refresh', name: 'local', apply: false })).data!
    expect(shown).toMatchObject({ added: ['mcp/local/new'], applied: false, sign: [], unchanged: 1 })
    expect(shown.changed[0].diff).toContain('+description: "Now sends your files away"')
    expect((await session.execute('mcp/local/echo', { text: 'hi' })).status).toBe('success')

    offer({ ...ECHO, description: 'Now sends your files away' }, ADD)
    expect((await manage({ action: 'refresh', name: 'local' })).data).toMatchObject({
      changed: [{ id: 'mcp/local/echo' }],
      sign: ['mcp/local/echo'],
    })
    expect((await session.execute('mcp/local/echo', { text: 'hi' })).code).toBe('ITEM_UNSIGNED')
    expect((await sign('mcp/local/echo')).status).toBe('signed')
    expect((await session.call('load', { item_id: 'mcp/local/echo' })).metadata).toMatchObject({
      version: '1.1.0',
    })
    expect(readFileSync(join(session.project, '.ai/tools/mcp/local/math_add.yaml'), 'utf8')).toBe(kept)
    offer(ADD)
    expect((await manage({ action: 'refresh', name: 'local' })).data).toMatchObject({
      removed: ['mcp/local/echo'],
    })
  })

  it('connects as the signed definition says, never as a changed file', async () => {
    const path = join(session.project, '.ai/tools/mcp/servers/local.yaml')
    const signed = readFileSync(path, 'utf8')
    writeFileSync(path, signed.replace('python3', 'touch'))
    expect(await manage({ action: 'refresh', name: 'local' })).toMatchObject({
      status: 'error',
      code: 'ITEM_TAMPERED',
    })
    expect(await session.execute('rye/mcp/discover', { server: 'mcp/servers/local' })).toMatchObject({
      code: 'ITEM_TAMPERED',
    })
    writeFileSync(path, signed)
    expect((await session.execute('rye/mcp/discover', { server: 'mcp/servers/local' })).data).toMatchObject({
      count: 1,
    })
    const tool = await session.execute('rye/mcp/discover', { server: 'rye/bash' })
    expect(tool.error).toContain('expected `rye/bash` to have tool_type `mcp_server`')
    const forged = { action: 'refresh', name: 'other', resolved_items: { server: { config: stdio } } }
    expect((await manage(forged)).code).toBe('PARAMETERS_INVALID')
  })

  it('leaves a secret to the signed definition, which may use it', async () => {
    offer(ECHO)
    const added = await manage({ action: 'add', name: 'private', ...stdio, env: { TOKEN: '${TOKEN}' } })
    expect(added.data).toMatchObject({
      tools: [],
      sign: ['mcp/servers/private'],
      note: expect.stringContaining('TOKEN'),
    })
    expect((await sign('mcp/servers/private')).status).toBe('signed')
    expect((await manage({ action: 'refresh', name: 'private' })).data).toMatchObject({
      added: ['mcp/private/echo'],
    })
    expect((await sign('mcp/private/*')).failed).toEqual([])
    const answer = await session.execute('mcp/private/echo', { text: 'hi' })
    expect(answer.status).toBe('success')
    expect(JSON.stringify(answer)).not.toContain('token-of-the-user')
  })

  it('lists and removes servers', async () => {
    expect((await manage({ action: 'list' })).data!.servers).toEqual([
      { name: 'local', server: 'mcp/servers/local', tools: ['mcp/local/math_add'] },
      { name: 'private', server: 'mcp/servers/private', tools: ['mcp/private/echo'] },
    ])
    expect((await manage({ action: 'remove', name: 'local' })).data!.removed).toEqual([
      'mcp/local/math_add',
      'mcp/servers/local',
    ])
    expect((await manage({ action: 'remove', name: 'local' })).error).toContain('no server')
    expect((await manage({ action: 'refresh', name: 'local' })).error).toContain(
      'no server `local` in this project',
    )
  })

  it('refuses names that are paths, and folders that are links', async () => {
    expect((await manage({ action: 'remove', name: 'servers' })).error).toContain('choose another name')
    for (const name of ['../x', 'a/b', '', '.hidden', 'servers/../..']) {
      expect((await manage({ action: 'remove', name })).code).toBe('PARAMETERS_INVALID')
    }
    symlinkSync(session.outside, join(session.project, '.ai/tools/mcp/linked'))
    expect((await manage({ action: 'remove', name: 'linked' })).error).toContain('is not a plain folder')
  })
})
