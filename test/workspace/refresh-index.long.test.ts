// An index follows its files, whether or not a stamp says that they are unchanged. The clock is moved past
// the time in which a file is unsettled.
import {
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadSqlite } from '../../src/search/sqlite/load-sqlite.ts'
import { findSpaces } from '../../src/workspace/change-check.ts'
import { openLiveIndex } from '../../src/workspace/live-index.ts'
import { rewriteInPlace } from '../files/rewrite-in-place.ts'
import { indexFile } from '../fixtures/kept-places.ts'
import { tries } from '../fixtures/tries.ts'
import { requestOf } from '../search/sqlite/library.ts'
import { knowledge, type Scratch, scratch, skill } from './scratch.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 }))
afterEach(() => vi.useRealTimers())

/** Words of one length, so that an edit need not change the size. */
const WORDS = ['amber', 'birch', 'cedar', 'delta']
const NAMES = ['one', 'two', 'sub/one', 'sub/deep/three']

type Step = { readonly name: string; readonly word: string; readonly kind: (typeof KINDS)[number] }
const KINDS = [
  ...(['write', 'write in place', 'write and set the time', 'write in place and put the time back'] as const),
  ...(['delete', 'rename', 'touch'] as const),
]

const step: fc.Arbitrary<Step> = fc.record({
  name: fc.constantFrom(...NAMES),
  word: fc.constantFrom(...WORDS),
  kind: fc.constantFrom(...KINDS),
})

/** No two times are the same, and all are whole, so that they can be put back. */
let touched = 0

function carryOut(world: Scratch, model: Map<string, string>, { name, word, kind }: Step): void {
  const path = world.path(`.ai/knowledge/${name}.md`)
  const old = model.get(name)
  if (kind === 'write') {
    mkdirSync(dirname(path), { recursive: true })
    const next = `${path}.next`
    writeFileSync(next, knowledge(name, { description: word }))
    setTime(next)
    renameSync(next, path)
    model.set(name, word)
  } else if (old === undefined) return
  else if (kind === 'delete') {
    rmSync(path)
    model.delete(name)
  } else if (kind === 'rename') {
    const other = `${name}_renamed`
    renameSync(path, world.path(`.ai/knowledge/${other}.md`))
    model.delete(name)
    model.set(other, old)
  } else if (kind === 'touch') {
    setTime(path)
  } else if (kind === 'write in place and put the time back') {
    if (Number.isInteger(statSync(path).mtimeMs)) {
      rewriteInPlace(path, readFileSync(path, 'utf8').replace(old, word))
      model.set(name, word)
    }
  } else {
    const { atime, mtime } = statSync(path)
    writeFileSync(path, readFileSync(path, 'utf8').replace(old, word))
    if (kind === 'write and set the time') utimesSync(path, atime, new Date(mtime.getTime() - 1000))
    model.set(name, word)
  }
}

function setTime(path: string): void {
  touched += 100
  utimesSync(path, touched, touched)
}

type Ask = (world: Scratch) => Promise<void>

/** The files are walked. */
const walk: Ask = async world => {
  const workspace = await world.library.open(world.project)
  const index = await openLiveIndex(workspace, { watch: false })
  await index.refresh(workspace)
}

/** `find` says what is there, and where more than the text of files has changed they are walked: what a search of a large library does. */
const find: Ask = async world => {
  const found = await findSpaces(world.library, world.project, { minIndexBytes: 0 })
  const workspace = await world.library.open(world.project)
  const index = await openLiveIndex(workspace, { watch: false })
  if (!found || !index.isUnchanged(workspace, found)) await index.refresh(workspace, { found })
}

/** What the index holds, without looking at any file again. */
async function held(world: Scratch): Promise<[string, string][]> {
  const workspace = await world.library.open(world.project)
  const index = await openLiveIndex(workspace, { watch: false })
  const { rows } = index.search(requestOf('*', { spaces: ['project'], limit: 100 }))
  const items = readIndex(world, 'SELECT id, description FROM item ORDER BY id') as [string, string][]
  // Equal items are one row of a search.
  expect(rows.reduce((sum, { copies }) => sum + copies, 0)).toBe(items.length)
  return items
}

