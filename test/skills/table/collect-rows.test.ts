// Only what has changed is read, and what comes out is what a fresh start would give.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSkill } from '../../../src/skills/read/read-skill.ts'
import {
  type CollectedRows,
  collectRows,
  diagnosticsOf,
  type FolderToIndex,
  isUnchanged,
} from '../../../src/skills/table/collect-rows.ts'
import { makeFolder } from '../library.ts'

type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>

const SEAL = { digest: null, trust: { status: 'unsigned', signer: null } }
const TOOL = { 'SKILL.md': '# One\n\nDoes.\n', 'scripts/a.py': '@skill_command\ndef t(): pass\n' }
const PLAIN = { 'SKILL.md': '# Two\n\nReads.\n' }

/** Folders of these texts; every folder that is read is noted. */
function foldersOf(texts: Texts, read: string[] = [], settled = true): FolderToIndex[] {
  return Object.entries(texts).map(([name, files]) => ({
    key: name,
    stamp: () => (settled ? JSON.stringify(files) : undefined),
    async read() {
      read.push(name)
      return { skill: await readSkill(makeFolder(name, files)), itemId: name, seal: SEAL, diagnostics: [] }
    },
  }))
}

async function rowsOf({ rows, wanted }: CollectedRows) {
  const found = []
  for await (const batch of rows(new Set(wanted.keys()))) found.push(...batch)
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
    expect(isUnchanged(folders.slice(1), after.folders)).toBe(false)
    expect(isUnchanged(foldersOf({ a: TOOL }, [], false), { a: after.folders.a! })).toBe(false)
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
      await collectRows(foldersOf(texts), {}, { keep: 1000 }),
    ]
    expect(await rowsOf(few)).toEqual(await rowsOf(all))
    const sizes: number[] = []
    for await (const batch of few.rows(new Set(few.wanted.keys()))) sizes.push(batch.length)
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
        seal: SEAL,
        diagnostics: [],
      }),
    }
    const collected = await collectRows([folder], {}, { keep: 1 })
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
    const library = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), files)
    await fc.assert(
      fc.asyncProperty(fc.array(library, { minLength: 1, maxLength: 4 }), async history => {
        let known: CollectedRows | undefined
        for (const texts of history) known = await collectRows(foldersOf(texts), known?.folders)
        const fresh = await collectRows(foldersOf(history.at(-1)!))
        expect([...known!.wanted].sort()).toEqual([...fresh.wanted].sort())
        expect(diagnosticsOf(known!.folders)).toEqual(diagnosticsOf(fresh.folders))
      }),
    )
  })
})
