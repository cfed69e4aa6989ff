import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { placeLink, readLink } from '../../src/files/link.ts'
import { temporaryFolder } from './temporary-folder.ts'

describe('a link', () => {
  it('is placed, read and replaced, and nothing else is left', () => {
    const root = temporaryFolder()
    placeLink(join(root, 'a/link'), '../one', { root })
    expect(readLink(join(root, 'a/link'))).toBe('../one')
    placeLink(join(root, 'a/link'), '../two', { root })
    expect(readLink(join(root, 'a/link'))).toBe('../two')
    expect(readdirSync(join(root, 'a'))).toEqual(['link'])
  })

  it('replaces no folder, and leaves nothing when it cannot be placed', () => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'link'))
    writeFileSync(join(root, 'link/kept'), '')
    expect(() => placeLink(join(root, 'link'), 'x', { root })).toThrow(
      expect.objectContaining({ code: 'WRITE_FAILED' }),
    )
    expect(readdirSync(root, { recursive: true }).sort()).toEqual(['link', 'link/kept'])
  })

  it('is not placed through another link', () => {
    const [root, outside] = [temporaryFolder(), temporaryFolder()]
    symlinkSync(outside, join(root, 'a'))
    expect(() => placeLink(join(root, 'a/link'), 'x', { root })).toThrow(
      expect.objectContaining({ code: 'WRITE_FAILED' }),
    )
    expect(readdirSync(outside)).toEqual([])
  })

  it('is none where there is a file, or nothing', () => {
    const root = temporaryFolder()
    writeFileSync(join(root, 'file'), '')
    expect([readLink(join(root, 'file')), readLink(join(root, 'none'))]).toEqual([undefined, undefined])
  })
})
