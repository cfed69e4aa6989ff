// A second scan of skill directories finds what a walk would find, and says which skills need no reading.
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { findSkillFolders } from '../../../src/skills/folders/find-skill-folders.ts'
import { type KeptScan, type ScannedTree, startScan } from '../../../src/skills/folders/scan-again.ts'
import { temporaryTree } from '../../scan/temporary-tree.ts'

const FILES = {
  'README.md': 'x',
  'one/SKILL.md': '# One',
  'one/scripts/a.py': 'x',
  'group/two/SKILL.md': '# Two',
  'group/two/references/r.md': 'x',
  'group/two/example/SKILL.md': '# Example',
  'three/skill.md': '# Three',
  'loose/scripts/a.py': 'x',
}

afterEach(() => void vi.useRealTimers())

async function scan(root: string, last?: KeptScan) {
  return (await startScan([root]))(last)
}

const touched = (tree: ScannedTree) => tree.touched?.map(({ path }) => path)

/** All that a tree says, read through. */
function readAll({ root, skills, diagnostics }: Omit<ScannedTree, 'paths'>) {
  return {
    root,
    diagnostics: [...diagnostics].sort((a, b) => (a.path < b.path ? -1 : 1)),
    skills: skills().map(({ path, stamp, read }) => ({ path, stamp: stamp(), ...read() })),
  }
}

describe.runIf(process.platform === 'linux')('a second scan', () => {
  it('leaves every skill as it was where nothing was written', async () => {
    const root = temporaryTree(FILES)
    const { kept } = await scan(root)
    const again = await scan(root, kept)
    expect(again.isSame).toBe(true)
    expect(touched(again.trees[0]!)).toEqual([])
  })

  it('finds the skill whose file was written, wherever in it that file is', async () => {
    const root = temporaryTree(FILES)
    const { kept } = await scan(root)
    appendFileSync(join(root, 'group/two/example/SKILL.md'), 'more')
    const again = await scan(root, kept)
    expect(again.isSame).toBe(false)
    expect(touched(again.trees[0]!)).toEqual(['group/two'])
  })

  it('looks behind a link that was named itself', async () => {
    const root = temporaryTree(FILES)
    const link = join(temporaryTree(), 'link')
    symlinkSync(root, link)
    const { kept } = await scan(link)
    appendFileSync(join(root, 'one/SKILL.md'), 'more')
    expect(touched((await scan(link, kept)).trees[0]!)).toEqual(['one'])
  })

  it('is not compared with one at other directories', async () => {
    const [root, other] = [temporaryTree(FILES), temporaryTree(FILES)]
    const { kept } = await scan(root)
    expect(touched((await scan(other, kept)).trees[0]!)).toBeUndefined()
    expect((await startScan([root, other]))(kept).trees.map(touched)).toEqual([undefined, undefined])
  })

  it('is not compared with one under other names', async () => {
    const root = temporaryTree(FILES)
    const { kept } = await scan(root)
    expect((await startScan([root], () => 'other'))(kept).trees.map(touched)).toEqual([undefined])
  })

  it('refuses what is no directory', () => {
    const root = temporaryTree(FILES)
    expect(() => startScan([join(root, 'README.md')])).toThrow(/got a file/)
  })

  it('finds what a walk finds, whatever has happened', async () => {
    // Later than any file: then each has a stamp.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
    const put = (path: string) => (root: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), `written ${Math.random()}`)
    }
    const steps: readonly ((root: string) => void)[] = [
      ...Object.keys(FILES).map(put),
      put('one/new.md'),
      put('four/SKILL.md'),
      put('one/large.bin'),
      root => writeFileSync(join(root, 'one/scripts/a.py'), Buffer.alloc(8_000_001)),
      root => rmSync(join(root, 'three'), { recursive: true, force: true }),
      root => rmSync(join(root, 'group/two/SKILL.md'), { force: true }),
      root => {
        rmSync(join(root, 'loose/scripts/a.py'), { force: true })
        symlinkSync('../../README.md', join(root, 'loose/scripts/a.py'))
      },
    ]
    const round = fc.array(fc.constantFrom(...steps.keys()), { maxLength: 2 })
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 3 }), async rounds => {
        const root = temporaryTree(FILES)
        let { kept } = await scan(root)
        for (const numbers of rounds) {
          for (const number of numbers) steps[number]!(root)
          const again = await scan(root, kept)
          const walked = findSkillFolders(root)
          expect(readAll(again.trees[0]!)).toEqual(readAll({ ...walked, skills: () => walked.skills }))
          kept = again.kept
        }
      }),
      { numRuns: 20 },
    )
  })
})
