// The memory of used items: several servers, damage, and a limit.
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { acquireMutex } from '../../src/files/index.ts'
import { newestUse, type SignedUse } from '../../src/trust/rollback.ts'
import { projectStates } from '../../src/user/project-state.ts'
import { UsedItems } from '../../src/user/used-items.ts'
import { temporaryFolder } from '../files/temporary-folder.ts'

const PROJECT = '/a/project'

function place() {
  const root = temporaryFolder()
  const [userSpace, cacheRoot] = [join(root, 'user'), join(root, 'cache')]
  for (const folder of [userSpace, cacheRoot]) mkdirSync(folder)
  const states = projectStates({ userSpace, cacheRoot })
  return {
    /** The memory as another process has it. */
    server: () => new UsedItems(projectStates({ userSpace, cacheRoot })).in(PROJECT),
    get file() {
      return join(states.make(PROJECT).path, 'used-items.json')
    },
  }
}

const use = (second: number, version?: string): SignedUse => ({
  ...(version !== undefined && { version }),
  timestamp: `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`,
  format: 'v2',
  hash: 'a'.repeat(64),
})

describe('what was used', () => {
  it('is remembered by the next server once it is saved, and by this one at once', async () => {
    const made = place()
    const [one, other] = [made.server(), made.server()]
    one.use('tool:a', use(5, '1.2.0'))
    expect(one.recall('tool:a')).toEqual(use(5, '1.2.0'))
    expect(other.recall('tool:a')).toBeUndefined()
    await one.save()
    expect(other.recall('tool:a')).toEqual(use(5, '1.2.0'))
    expect(other.recall('tool:b')).toBeUndefined()
    expect(statSync(made.file).mode & 0o077).toBe(0)
  })

  it('is not written again when nothing newer was used', async () => {
    const made = place()
    const server = made.server()
    server.use('tool:a', use(5))
    await server.save()
    const before = statSync(made.file)
    server.use('tool:a', use(5))
    server.use('tool:a', use(3))
    await server.save()
    expect(statSync(made.file).ino).toBe(before.ino)
    expect(server.recall('tool:a')).toEqual(use(5))
  })

  it('is written for all who save at once, and for whoever comes while it is written', async () => {
    const made = place()
    const [server, other] = [made.server(), made.server()]
    const lock = await acquireMutex(`${made.file}.lock`, { waitMs: 1000, holdMs: 60_000 })
    const saved: string[] = []
    const save = async (name: string) => {
      server.use(name, use(5))
      await server.save()
      expect(other.recall(name)).toEqual(use(5))
      saved.push(name)
    }
    const names = Array.from({ length: 20 }, (_, n) => `tool:t${n}`)
    const all = names.map(async name => {
      await save(name)
      await save(`${name}-later`)
    })
    expect(saved).toEqual([])
    lock.release()
    await Promise.all(all)
    expect(saved.length).toBe(40)
  })

  it('is the newest of all servers, whichever saves first', async () => {
    const step = fc.record({
      server: fc.integer({ min: 0, max: 2 }),
      item: fc.constantFrom('tool:a', 'tool:b', 'tool:__proto__'),
      use: fc
        .tuple(fc.integer({ min: 0, max: 59 }), fc.option(fc.constantFrom('1.0', '2.0'), { nil: undefined }))
        .map(([second, version]) => use(second, version)),
      saves: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async steps => {
        const made = place()
        const servers = [made.server(), made.server(), made.server()]
        const newest = new Map<string, SignedUse>()
        const saving: Promise<unknown>[] = []
        for (const { server, item, use: used, saves } of steps) {
          servers[server]!.use(item, used)
          const known = newest.get(item)
          newest.set(item, known ? newestUse(known, used) : used)
          // Not waited for: the next uses come while it is under way.
          if (saves) saving.push(servers[server]!.save())
        }
        await Promise.all(saving)
        await Promise.all(servers.map(server => server.save()))
        const later = made.server()
        for (const [item, expected] of newest) expect(later.recall(item)).toEqual(expected)
      }),
      { numRuns: 25 },
    )
  })

  it('is replaced where a person accepts an older one, also for other servers', async () => {
    const made = place()
    const [one, other] = [made.server(), made.server()]
    one.use('tool:a', use(5, '2.0.0'))
    one.use('tool:b', use(6))
    await one.save()
    expect(other.recall('tool:a')).toEqual(use(5, '2.0.0'))
    await other.accept('tool:a', use(9, '1.0.0'))
    expect(one.recall('tool:a')).toEqual(use(9, '1.0.0'))
    expect(one.recall('tool:b')).toEqual(use(6))
  })

  it('is bounded, and what was used lately stays', async () => {
    const made = place()
    const server = made.server()
    server.use('tool:first', use(1))
    server.use('tool:second', use(1))
    await server.save()
    for (let at = 0; at < 9_998; at++) server.use(`tool:${at}`, use(1))
    expect(await server.save()).toBe(0)
    server.use('tool:first', use(1))
    server.use('tool:last', use(1))
    expect(await server.save()).toBe(1)
    const later = made.server()
    expect(later.recall('tool:second')).toBeUndefined()
    for (const name of ['tool:first', 'tool:0', 'tool:last']) expect(later.recall(name)).toEqual(use(1))
  })

  it('is full, and keeps all of it where nothing may be forgotten', async () => {
    const made = place()
    const server = made.server()
    for (let at = 0; at < 9_999; at++) server.use(`tool:${at}`, use(1))
    expect(server.fullness()).toBeUndefined()
    server.use('tool:last', use(1))
    expect(server.fullness()).toContain('10000 items are remembered')
    await server.save()
    expect(made.server().fullness()).toContain(made.file)
    // Two servers may both have had room.
    server.use('tool:one more', use(1))
    expect(await server.save({ mayForget: false })).toBe(0)
    for (const name of ['tool:0', 'tool:one more']) expect(made.server().recall(name)).toEqual(use(1))
  })
})

