// An index follows its files, whether a walk finds them as they were or not. The clock is moved past the time in which a file
// is too young to be believed.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { knowledge, type Scratch, scratch } from './scratch.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 }))
afterEach(() => vi.useRealTimers())

/** Words of one length, so that an edit need not change the size. */
const WORDS = ['amber', 'birch', 'cedar', 'delta']
const NAMES = ['one', 'two', 'sub/one', 'sub/deep/three']

type Step = { readonly name: string; readonly word: string; readonly kind: (typeof KINDS)[number] }
const KINDS = ['write', 'write in place', 'write and set the time', 'delete', 'rename', 'touch'] as const

const step: fc.Arbitrary<Step> = fc.record({
  name: fc.constantFrom(...NAMES),
  word: fc.constantFrom(...WORDS),
  kind: fc.constantFrom(...KINDS),
})

function carryOut(world: Scratch, model: Map<string, string>, { name, word, kind }: Step): void {
  const path = world.path(`.ai/knowledge/${name}.md`)
  const old = model.get(name)
  if (kind === 'write') {
    mkdirSync(dirname(path), { recursive: true })
    const next = `${path}.next`
    writeFileSync(next, knowledge(name, { description: word }))
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
  } else if (kind === 'touch') utimesSync(path, 1, 1)
  else {
    const { atime, mtime } = statSync(path)
    writeFileSync(path, readFileSync(path, 'utf8').replace(old, word))
    if (kind === 'write and set the time') utimesSync(path, atime, new Date(mtime.getTime() - 1000))
    model.set(name, word)
  }
}

async function found(world: Scratch): Promise<[string, string][]> {
  const { results } = await world.run('search', { query: '*', source: 'project', limit: 100 })
  return results
    .map(({ id, description }: { id: string; description: string }) => [id, description])
    .sort(([a]: [string], [b]: [string]) => (a < b ? -1 : 1))
}

it('holds what the files hold, after any changes', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 5 }), async rounds => {
      const world = await scratch({}, { shared: true, key: false })
      const model = new Map<string, string>()
      try {
        for (const steps of rounds) {
          for (const one of steps) carryOut(world, model, one)
          const expected = [...model].sort(([a], [b]) => (a < b ? -1 : 1))
          expect(await found(world)).toEqual(expected)
          expect(await found(world)).toEqual(expected)
        }
      } finally {
        await world.close()
      }
    }),
    { numRuns: 40 },
  )
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

it('sees a stray file come and go', async () => {
  const world = await scratch({ '.ai/knowledge/one.md': knowledge('one') })
  const codes = async () => (await world.run('index')).diagnostics.map(({ code }: { code: string }) => code)
  const before = await codes()
  world.write('.ai/knowledge/stray.xyz', '')
  expect(await codes()).toEqual(['not-an-item', ...before])
  rmSync(world.path('.ai/knowledge/stray.xyz'))
  expect(await codes()).toEqual(before)
})
