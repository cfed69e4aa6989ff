// Only what has changed is read, and the result equals a fresh start.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSkill } from '../../../src/skills/read/read-skill.ts'
import {
  type CollectedRows,
  collectRows,
  diagnosticsOf,
  type FoldersToIndex,
  type FolderToIndex,
  isUnchanged,
} from '../../../src/skills/table/collect-rows.ts'
import { makeFolder } from '../library.ts'

type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>

const SEAL = { digest: null, trust: { status: 'unsigned', signer: null } }
const TOOL = { 'SKILL.md': '# One\n\nDoes.\n', 'scripts/a.py': '@skill_command\ndef t(): pass\n' }
const PLAIN = { 'SKILL.md': '# Two\n\nReads.\n' }

/** Folders of these texts; every folder that is read is noted. */
function foldersOf(texts: Texts, read: string[] = [], settled = true): FoldersToIndex {
  const folders = Object.entries(texts).map(([name, files]) => ({
    key: name,
    stamp: () => (settled ? JSON.stringify(files) : undefined),
    async read() {
      read.push(name)
      return {
        skill: await readSkill(makeFolder(name, files)),
        itemId: name,
        root: '.',
        seal: SEAL,
        diagnostics: [],
      }
    },
  }))
  return { all: () => folders }
}

/** As a look tells it: only the folders whose texts differ. */
function touchedSince(before: Texts, now: Texts, read: string[] = []): FoldersToIndex {
  const { all } = foldersOf(now, read)
  return { all, touched: all().filter(({ key }) => before[key] !== now[key]) }
}

async function rowsOf({ rows, wanted }: CollectedRows) {
  const found = []
  for await (const batch of rows(new Set(wanted().keys()))) found.push(...batch)
  return found
}