describe('a memory that is not ours', () => {
  const ENTRY = { item: 'tool:a', ...use(1) }
  it.each([
    ['no JSON', 'x'],
    ['nothing', ''],
    ['another shape', '[]'],
    ['another version', '{"version":2,"items":[]}'],
    ['an entry without a time', JSON.stringify({ version: 1, items: [{ ...ENTRY, timestamp: 'never' }] })],
    ['an entry without a name', JSON.stringify({ version: 1, items: [{ ...ENTRY, item: null }] })],
    ['an entry of another format', JSON.stringify({ version: 1, items: [{ ...ENTRY, format: 'v3' }] })],
    ['deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ])('%s is reported, and never replaced', async (_, text) => {
    const made = place()
    writeFileSync(made.file, text)
    const server = made.server()
    expect(() => server.recall('tool:a')).toThrow(expect.objectContaining({ code: 'FILE_UNREADABLE' }))
    expect(server.fault()).toMatchObject({ path: made.file })
    await expect(server.accept('tool:a', use(1))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' })
    expect(readFileSync(made.file, 'utf8')).toBe(text)
    expect(readdirSync(join(made.file, '..')).filter(name => name.endsWith('.lock'))).toEqual([])
  })

  it('a link, a folder and a huge file are no memory either', () => {
    for (const plant of [
      (path: string) => symlinkSync('/etc/passwd', path),
      (path: string) => mkdirSync(path),
      (path: string) => writeFileSync(path, Buffer.alloc(16 * 1024 * 1024 + 1)),
    ]) {
      const made = place()
      plant(made.file)
      expect(() => made.server().recall('tool:a')).toThrow(
        expect.objectContaining({ code: 'FILE_UNREADABLE' }),
      )
    }
  })

  it('is believed again once a person has put it aside', async () => {
    const made = place()
    const server = made.server()
    writeFileSync(made.file, 'x')
    expect(server.fault()).toBeDefined()
    writeFileSync(made.file, '{"version":1,"items":[]}')
    expect(server.fault()).toBeUndefined()
    server.use('tool:a', use(2))
    await server.save()
    expect(made.server().recall('tool:a')).toEqual(use(2))
  })
})
