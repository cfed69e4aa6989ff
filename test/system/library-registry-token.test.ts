// `rye/registry` and its token: to whom it goes, and to whom it does not.
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tar } from './hostile-archive.ts'
import {
  GREET,
  type HostileRegistry,
  integrityOf,
  listen,
  openHostileRegistry,
  type Reply,
  sendJson,
  TOKEN,
} from './hostile-registry.ts'

let registry: HostileRegistry
let thief: Server
let stolen: IncomingMessage[]
beforeAll(async () => {
  thief = createServer((request, response) => {
    stolen.push(request)
    response.end('{}')
  })
  await listen(thief)
  registry = await openHostileRegistry()
})
beforeEach(() => {
  stolen = []
  registry.replies.clear()
})
afterAll(async () => {
  thief.close()
  await registry.close()
})

const tool = (name: string) => registry.tool(name)

describe('the token', () => {
  it('and private addresses are for the configured registry alone', async () => {
    const { port } = thief.address() as AddressInfo
    const archive = gzipSync(tar([tool('x.py')]))
    for (const target of [
      `http://127.0.0.1:${port}/x.tgz`,
      `https://127.0.0.1:${port}/x.tgz`,
      'http://169.254.169.254/',
    ]) {
      registry.offer(archive, { tarball: target })
      expect((await registry.pull()).error, target).toMatch(/begins with https|private address/)
      registry.offer(archive)
      const redirect =
        (status: number): Reply =>
        response =>
          response.writeHead(status, { location: target }).end()
      registry.replies.set('/bad/-/bad-1.0.0.tgz', redirect(302))
      expect((await registry.pull()).error, target).toMatch(/begins with https|private address/)
      registry.replies.set('/bad', redirect(307))
      expect((await registry.pull()).error, target).toMatch(/begins with https|private address/)
      expect((await registry.pull({ registry: target })).error, target).toMatch(
        /begins with https|private address/,
      )
    }
    expect(stolen).toEqual([])
  })

  it('does not go to another host, another path, or along a redirect', async () => {
    const archive = gzipSync(tar([tool('x.py')]))
    const seen: [string | undefined, string | undefined, string | undefined][] = []
    const site = createServer((request, response) => {
      const { host, authorization } = request.headers
      seen.push([host, request.url, authorization])
      const dist = { tarball: 'https://cdn.test/x.tgz', integrity: integrityOf(archive) }
      if (request.url === '/npm/bad') {
        return sendJson({ versions: { '1.0.0': { dist } }, 'dist-tags': { latest: '1.0.0' } })(
          response,
          request,
        )
      }
      if (request.url === '/npm/moved')
        return response.writeHead(302, { location: 'https://own.test/other/bad' }).end()
      if (request.method === 'PUT') return response.writeHead(307, { location: 'https://cdn.test/put' }).end()
      if (request.url === '/x.tgz') return response.end(archive)
      return response.writeHead(404).end('{}')
    })
    await listen(site)
    const { port } = site.address() as AddressInfo
    // Its own rules refuse a local server, so two names are let through to it here; all other rules are the real ones.
    const program = `
import http.client, json, socket, sys
import registry
class Local(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.create_connection(("127.0.0.1", ${port}))
registry.dial = lambda url, deadline, allow_private: Local(registry.urlsplit(url).hostname)
settings = {"resolved_config": {"registry": "https://own.test/npm"}}
print(json.dumps([registry.execute({**settings, **params}, sys.argv[1]) for params in json.load(sys.stdin)]))
`
    const child = spawn('python3', ['-c', program, registry.session.project], {
      cwd: 'system/.ai/tools/rye',
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', NPM_TOKEN: TOKEN },
    })
    registry.session.write(GREET, registry.signed)
    child.stdin.end(
      JSON.stringify([
        { action: 'pull', package: 'bad', dry_run: true },
        { action: 'pull', package: 'moved' },
        { action: 'pull', package: 'bad', registry: 'https://own.test/' },
        { action: 'publish', package: 'new', version: '1.0.0', description: 'x', items: ['tool:team/greet'] },
      ]),
    )
    const [pulled, moved, , published] = JSON.parse(await text(child.stdout))
    site.close()
    rmSync(join(registry.session.project, '.ai/tools'), { recursive: true })
    expect(pulled).toMatchObject({ success: true, written: ['.ai/tools/x.py'] })
    expect(moved.error).toContain('has no package')
    expect(published.error).toContain('redirects to `https://cdn.test/put`')
    const bearer = `Bearer ${TOKEN}`
    expect(seen).toEqual([
      ['own.test', '/npm/bad', bearer],
      ['cdn.test', '/x.tgz', undefined],
      ['own.test', '/npm/moved', bearer],
      ['own.test', '/other/bad', undefined],
      ['own.test', '/bad', undefined],
      ['own.test', '/npm/new', bearer],
      ['own.test', '/npm/new', bearer],
    ])
  })
})