it.each([
  ['walk', walk],
  ['look by `find`', find],
])('holds what the files hold, after any changes and a %s', { timeout: 120_000 }, async (_, ask) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 5 }), async rounds => {
      const world = await scratch({}, { shared: true, key: false })
      const model = new Map<string, string>()
      try {
        for (const steps of rounds) {
          for (const one of steps) carryOut(world, model, one)
          const expected = [...model].sort(([a], [b]) => (a < b ? -1 : 1))
          await ask(world)
          expect(await held(world)).toEqual(expected)
          await ask(world)
          expect(await held(world)).toEqual(expected)
        }
      } finally {
        await world.close()
      }
    }),
    { numRuns: tries({ usual: 12, torture: 40 }) },
  )
})

it.each([
  ['a file', '.ai/knowledge/one.md', knowledge('one', { description: 'amber' })],
  ['a skill', '.ai/skills/one/SKILL.md', skill('one', 'amber')],
])(
  'reads %s again that was written in place, with its size, inode and time as before',
  async (_, path, text) => {
    const world = await scratch({ [path]: text, '.ai/knowledge/two.md': knowledge('two') })
    utimesSync(world.path(path), 1e9, 1e9)
    await world.run('index')
    // Another file changes as well, so that no stamp stands between the file and its comparison.
    rewriteInPlace(world.path(path), text.replace('amber', 'birch'))
    world.write('.ai/knowledge/two.md', knowledge('two', { description: 'cedar' }))
    expect(await world.run('index')).toMatchObject({ added: 0, updated: 2, deleted: 0 })
    expect(await held(world)).toEqual([
      ['one', 'birch'],
      ['two', 'cedar'],
    ])
  },
)

/** Times of change as the index keeps them, by path. */
function keptTimes(world: Scratch): unknown {
  return readIndex(world, 'SELECT path, mtime, ctime FROM item ORDER BY path')
}

function readIndex(world: Scratch, sql: string): unknown[][] {
  const path = indexFile(world.environment.XDG_CACHE_HOME!, realpathSync(world.project))
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database.prepare(sql).all()
  database.close()
  return rows.map(row => Object.values(row))
}

it('keeps no time of change of a file that is not settled, and compares it by content until it is', async () => {
  const path = '.ai/knowledge/one.md'
  const world = await scratch({ [path]: knowledge('one') })
  const { mtimeMs, ctimeMs } = statSync(world.path(path))
  vi.setSystemTime(ctimeMs + 1999)
  expect((await world.run('index')).added).toBeGreaterThan(0)
  // The time of modification is there all the same: results are sorted by it.
  expect(keptTimes(world)).toEqual([[path, mtimeMs, null]])
  vi.setSystemTime(ctimeMs + 2002)
  expect(await world.run('index')).toMatchObject({ added: 0, updated: 0, deleted: 0 })
  expect(keptTimes(world)).toEqual([[path, mtimeMs, ctimeMs]])
})

it('counts a file as unchanged that was touched', async () => {
  const world = await scratch({ '.ai/knowledge/one.md': knowledge('one') })
  const { items } = await world.run('index')
  setTime(world.path('.ai/knowledge/one.md'))
  expect(await world.run('index')).toMatchObject({ added: 0, updated: 0, deleted: 0, unchanged: items })
  expect(await held(world)).toEqual([['one', 'About one']])
})

it('reports the same when nothing has changed', async () => {
  const world = await scratch({
    '.ai/knowledge/one.md': knowledge('one'),
    '.ai/knowledge/one.markdown': 'no item',
    '.ai/tools/two.py': '__version__ = "1.0.0"\n',
    '.ai/tools/two.sh': '# __version__ = "1.0.0"\n',
  })
  const first = await world.run('index')
  expect(first.added).toBeGreaterThanOrEqual(2)
  expect(first.diagnostics.map(({ code }: { code: string }) => code)).toEqual(
    expect.arrayContaining(['not-an-item', 'duplicate-id']),
  )
  const again = await world.run('index')
  expect(again).toEqual({
    ...first,
    added: 0,
    unchanged: first.items,
    duration_ms: again.duration_ms,
  })
})

const HOME_FILES = {
  '.ai/knowledge/one.md': knowledge('one'),
  'user:.ai/knowledge/two.md': knowledge('two'),
  'user:.ai/skills/three/SKILL.md': skill('three'),
  'user:.claude/skills/four/SKILL.md': skill('four'),
}

