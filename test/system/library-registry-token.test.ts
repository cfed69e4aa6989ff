// `rye/registry` and its token: where it is sent, and where not.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tar } from './hostile-archive.ts'
import { type HostileRegistry, listen, openHostileRegistry, type Reply } from './hostile-registry.ts'

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
})
