import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { callHttp, type HttpOptions } from '../../../../src/execute/primitives/http/http-client.ts'
import type { HttpInvocation } from '../../../../src/plan/types.ts'

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer)
  open.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

function call(parts: Partial<HttpInvocation> & { url: string }, options: Partial<HttpOptions> = {}) {
  const invocation: HttpInvocation = {
    kind: 'http',
    method: 'GET',
    headers: {},
    credentialHeaders: [],
    body: null,
    retry: { attempts: 1, backoff: 'exponential' },
    allowPrivate: true,
    ...parts,
  }
  return callHttp(invocation, { timeoutMs: 20_000, outputBytes: 100_000, backoffMs: 1, ...options })
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

describe('callHttp', () => {
  it('sends method, headers and body, and reads JSON', async () => {
    const url = await serve(async (request, response) => {
      const { method, headers } = request
      response.end(
        JSON.stringify({
          method,
          key: headers['x-api-key'],
          type: headers['content-type'],
          body: await readText(request),
        }),
      )
    })
    const outcome = await call({ url, method: 'POST', headers: { 'X-API-Key': 'k' }, body: { a: 'ü' } })
    expect(outcome).toMatchObject({
      status: 'success',
      data: {
        status_code: 200,
        body: { method: 'POST', key: 'k', type: 'application/json', body: '{"a":"ü"}' },
      },
    })
  })

  it('a text body is sent as it is, a text answer is given as it is', async () => {
    const url = await serve(async (request, response) => response.end(`got ${await readText(request)}`))
    expect(await call({ url, method: 'PUT', body: 'plain' })).toMatchObject({ data: { body: 'got plain' } })
  })

  it('an answer of 400 or more is an error with the evidence', async () => {
    const url = await serve((_, response) => response.writeHead(404).end('{"why":"gone"}'))
    expect(await call({ url })).toMatchObject({
      status: 'error',
      error: { code: 'REMOTE_FAILED', message: expect.stringContaining('answered 404') },
      data: { status_code: 404, body: { why: 'gone' } },
    })
  })

  it('never shows cookies', async () => {
    const url = await serve((_, response) => response.setHeader('set-cookie', 'session=1').end('ok'))
    expect(JSON.stringify(await call({ url }))).not.toContain('session')
  })

  describe('tries again', () => {
    it('as often as declared, then gives the last answer', async () => {
      let seen = 0
      const url = await serve((_, response) => {
        seen += 1
        response.writeHead(seen < 3 ? 503 : 200).end(String(seen))
      })
      expect(await call({ url, retry: { attempts: 3, backoff: 'linear' } })).toMatchObject({
        data: { body: 3 },
      })
      seen = 0
      expect(await call({ url, retry: { attempts: 2, backoff: 'linear' } })).toMatchObject({
        data: { status_code: 503 },
      })
    })

    it.each([
      [429, 2],
      [502, 2],
      [503, 2],
      [504, 2],
      [400, 1],
      [404, 1],
      [500, 1],
      [501, 1],
    ])('after a %i: %i attempts of two', async (status, attempts) => {
      let seen = 0
      const url = await serve((_, response) => {
        seen += 1
        response.writeHead(status).end()
      })
      const outcome = await call({ url, retry: { attempts: 2, backoff: 'exponential' } })
      expect(outcome).toMatchObject({ status: 'error', data: { status_code: status } })
      expect(seen).toBe(attempts)
    })

    it('after a broken connection, but not after a refusal of the request', async () => {
      let seen = 0
      const url = await serve((request, response) => {
        seen += 1
        if (request.url === '/bad') response.writeHead(400).end()
        else if (seen === 1) request.socket.destroy()
        else response.end('1')
      })
      expect(await call({ url, retry: { attempts: 2, backoff: 'exponential' } })).toMatchObject({
        status: 'success',
      })
      seen = 0
      await call({ url: `${url}/bad`, retry: { attempts: 5, backoff: 'exponential' } })
      expect(seen).toBe(1)
    })

    it('no longer than its time', async () => {
      const url = await serve(request => request.socket.destroy())
      const outcome = await call(
        { url, retry: { attempts: 1_000, backoff: 'linear' } },
        { timeoutMs: 200, backoffMs: 50 },
      )
      expect(outcome).toMatchObject({ status: 'error', error: { code: 'EXECUTION_TIMEOUT' } })
    })
  })

  describe('is bounded', () => {
    it.each([
      ['never answers', () => {}, 'EXECUTION_TIMEOUT'],
      [
        'answers byte by byte',
        (_: IncomingMessage, response: ServerResponse) =>
          void setInterval(() => response.write('x'), 20).unref(),
        'EXECUTION_TIMEOUT',
      ],
      [
        'breaks off',
        (_: IncomingMessage, response: ServerResponse) =>
          void response.writeHead(200, { 'content-length': 100 }).write('x', () => response.destroy()),
        'REMOTE_FAILED',
      ],
      [
        'sends without end',
        (_: IncomingMessage, response: ServerResponse) => sendForever(response),
        'OUTPUT_TOO_LARGE',
      ],
      [
        'sends a gzip bomb',
        (_: IncomingMessage, response: ServerResponse) =>
          void response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(5_000_000))),
        'OUTPUT_TOO_LARGE',
      ],
      [
        'sends broken gzip',
        (_: IncomingMessage, response: ServerResponse) =>
          void response.setHeader('content-encoding', 'gzip').end('junk'),
        'REMOTE_FAILED',
      ],
      [
        'packs in an unknown way',
        (_: IncomingMessage, response: ServerResponse) =>
          void response.setHeader('content-encoding', 'constructor').end('junk'),
        'REMOTE_FAILED',
      ],
      [
        'redirects in a circle',
        (_: IncomingMessage, response: ServerResponse) =>
          void response.writeHead(302, { location: '/again' }).end(),
        'NETWORK_REFUSED',
      ],
      [
        'redirects to a file',
        (_: IncomingMessage, response: ServerResponse) =>
          void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
        'NETWORK_REFUSED',
      ],
      [
        'redirects to nonsense',
        (_: IncomingMessage, response: ServerResponse) =>
          void response.writeHead(302, { location: 'http://[' }).end(),
        'NETWORK_REFUSED',
      ],
    ])('when the server %s', async (_, answer, code) => {
      const url = await serve(answer)
      // A short time for what must time out, plenty for what must not.
      const timeoutMs = code === 'EXECUTION_TIMEOUT' ? 400 : 20_000
      expect(await call({ url }, { timeoutMs })).toMatchObject({ status: 'error', error: { code } })
    })

    it('and can be cancelled', async () => {
      const url = await serve(() => {})
      const controller = new AbortController()
      setTimeout(() => controller.abort(), 30)
      expect(await call({ url }, { signal: controller.signal })).toMatchObject({
        error: { code: 'EXECUTION_CANCELLED' },
      })
    })

    it('decompresses what is within the limit', async () => {
      const url = await serve(
        (_, response) => void response.setHeader('content-encoding', 'gzip').end(gzipSync('{"a":1}')),
      )
      expect(await call({ url })).toMatchObject({ data: { body: { a: 1 } } })
    })
  })

  describe('refuses', () => {
    it.each([
      ['https://127.0.0.1/'],
      ['https://localhost/'],
      ['https://[::1]/'],
      ['https://169.254.169.254/latest/meta-data'],
      ['https://10.1.2.3/'],
      ['https://[::ffff:127.0.0.1]/'],
      ['https://2130706433/'],
      ['https://0x7f.1/'],
      ['http://example.com/'],
      ['ftp://example.com/'],
      ['file:///etc/passwd'],
      ['https://user:pass@example.com/'],
    ])('%s', async url => {
      expect(await call({ url, allowPrivate: false })).toMatchObject({
        status: 'error',
        error: { code: 'NETWORK_REFUSED' },
      })
    })

    it('a name with one private address among public ones', async () => {
      const resolveHost = async () => ['93.184.216.34', '192.168.0.1']
      expect(
        await call({ url: 'https://rebind.example/', allowPrivate: false }, { resolveHost }),
      ).toMatchObject({
        error: { code: 'NETWORK_REFUSED', message: expect.stringContaining('192.168.0.1') },
      })
    })

    it('a redirect from https to http', async () => {
      const { nextHop } = await import('../../../../src/execute/primitives/http/http-request.ts')
      const hop = {
        method: 'GET',
        url: new URL('https://a.example/'),
        headers: {},
        credentialHeaders: [],
        body: null,
        allowPrivate: true,
        signal: new AbortController().signal,
      }
      expect(() => nextHop(hop, 'http://a.example/', 302)).toThrow('https')
    })

    it('what is not a URL', async () => {
      expect(await call({ url: 'https://exa mple\0.com' })).toMatchObject({
        error: { code: 'INVALID_INPUT' },
      })
    })
  })

  it('resolves a name once, and connects to that address', async () => {
    let asked = 0
    const url = await serve((request, response) => response.end(JSON.stringify(request.headers.host)))
    const port = new URL(url).port
    const resolveHost = async () => {
      asked += 1
      return [asked === 1 ? '127.0.0.1' : '203.0.113.1']
    }
    const outcome = await call({ url: `http://named.example:${port}/` }, { resolveHost })
    expect(outcome).toMatchObject({ data: { body: `named.example:${port}` } })
    expect(asked).toBe(1)
  })

  it('credentials stay with their origin; other headers are sent on', async () => {
    const seen: IncomingMessage['headers'][] = []
    const other = await serve((request, response) => {
      seen.push(request.headers)
      response.end('1')
    })
    const url = await serve((_, response) => response.writeHead(307, { location: other }).end())
    const headers = { Authorization: 'Bearer t', 'X-Api-Key': 'k', Cookie: 'c=1', 'X-Plain': 'p' }
    await call({ url, headers, credentialHeaders: ['x-api-key'] })
    expect(seen[0]).toMatchObject({ 'x-plain': 'p' })
    expect(JSON.stringify(seen[0])).not.toMatch(/Bearer|"k"|c=1/)
  })

  it.each([
    ['POST', 307],
    ['POST', 308],
    ['PUT', 301],
    ['PATCH', 302],
  ])('the body of a %s stays with its origin, whatever %d says', async (method, status) => {
    let reached = 0
    const other = await serve((_, response) => {
      reached += 1
      response.end('1')
    })
    const url = await serve((_, response) => response.writeHead(status, { location: other }).end())
    expect(await call({ url, method, body: { token: 'k' } })).toMatchObject({
      error: { code: 'NETWORK_REFUSED', message: expect.stringContaining(`redirects a request with a body`) },
    })
    expect(reached).toBe(0)
  })

  it('a body is sent on within its origin', async () => {
    const seen: string[] = []
    const url = await serve(async (request, response) => {
      seen.push(await readText(request))
      if (seen.length === 1) response.writeHead(307, { location: '/there' }).end()
      else response.end('1')
    })
    await call({ url, method: 'POST', body: { a: 1 } })
    expect(seen).toEqual(['{"a":1}', '{"a":1}'])
  })

  it('a POST that is answered with 303 becomes a GET without its body', async () => {
    const seen: unknown[] = []
    const url = await serve(async (request, response) => {
      seen.push([request.method, request.headers['content-type'], await readText(request)])
      if (seen.length === 1) response.writeHead(303, { location: '/done' }).end()
      else response.end('1')
    })
    await call({ url, method: 'POST', body: { a: 1 } })
    expect(seen).toEqual([
      ['POST', 'application/json', '{"a":1}'],
      ['GET', undefined, ''],
    ])
  })
})

function sendForever(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536, 120)));
  }
  response.on('drain', more)
  more()
}