it('of a home that is the project now, and the user space then, reads nothing twice', async () => {
  const world = await scratch(HOME_FILES)
  const link = `${world.root}/link`
  symlinkSync(world.user, link)
  expect((await world.run('index', { project_path: world.user })).deleted).toBe(0)
  expect(await world.run('index')).toMatchObject({ added: 1, updated: 0, deleted: 0 })
  for (const project of [world.user, link, world.project, world.user]) {
    const { items, ...report } = await world.run('index', { project_path: project })
    expect(report).toMatchObject({ added: 0, updated: 0, deleted: 0, unchanged: items })
  }
  expect((await held(world)).map(([id]) => id)).toEqual(['one'])
  expect((await held({ ...world, project: link })).map(([id]) => id)).toEqual(['four', 'three', 'two'])
})

it('sees a stray file come and go', async () => {
  const world = await scratch({ '.ai/knowledge/one.md': knowledge('one') })
  const codes = async () => (await world.run('index')).diagnostics.map(({ code }: { code: string }) => code)
  const before = await codes()
  world.write('.ai/knowledge/stray.xyz', '')
  expect(await codes()).toEqual(['not-an-item', ...before])
  rmSync(world.path('.ai/knowledge/stray.xyz'))
  expect(await codes()).toEqual(before)
})

const KNOWLEDGE_EXTRACTOR = 'rye/core/extractors/knowledge/knowledge_extractor'
const isLinux = process.platform === 'linux'

describe.runIf(isLinux)('a stamp of `find`', () => {
  it('is enough when nothing has changed, after one refresh that had it', async () => {
    const world = await scratch({ '.ai/knowledge/one.md': knowledge('one') })
    expect(await isUnchanged(world)).toBe(false)
    await find(world)
    expect(await isUnchanged(world)).toBe(true)
    world.write('.ai/knowledge/one.md', knowledge('one', { body: 'other words' }))
    expect(await isUnchanged(world)).toBe(false)
    await find(world)
    expect(await isUnchanged(world)).toBe(true)
  })

  it('is enough in a home that is the project, before and after it was the user space', async () => {
    const world = await scratch(HOME_FILES)
    const home = { ...world, project: world.user }
    await find(home)
    expect(await isUnchanged(home)).toBe(true)
    await find(world)
    expect([await isUnchanged(world), await isUnchanged(home)]).toEqual([true, true])
    world.write('user:.ai/knowledge/two.md', knowledge('two', { body: 'other words' }))
    expect([await isUnchanged(world), await isUnchanged(home)]).toEqual([false, false])
  })

  it('is not enough while a file is not settled', async () => {
    const world = await scratch({ '.ai/knowledge/one.md': knowledge('one') })
    vi.setSystemTime(statSync(world.path('.ai/knowledge/one.md')).ctimeMs + 1999)
    await find(world)
    expect(await isUnchanged(world)).toBe(false)
  })

  it('is not enough when an extractor has changed', async () => {
    const world = await scratch({ '.ai/knowledge/one.md': knowledge('one') })
    await find(world)
    const { systemRoot } = world.library
    const plain = readFileSync(`${systemRoot}/tools/${KNOWLEDGE_EXTRACTOR}.yaml`, 'utf8')
    world.write(`user:.ai/tools/${KNOWLEDGE_EXTRACTOR}.yaml`, plain.replace('title: 3', 'title: 5'))
    await world.sign(`tool:${KNOWLEDGE_EXTRACTOR}`, { source: 'user' })
    const found = await findSpaces(world.library, world.project, { minIndexBytes: 0 })
    const workspace = await world.library.open(world.project)
    const index = await openLiveIndex(workspace, { watch: false })
    expect((await index.refresh(workspace, { found })).updated).toBeGreaterThan(0)
  })

  it('does not start for a small index, nor for a project that is not there', async () => {
    const world = await scratch({ '.ai/knowledge/one.md': knowledge('one') })
    await world.run('index')
    expect(findSpaces(world.library, world.project)).toBeUndefined()
    expect(findSpaces(world.library, `${world.project}/missing`)).toBeUndefined()
    expect(findSpaces(world.library, world.path('.ai/knowledge/one.md'))).toBeUndefined()
  })
})

async function isUnchanged(world: Scratch): Promise<boolean> {
  const found = await findSpaces(world.library, world.project, { minIndexBytes: 0 })
  const workspace = await world.library.open(world.project)
  const index = await openLiveIndex(workspace, { watch: false })
  return index.isUnchanged(workspace, found!)
}

