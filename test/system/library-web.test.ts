// The bundled tool for web pages: how it converts them, and what it refuses.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Dial, dial } from '../../system/.ai/tools/rye/web/_guard.ts'
import { fetchText } from '../../system/.ai/tools/rye/web/fetch.ts'
import { type LibrarySession, openSession } from '../fixtures/library-session.ts'

let session: LibrarySession
beforeAll(async () => {
  session = await openSession()
})
afterAll(() => session.close())

const run = (tool: string, parameters?: Record<string, unknown>) => session.execute(tool, parameters)

describe('rye/web/fetch', () => {
  it('turns a page into text, follows checked redirects, and stays within its bounds', async () => {
    const server = createServer((request, response) => {
      const send = (type: string, body: string | Buffer, headers = {}) =>
        response.writeHead(200, { 'content-type': type, ...headers }).end(body)
      const pages: Record<string, () => unknown> = {
        '/page': () =>
          send(
            'text/html; charset=iso-8859-1',
            Buffer.from(
              '<head><title>A &amp; B</title><style>x{}</style></head><body><h1>Caf\xe9</h1><p>See <a href="/x">this</a>.<script>bad()</script><ul><li>one<li>two</ul>',
              'latin1',
            ),
          ),
        '/moved': () => response.writeHead(302, { location: '/page' }).end(),
        '/inward': () => response.writeHead(302, { location: 'https://127.0.0.1/secret' }).end(),
        '/loop': () => response.writeHead(302, { location: '/loop' }).end(),
        '/bomb': () =>
          send('text/plain', gzipSync(Buffer.alloc(50_000_000, 'a')), { 'content-encoding': 'gzip' }),
        '/binary': () => send('image/png', Buffer.from([1, 0, 2])),
        '/missing': () => response.writeHead(404, { 'content-type': 'text/plain' }).end('nothing here'),
        '/json': () => send('application/json', '{"a": 1}'),
        '/backslash': () => response.writeHead(302, { location: 'https://site.test\\@127.0.0.1/' }).end(),
        '/user': () => response.writeHead(302, { location: 'https://me@site.test/page' }).end(),
        '/plain': () => response.writeHead(302, { location: 'http://site.test/page' }).end(),
        '/silent': () => {},
      }
      pages[request.url!]?.()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    // The tool's own rules refuse a local server, so its name alone is let through here; redirects meet the real rules.
    const connectTo: Dial = (url, signal) =>
      url.hostname === 'site.test' ? Promise.resolve(connect(port, '127.0.0.1')) : dial(url, signal)
    const at = (path: string, more = {}) => ({ url: `https://site.test${path}`, ...more })
    const calls = [
      at('/page'),
      at('/moved', { limit: 5 }),
      at('/inward'),
      at('/loop'),
      at('/bomb'),
      at('/binary'),
      at('/missing'),
      at('/json'),
      at('/silent', { timeout: 0.3 }),
      ...['/backslash', '/user', '/plain'].map(path => at(path)),
    ]
    const [page, moved, inward, loop, bomb, binary, missing, json, silent, ...refused] = await Promise.all(
      calls.map(call => fetchText(call, connectTo) as Promise<Record<string, unknown>>),
    )
    server.closeAllConnections()
    server.close()
    expect(page).toMatchObject({
      success: true,
      status: 200,
      title: 'A & B',
      text: '# Café\n\nSee this (https://site.test/x).\n\n- one\n- two',
    })
    expect(moved).toMatchObject({ url: 'https://site.test/page', text: '# Caf', next_offset: 5 })
    expect(inward!.error).toContain('private address 127.0.0.1')
    expect(loop!.error).toContain('more than 5 redirects')
    expect(bomb).toMatchObject({ length: 2_000_000, warning: expect.stringContaining('2000000 bytes') })
    expect(binary!.error).toContain('binary content of type image/png')
    expect(missing).toMatchObject({ success: false, error: 'site.test answered 404', text: 'nothing here' })
    expect(json).toMatchObject({ success: true, content_type: 'application/json', text: '{"a": 1}' })
    expect(silent!.error).toBe('no complete answer within the time limit')
    expect(refused.map(answer => answer.error)).toEqual([
      expect.stringContaining('plain characters'),
      'a URL must not carry a user or a password',
      expect.stringContaining('begins with https://'),
    ])
  })

  it('keeps to the same addresses as the HTTP runtime', () => {
    const listed = (path: string) =>
      [...readFileSync(path, 'utf8').matchAll(/\['([\da-f.:]+)', (\d+)\],?\n/g)].map(
        ([, network, bits]) => `${network}/${bits}`,
      )
    const networks = listed('src/execute/network/address-guard.ts')
    expect(networks).toHaveLength(19)
    expect(listed('system/.ai/tools/rye/web/_guard.ts')).toEqual(networks)
  })

  it('refuses whatever is not the public web over https', async () => {
    const refused = [
      'http://example.org/',
      'ftp://example.org/',
      'file:///etc/passwd',
      'https://127.0.0.1/',
      'https://localhost:8443/',
      'https://[::1]/',
      'https://2130706433/',
      'https://169.254.169.254/latest/meta-data/',
      'https://user:pass@example.org/',
      'https://example.org\\@127.0.0.1/',
      'https://@example.org/',
      'https:///example.org/',
      'https://exam ple.org/',
      'https://example.org\n/',
      'not a url',
    ]
    for (const url of refused) {
      expect(await run('rye/web/fetch', { url }), url).toMatchObject({
        status: 'error',
        data: { success: false },
      })
    }
  })
})
