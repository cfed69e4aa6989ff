// The summary is made once for each change, and is never older than what was written before the request.
import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, it } from 'vitest'
import { keepSummary } from '../../../src/surfaces/ui/kept-summary.ts'
import { summarize } from '../../../src/surfaces/ui/summarize.ts'
import type { Library } from '../../../src/workspace/index.ts'
import { openLibrary } from '../../../src/workspace/index.ts'
import { type LibrarySession, openSession } from '../../fixtures/library-session.ts'
import { until } from '../../fixtures/patience.ts'

const note = (id: string) =>
  `---\nid: ${id}\ntitle: ${id}\nversion: "1.0.0"\nentry_type: guide\ncategory: notes\n---\n\ntext\n`

const NEVER = new AbortController().signal

let session: LibrarySession
let library: Library
afterEach(async () => {
  await library.close()
  await session.close()
})

async function open() {
  session = await openSession({ signing: true })
  library = openLibrary({ environment: session.environment, watches: true })
  const made = { times: 0, fails: false }
  const kept = keepSummary(library, session.project, async signal => {
    made.times += 1
    if (made.fails) throw new Error('broke')
    return summarize(await library.open(session.project), signal)
  })
  const unsigned = async () => (await kept.read(NEVER)).summary.trust.unsigned
  return { kept, made, unsigned }
}

it('is the same until something changes', async () => {
  const { kept, made, unsigned } = await open()
  session.write('.ai/knowledge/notes/a.md', note('a'))
  const [first, second] = await Promise.all([kept.read(NEVER), kept.read(NEVER)])
  expect(second).toBe(first)
  expect(await kept.read(NEVER)).toBe(first)
  expect([made.times, first.summary.trust.unsigned]).toEqual([1, 1])
  session.write('.ai/knowledge/notes/b.md', note('b'))
  expect(await unsigned()).toBe(2)
  await session.call('sign', { item_id: 'notes/a', item_type: 'knowledge' })
  expect(await unsigned()).toBe(1)
  rmSync(`${session.project}/.ai/knowledge/notes/b.md`)
  expect(await unsigned()).toBe(0)
})

it('looks at what was touched after a change, and at everything where more may have changed', async () => {
  const { kept, made, unsigned } = await open()
  const write = (path: string, text: string) => session.write(`.ai/${path}`, text)
  const skill = '---\nname: oven\ndescription: Bake.\n---\n\n# Bake\n'
  write('knowledge/notes/a.md', note('a'))
  write('skills/oven/SKILL.md', skill)
  write('skills/oven/notes/heat.md', 'hot')
  expect(await unsigned()).toBe(2)
  await session.call('sign', { item_id: 'notes/a', item_type: 'knowledge' })
  await session.call('sign', { item_id: 'oven', item_type: 'skill' })
  expect(await unsigned()).toBe(0)
  const { times } = made
  write('knowledge/notes/a.md', note('a').replace('text', 'other'))
  write('knowledge/notes/b.md', note('b'))
  write('knowledge/notes/b.md.part', 'no item')
  write('skills/oven/notes/heat.md', 'hotter')
  expect((await kept.read(NEVER)).summary.trust).toMatchObject({ unsigned: 2, tampered: 1 })
  rmSync(`${session.project}/.ai/knowledge/notes/b.md`)
  expect(await unsigned()).toBe(1)
  expect(made.times).toBe(times)
  write('knowledge/new/c.md', note('c'))
  expect(await unsigned()).toBe(2)
  expect(made.times).toBe(times + 1)
  rmSync(`${session.project}/.ai/skills/oven/SKILL.md`)
  expect((await kept.read(NEVER)).summary.counts).not.toContainEqual(
    expect.objectContaining({ item_type: 'skill', space: 'project' }),
  )
})

