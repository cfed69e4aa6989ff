// A registry shared by tenants, and a bundle that would replace items of the package.
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tar } from '../hostile-archive.ts'
import {
  type HostileRegistry,
  integrityOf,
  openHostileRegistry,
  sendJson,
  TOKEN,
} from '../hostile-registry.ts'

let registry: HostileRegistry
const asked: [string | undefined, string | undefined][] = []
beforeAll(async () => {
  registry = await openHostileRegistry()
  registry.server.prependListener('request', request =>
    asked.push([request.url, request.headers.authorization]),
  )
  registry.session.write(
    '.ai/config/rye/registry.yaml',
    `version: "1.0.0"\ncategory: rye\nregistry: ${registry.url}tenant-a/\nallow_private: true\n`,
  )
  await registry.session.call('sign', { item_type: 'config', item_id: 'rye/registry' })
})
beforeEach(() => {
  asked.length = 0
  registry.replies.clear()
})
afterAll(() => registry.close())

function offer(archive: Uint8Array, tarball: string): void {
  const dist = { tarball, integrity: integrityOf(archive) }
  const version = { name: 'bad', version: '1.0.0', dist }
  registry.replies.set(
    '/tenant-a/bad',
    sendJson({ name: 'bad', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }),
  )
}

const CLIMBING = [
  '/tenant-a/../tenant-b/x.tgz',
  '/tenant-a/./../tenant-b/x.tgz',
  '/tenant-a/%2e%2e/tenant-b/x.tgz',
  '/tenant-a/.%2E/tenant-b/x.tgz',
  '/tenant-a/%252e%252e/tenant-b/x.tgz',
  '/tenant-a/..%2ftenant-b/x.tgz',
  '/tenant-a/..%5ctenant-b/x.tgz',
  '/tenant-a/..\\tenant-b/x.tgz',
  '/tenant-a/..;/tenant-b/x.tgz',
  '/tenant-a/x/..',
]

describe('the token of one tenant is not sent to another', () => {
  it.each(CLIMBING)('by the address of an archive, %s', async path => {
    offer(gzipSync(tar([registry.tool('x.py')])), new URL(registry.url).origin + path)
    expect((await registry.pull()).error).toContain('expected an address without `.` and `..` in its path')
    expect(asked).toEqual([['/tenant-a/bad', `Bearer ${TOKEN}`]])
  })

  it.each(CLIMBING)('by a redirect, %s', async path => {
    registry.replies.set('/tenant-a/bad', response =>
      response.writeHead(302, { location: new URL(registry.url).origin + path }).end(),
    )
    expect((await registry.pull()).success ?? false).toBe(false)
    const leaked = asked.filter(([url, token]) => url !== '/tenant-a/bad' && token !== undefined)
    expect(leaked).toEqual([])
  })
})

describe('a bundle with ids of the package is not pulled', () => {
  it.each([
    'tools/rye/bash.py',
    'tools/rye/core/runtimes/python/function.yaml',
    'tools/RYE/bash.py',
    'knowledge/rye/note.md',
    'directives/rye/create.md',
    'skills/rye/SKILL.md',
  ])('%s', async path => {
    const archive = gzipSync(tar([{ name: `package/.ai/${path}`, data: registry.signed }]))
    offer(archive, `${registry.url}tenant-a/bad.tgz`)
    registry.replies.set('/tenant-a/bad.tgz', response => response.end(archive))
    expect((await registry.pull({ overwrite: true })).error).toContain(
      'ids that begin with `rye/` belong to the package',
    )
    expect(registry.written()).toEqual([])
  })

  it('but one whose names only look alike is', async () => {
    const archive = gzipSync(tar([registry.tool('ryegrass/rye.py')]))
    offer(archive, `${registry.url}tenant-a/bad.tgz`)
    registry.replies.set('/tenant-a/bad.tgz', response => response.end(archive))
    expect(await registry.pull({ dry_run: true })).toMatchObject({
      status: 'success',
      data: { written: ['.ai/tools/ryegrass/rye.py'] },
    })
  })
})
