// How an address is reached: directly where allowed, or through the user's proxy.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createDial, type DialOptions } from '../../../src/registry/protocol/dial.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function listen(server: Server): Promise<number> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const dial = (url: string, allowPrivate: boolean, options: Partial<DialOptions> = {}) =>
  createDial({ findProxy: () => undefined, ...options })({
    url: new URL(url),
    allowPrivate,
    signal: new AbortController().signal,
  })

describe('an address', () => {
  it.each([
    ['https://127.0.0.1/', []],
    ['https://[::1]/', []],
    ['https://2130706433/', []],
    ['https://evil.test/', ['169.254.169.254']],
    ['https://evil.test/', ['93.184.216.34', '10.0.0.1']],
  ])('%s at %j is not reached unless it may be private', async (url, addresses) => {
    const resolveHost = () => Promise.resolve(addresses)
    await expect(dial(url, false, { resolveHost })).rejects.toMatchObject({
      message: expect.stringContaining('private address'),
      hint: expect.stringContaining('your own .npmrc'),
    })
    const findProxy = () => new URL('http://127.0.0.1:9/')
    await expect(dial(url, false, { resolveHost, findProxy })).rejects.toThrow('private address')
  })
})

it('a socket that nobody reads any more may be aborted', async () => {
  const port = await listen(createServer())
  const controller = new AbortController()
  const url = new URL(`http://127.0.0.1:${port}/`)
  const socket = await createDial({ findProxy: () => undefined })({
    ...{ url, allowPrivate: true, signal: controller.signal },
  })
  // An error without a listener ends the process.
  expect(socket.listenerCount('error')).toBeGreaterThan(0)
  const closed = new Promise(resolve => socket.once('close', resolve))
  controller.abort()
  await closed
  expect(socket.destroyed).toBe(true)
})

describe('a proxy', () => {
  it('gets the place and its password, and carries the rest', async () => {
    const port = await listen(createServer((_, response) => response.end('hello')))
    const seen: unknown[] = []
    const proxy = createServer()
    proxy.on('connect', (request, socket) => {
      seen.push(request.url, request.headers['proxy-authorization'])
      const remote = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        remote.pipe(socket).pipe(remote)
      })
    })
    const findProxy = (
      at => () =>
        new URL(`http://ann:secret@127.0.0.1:${at}/`)
    )(await listen(proxy))
    const resolveHost = () => Promise.reject(new Error('unknown here'))
    const socket = await dial('http://inside.test:8080/', true, { findProxy, resolveHost })
    socket.end('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    let text = ''
    for await (const chunk of socket) text += chunk
    expect(text).toContain('hello')
    expect(seen).toEqual(['inside.test:8080', `Basic ${Buffer.from('ann:secret').toString('base64')}`])
  })

  it('that refuses is told of, without its password', async () => {
    const proxy = createServer()
    proxy.on('connect', (_, socket) => socket.end('HTTP/1.1 407 No\r\n\r\n'))
    const findProxy = (
      at => () =>
        new URL(`http://ann:secret@127.0.0.1:${at}/`)
    )(await listen(proxy))
    const resolveHost = () => Promise.resolve(['93.184.216.34'])
    const failed = dial('https://a.test/', false, { findProxy, resolveHost })
    await expect(failed).rejects.toThrow(/^the proxy `127\.0\.0\.1:\d+` answered 407$/)
  })
})