it('a file that a tool needs beside it waits like an item, and is counted as none', async () => {
  const { kept } = await open()
  const waiting = async () => (await kept.read(NEVER)).summary.waiting.map(({ item_id }) => item_id)
  session.write('.ai/tools/oven/_lib.py', 'x = 1\n')
  session.write('.ai/tools/oven/_draft.py', 'x = 1\n')
  session.write('.ai/tools/oven/bake.py', 'x = 1\n')
  expect(await waiting()).toEqual(['oven/bake'])
  session.write('.ai/tools/oven/bake.py', 'import _lib\n')
  expect(await waiting()).toEqual(['oven/_lib', 'oven/bake'])
  expect((await kept.read(NEVER)).summary.counts).toContainEqual({
    ...{ item_type: 'tool', space: 'project', count: 1 },
  })
  await session.call('sign', { item_id: 'oven/_lib', item_type: 'tool' })
  expect(await waiting()).toEqual(['oven/bake'])
  session.write('.ai/tools/oven/_lib.py', 'x = 2\n')
  expect(await waiting()).toContain('oven/_lib')
})

it('is after any changes what a look at everything gives', async () => {
  const { kept } = await open()
  const names = ['knowledge/notes/a.md', 'knowledge/notes/_b.md', 'knowledge/deep/er/a.md', 'tools/t.sh']
  const others = [
    'tools/t.json',
    'tools/t.json.sig',
    'skills/s/SKILL.md',
    'skills/s/x/SKILL.md',
    'config/c.toml',
    ...['tools/lib/_lib.py', 'tools/lib/use.py', 'tools/package.json'],
  ]
  const change = fc.record({
    path: fc.constantFrom(...names, ...others),
    does: fc.constantFrom('write', 'write', 'remove', 'remove its folder', 'make it a folder', 'sign'),
    text: fc.constantFrom(note('a'), '{}', 'x = 1', 'import _lib'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 5 }), async rounds => {
      for (const changes of rounds) {
        for (const { path, does, text } of changes) {
          const whole = `${session.project}/.ai/${path}`
          if (does === 'write' || does === 'make it a folder') rmSync(whole, { recursive: true, force: true })
          if (does === 'write') session.write(`.ai/${path}`, text)
          else if (does === 'make it a folder') mkdirSync(whole, { recursive: true })
          else if (does === 'remove') rmSync(whole, { recursive: true, force: true })
          else if (does === 'remove its folder') rmSync(dirname(whole), { recursive: true, force: true })
          else await session.call('sign', { item_id: 'notes/a', item_type: 'knowledge' }).catch(() => {})
        }
        const { statuses } = await kept.read(NEVER)
        const fresh = await summarize(await library.open(session.project), NEVER)
        expect(new Map([...statuses].sort())).toEqual(new Map([...fresh.statuses].sort()))
      }
    }),
    { numRuns: 30 },
  )
}, 60_000)

it('follows whom the user trusts, without a change of any item', async () => {
  const { kept } = await open()
  session.write('.ai/knowledge/notes/a.md', note('a'))
  await session.call('sign', { item_id: 'notes/a', item_type: 'knowledge' })
  expect((await kept.read(NEVER)).summary.waiting).toEqual([])
  rmSync(`${session.user}/.ai/config/keys/trusted`, { recursive: true })
  expect((await kept.read(NEVER)).summary.waiting).toMatchObject([
    { item_id: 'notes/a', status: 'untrusted' },
  ])
})

it('that could not be made is made anew', async () => {
  const { kept, made } = await open()
  made.fails = true
  await expect(kept.read(NEVER)).rejects.toThrow('broke')
  made.fails = false
  expect((await kept.read(NEVER)).summary.trust.malformed).toBe(0)
  expect(made.times).toBe(2)
})

it('is left when nobody waits for it any more, and only then', async () => {
  session = await openSession()
  library = openLibrary({ environment: session.environment, watches: true })
  const begun: AbortSignal[] = []
  const kept = keepSummary(
    library,
    session.project,
    signal =>
      new Promise((_, reject) => {
        begun.push(signal)
        signal.addEventListener('abort', () => reject(new Error('left')))
      }),
  )
  const waiting = [new AbortController(), new AbortController()]
  const asked = waiting.map(({ signal }) => expect(kept.read(signal)).rejects.toThrow('left'))
  await until(async () => begun.length === 1)
  waiting[0]!.abort()
  expect(begun[0]!.aborted).toBe(false)
  waiting[1]!.abort()
  expect(begun[0]!.aborted).toBe(true)
  await Promise.all(asked)
  const next = new AbortController()
  const again = expect(kept.read(next.signal)).rejects.toThrow('left')
  await until(async () => begun.length === 2)
  next.abort()
  await again
})