describe('collected rows', () => {
  it('are read of changed folders alone', async () => {
    const before = await collectRows(foldersOf({ a: TOOL, b: PLAIN, c: PLAIN }))
    const read: string[] = []
    const folders = foldersOf({ a: TOOL, b: { 'SKILL.md': '# B\n\nWrites.\n' }, c: PLAIN }, read)
    const after = await collectRows(folders, before.folders)
    expect(read).toEqual(['b'])
    expect(isUnchanged(folders, after.folders)).toBe(true)
    expect(isUnchanged(folders, before.folders)).toBe(false)
    expect(isUnchanged({ all: () => folders.all().slice(1) }, after.folders)).toBe(false)
    const unsettled = foldersOf({ a: TOOL }, [], false)
    expect(isUnchanged(unsettled, (await collectRows(unsettled)).folders)).toBe(false)
  })

  it('of a tool follow the documents of other skills: written, changed and removed', async () => {
    const documented = { ...PLAIN, 'references/r.md': '---\nfor_tools: a.t\n---\n# R\n' }
    const refers = async (collected: CollectedRows) =>
      JSON.parse((await rowsOf(collected)).find(row => row.id === 'a.t')!.metadata).skill_tools_refers
    const before = await collectRows(foldersOf({ a: TOOL, b: PLAIN }))
    expect(await refers(before)).toEqual([])
    const read: string[] = []
    const written = await collectRows(foldersOf({ a: TOOL, b: documented }, read), before.folders)
    expect(read).toEqual(['b', 'a'])
    expect(await refers(written)).toEqual(['r'])
    expect(await refers(await collectRows(foldersOf({ a: TOOL }), written.folders))).toEqual([])
  })

  it('are the same however much is kept in memory', async () => {
    const texts = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`s${index}`, index % 3 ? PLAIN : TOOL]),
    )
    const [all, few] = [
      await collectRows(foldersOf(texts)),
      await collectRows(foldersOf(texts), undefined, { keep: 1000 }),
    ]
    expect(await rowsOf(few)).toEqual(await rowsOf(all))
    const sizes: number[] = []
    for await (const batch of few.rows(new Set(few.wanted().keys()))) sizes.push(batch.length)
    expect(sizes.length).toBeGreaterThan(10)
  })

  it('that were changed between two looks are refused', async () => {
    let text = '# A\n\nOne.\n'
    const folder: FolderToIndex = {
      key: 'a',
      stamp: () => 's',
      read: async () => ({
        skill: await readSkill(makeFolder('a', { 'SKILL.md': text })),
        itemId: 'a',
        root: '.',
        seal: SEAL,
        diagnostics: [],
      }),
    }
    const collected = await collectRows({ all: () => [folder] }, undefined, { keep: 1 })
    text = '# A\n\nTwo.\n'
    await expect(rowsOf(collected)).rejects.toMatchObject({ code: 'FILE_UNREADABLE' })
  })

  it('after any history equal those of a fresh start', async () => {
    const files = fc.constantFrom(
      TOOL,
      PLAIN,
      { ...TOOL, 'references/r.md': '---\nfor_tools: [a.t, b.t]\n---\n' },
      { ...PLAIN, 'references/q.md': '---\nfor_tools: [c.t, none.t]\n---\n' },
    )
    const library = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'a.t', '__proto__'), files)
    await fc.assert(
      fc.asyncProperty(fc.array(library, { minLength: 1, maxLength: 5 }), async history => {
        let last: Texts = {}
        let known: CollectedRows | undefined
        for (const texts of history) {
          const isSameSet = known && Object.keys(last).join() === Object.keys(texts).join()
          const folders = isSameSet ? touchedSince(last, texts) : foldersOf(texts)
          const collected = await collectRows(folders, known?.folders)
          expect(written(known?.wanted() ?? new Map(), collected)).toEqual(collected.wanted())
          last = texts
          known = collected
        }
        const fresh = await collectRows(foldersOf(history.at(-1)!))
        expect([...known!.wanted().keys()].sort()).toEqual([...fresh.wanted().keys()].sort())
        if (fresh.folders.isDistinct) expect(known!.wanted()).toEqual(fresh.wanted())
        expect(known!.folders.isDistinct).toBe(fresh.folders.isDistinct)
        expect(known!.folders.rowCount).toBe(fresh.folders.rowCount)
        expect(diagnosticsOf(known!.folders)).toEqual(diagnosticsOf(fresh.folders))
      }),
    )
  })

  it('have no plan where a function is called as another skill', async () => {
    const alone = await collectRows(foldersOf({ a: TOOL }))
    expect(alone.plan?.report.added).toEqual(['a', 'a.t'])
    const clashing = await collectRows(foldersOf({ a: TOOL, 'a.t': PLAIN }), alone.folders)
    expect([clashing.plan, clashing.folders.isDistinct]).toEqual([undefined, false])
    expect((await rowsOf(clashing)).map(({ id, digest }) => [id, digest]).sort()).toEqual(
      [...clashing.wanted()].sort(),
    )
    const again = await collectRows(foldersOf({ a: TOOL }), clashing.folders)
    expect([again.plan, again.folders.isDistinct]).toEqual([undefined, true])
  })

  it('of a folder whose stamp was uncertain are read again, though it was not touched', async () => {
    const texts = { a: TOOL, b: PLAIN }
    const before = await collectRows(foldersOf(texts, [], false))
    const read: string[] = []
    const after = await collectRows(touchedSince(texts, texts, read), before.folders)
    expect(read).toContain('b')
    expect(isUnchanged(touchedSince(texts, texts), after.folders)).toBe(true)
  })
})

/** The rows of a table that held these, after what the plan says; without a plan, all are compared. */
function written(
  stored: ReadonlyMap<string, string>,
  { plan, wanted }: CollectedRows,
): ReadonlyMap<string, string> {
  if (!plan) return wanted()
  const rows = new Map(stored)
  for (const id of plan.report.deleted) rows.delete(id)
  for (const id of plan.upserts) rows.set(id, wanted().get(id)!)
  expect(plan.report.unchanged_count).toBe(rows.size - plan.upserts.size)
  return rows
}
