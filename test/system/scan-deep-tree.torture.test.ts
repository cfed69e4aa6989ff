import { mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { WALK_LIMITS, walk } from '../../src/scan/walk.ts'
import { makeQuickFolder } from '../fixtures/quick-folder.ts'

describe('a tree of 10 000 levels', () => {
  it('ends at the depth cap, and without one at the longest path', () => {
    const root = makeQuickFolder()
    writeFileSync(join(root, 'ok.md'), '')
    const start = process.cwd()
    // No path is long enough to make or remove such a tree: it is done step by step.
    process.chdir(root)
    let level = 0
    try {
      for (; level < 10_000; level++) {
        mkdirSync('d')
        process.chdir('d')
      }
      for (const [depth, reason] of [
        [WALK_LIMITS.depth, 'too-deep'],
        [Number.MAX_SAFE_INTEGER, 'unreadable'],
      ] as const) {
        const { files, skipped } = walk(root, { depth })
        expect(files.map(file => file.path)).toEqual(['ok.md'])
        expect(skipped.map(entry => entry.reason)).toEqual([reason])
      }
    } finally {
      for (; level > 0; level--) {
        process.chdir('..')
        rmdirSync('d')
      }
      process.chdir(start)
      rmSync(root, { recursive: true })
    }
  })
})
