// Reading many skills yields in between, so that the caller can cancel it.
import { expect, it } from 'vitest'
import { readInTurns } from '../../../src/actions/skills/read-in-turns.ts'
import { readSkill } from '../../../src/skills/read/read-skill.ts'
import { collectRows, type FolderToIndex } from '../../../src/skills/table/collect-rows.ts'
import { makeFolder } from '../../skills/library.ts'

const SKILLS = 3000

it('a call that is cancelled from outside ends before all skills are read', async () => {
  const controller = new AbortController()
  let read = 0
  const folders = Array.from(
    { length: SKILLS },
    (_, number): FolderToIndex => ({
      key: `s${number}`,
      stamp: () => undefined,
      async read() {
        read++
        // As reading files does, without a pause.
        for (const end = performance.now() + 1; performance.now() < end; );
        const skill = await readSkill(makeFolder(`s${number}`, { 'SKILL.md': '# One\n\nDoes.\n' }))
        const seal = { digest: null, trust: { status: 'unsigned', signer: null } }
        return { skill, itemId: `s${number}`, root: '.', seal, diagnostics: [] }
      },
    }),
  )
  const shown: number[] = []
  const context = {
    signal: controller.signal,
    onProgress: ({ done }: { readonly done?: number }) => shown.push(done ?? -1),
  }
  setTimeout(() => controller.abort(new Error('enough')), 10)
  await expect(
    collectRows({ all: () => folders }, undefined, { onFolder: readInTurns(context) }),
  ).rejects.toThrow('enough')
  expect(read).toBeLessThan(SKILLS)
  expect(shown).toEqual([...Array(read).keys()])
})
