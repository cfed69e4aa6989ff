// A registry that serves other bytes for a locked version, or an older version in its place: nothing of it is
// taken.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tar } from './hostile-archive.ts'
import { GREET, type HostileRegistry, openHostileRegistry } from './hostile-registry.ts'

let registry: HostileRegistry
beforeAll(async () => {
  registry = await openHostileRegistry()
})
afterAll(() => registry.close())

it('other bytes under a locked version are refused by update, add and install', async () => {
  const { session } = registry
  const pack = (more: string) =>
    gzipSync(
      tar([
        { name: `package/${GREET}`, data: registry.own },
        { name: 'package/README.md', data: Buffer.from(more) },
      ]),
    )
  const lock = () => readFileSync(join(session.project, '.ai/rye.lock'), 'utf8')
  registry.offer(pack('first'))
  const added = await session.call('add', { source: 'npm:bad' })
  expect(added, JSON.stringify(added)).toMatchObject({ status: 'added', resolved: '1.0.0' })
  const before = lock()
  // The items themselves are the same: only the archive is another one.
  registry.offer(pack('second'))
  const updated = await session.call('update', {})
  expect(updated).toMatchObject({ status: 'failed' })
  expect(JSON.stringify(updated)).toContain('version 1.0.0 has other bytes than when it was locked')
  expect(await session.call('add', { source: 'npm:bad' })).toMatchObject({ code: 'ITEM_ROLLED_BACK' })
  rmSync(join(session.project, GREET))
  expect(await session.call('install', {})).toMatchObject({
    code: 'ITEM_TAMPERED',
    error: '`npm:bad` at 1.0.0 has other bytes than were locked',
  })
  expect(lock()).toBe(before)
  expect(registry.written()).not.toContain('tools/team/greet.py')
  registry.offer(pack('first'))
  expect(await session.call('install', { frozen: true })).toMatchObject({ written: ['tool:team/greet'] })
})