describe.runIf(process.platform === 'linux')('after an edit', () => {
  const FILES = {
    '.ai/knowledge/one.md': knowledge('one'),
    '.ai/skills/pdf/SKILL.md': skill('pdf', 'amber'),
    '.ai/skills/pdf/scripts/fill.py': 'print(1)\n',
    '.ai/skills/sub/mail/SKILL.md': skill('mail', 'birch'),
    '.claude/skills/chart/SKILL.md': skill('chart', 'cedar'),
    '.claude/skills/odd/Skill.md': skill('odd', 'elm'),
    'user:.ai/skills/note/SKILL.md': skill('note', 'delta'),
  }

  it.each([
    '.ai/knowledge/one.md',
    '.ai/skills/pdf/SKILL.md',
    '.ai/skills/pdf/scripts/fill.py',
    '.ai/skills/sub/mail/SKILL.md',
    '.claude/skills/chart/SKILL.md',
    '.claude/skills/odd/Skill.md',
  ])('of `%s` alone its item is looked at, and kept as a walk would keep it', async path => {
    const world = await scratch(FILES)
    await find(world)
    expect(lastRefresh(world)).toHaveProperty('walkStamp')
    world.write(path, `${readFileSync(world.path(path), 'utf8')}\n# more\n`)
    await find(world)
    expect(lastRefresh(world)).not.toHaveProperty('walkStamp')
    expect(await isUnchanged(world)).toBe(true)
    const kept = readIndex(world, STATES)
    await walk(world)
    expect(lastRefresh(world)).toHaveProperty('walkStamp')
    expect(readIndex(world, STATES)).toEqual(kept)
  })

  it('is read once more where the file was not settled', async () => {
    const path = '.ai/skills/pdf/SKILL.md'
    const world = await scratch(FILES)
    await find(world)
    world.write(path, skill('pdf', 'ebony'))
    vi.setSystemTime(statSync(world.path(path)).ctimeMs + 1999)
    await find(world)
    expect(await isUnchanged(world)).toBe(false)
    vi.setSystemTime(Date.now() + 60_000)
    await find(world)
    expect(await isUnchanged(world)).toBe(true)
    expect(await held(world)).toContainEqual(['pdf', 'ebony'])
  })

  it('is found by a walk where what was kept is damaged', async () => {
    const world = await scratch(FILES)
    await find(world)
    const path = indexFile(world.environment.XDG_CACHE_HOME!, realpathSync(world.project))
    // The library's own SQLite: another copy of it in one process would not see its locks.
    const database = (await loadSqlite())(path)
    database.exec(`UPDATE meta SET value = zeroblob(64) WHERE key = 'last look'`)
    database.close()
    world.write('.ai/skills/pdf/SKILL.md', skill('pdf', 'ebony'))
    await find(world)
    expect(lastRefresh(world)).toHaveProperty('walkStamp')
    expect(await held(world)).toContainEqual(['pdf', 'ebony'])
  })

  it.each<[string, (world: Scratch) => void]>([
    ['came', world => world.write('.ai/skills/new/SKILL.md', skill('new', 'ebony'))],
    ['became part of another', world => world.write('.ai/skills/sub/SKILL.md', skill('sub', 'ebony'))],
    ['went', world => rmSync(world.path('.ai/skills/pdf'), { recursive: true })],
    ['was duplicated', world => world.write('.ai/knowledge/one.yaml', 'name: one\n')],
  ])('all are walked where an item %s as well', async (_, change) => {
    const world = await scratch(FILES)
    await find(world)
    world.write('.ai/knowledge/one.md', knowledge('one', { description: 'ebony' }))
    change(world)
    await find(world)
    const rows = readIndex(world, STATES)
    expect(lastRefresh(world)).toHaveProperty('walkStamp')
    const workspace = await world.library.open(world.project)
    const index = await openLiveIndex(workspace, { watch: false })
    index.clear()
    await walk(world)
    expect(readIndex(world, STATES)).toEqual(rows)
  })
})

const STATES = 'SELECT id, size, mtime, ctime, inode, hash FROM item ORDER BY id'

function lastRefresh(world: Scratch): unknown {
  const [[value] = []] = readIndex(world, `SELECT value FROM meta WHERE key = 'last refresh'`)
  return JSON.parse(String(value))
}
