import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { removeEmptyFolders } from '../../src/files/remove-empty-folders.ts'
import { temporaryFolder } from './temporary-folder.ts'

describe('empty folders', () => {
  it('go, up to one that holds something', () => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'a/b/c/d'), { recursive: true })
    writeFileSync(join(root, 'a/b/file'), '')
    removeEmptyFolders(join(root, 'a/b/c/d'), { root, keep: root })
    expect([existsSync(join(root, 'a/b/c')), existsSync(join(root, 'a/b/file'))]).toEqual([false, true])
  })

  it('go, up to the one that stays', () => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'a/b/c'), { recursive: true })
    removeEmptyFolders(join(root, 'a/b/c'), { root, keep: join(root, 'a') })
    expect([existsSync(join(root, 'a/b')), existsSync(join(root, 'a'))]).toEqual([false, true])
    removeEmptyFolders(join(root, 'a'), { root, keep: join(root, 'a') })
    expect(existsSync(join(root, 'a'))).toBe(true)
  })

  it('are none of ours outside of it', () => {
    const [root, outside] = [temporaryFolder(), temporaryFolder()]
    mkdirSync(join(outside, 'a'))
    removeEmptyFolders(join(outside, 'a'), { root, keep: root })
    expect(existsSync(join(outside, 'a'))).toBe(true)
  })
})
