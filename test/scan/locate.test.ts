import { mkdirSync, symlinkSync, truncateSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SPACES } from '../../src/item/space.ts'
import { listItems } from '../../src/scan/list-items.ts'
import { type LocateRequest, locate } from '../../src/scan/locate.ts'
import { WALK_LIMITS } from '../../src/scan/walk.ts'
import { resolveSpaces } from '../../src/space/resolve-spaces.ts'
import { systemExtractors } from '../extract/system-extractors.ts'
import { createLibrary, type Library, ODD_CASES } from './library.ts'

const extractors = await systemExtractors()

function find(library: Library, request: LocateRequest) {
  const { found, duplicates, skipped } = locate(library.roots, extractors, request)
  const short = (path: string) => path.slice(library.root.length + 1)
  return {
    found: found.map(({ entry, shadows, shadowedBy }) => ({
      path: short(entry.path),
      shadows: shadows.map(shadow => short(shadow.path)),
      shadowedBy: shadowedBy && short(shadowedBy.path),
    })),
    duplicates: duplicates.map(duplicate => short(duplicate.entry.path)),
    skipped: skipped.map(entry => `${entry.reason} ${short(entry.path)}`),
  }
}

const NOTHING = { found: [], duplicates: [], skipped: [] }

describe('locating an id', () => {
  it('takes the first space that has it, and names what it shadows', () => {
    const library = createLibrary('user/.ai/tools/rye/bash.sh', 'system/tools/rye/bash.py')
    expect(find(library, { id: 'rye/bash', type: 'tool' }).found).toEqual([
      { path: 'user/.ai/tools/rye/bash.sh', shadows: ['system/tools/rye/bash.py'], shadowedBy: null },
    ])
  })

  it('reaches a shadowed item by its space', () => {
    const library = createLibrary('project/.ai/tools/a.sh', 'user/.ai/tools/a.py', 'system/tools/a.py')
    expect(find(library, { id: 'a', type: 'tool', space: 'user' }).found).toEqual([
      { path: 'user/.ai/tools/a.py', shadows: ['system/tools/a.py'], shadowedBy: 'project/.ai/tools/a.sh' },
    ])
    expect(find(createLibrary('project/.ai/tools/a.sh'), { id: 'a', type: 'tool', space: 'system' })).toEqual(
      NOTHING,
    )
  })

  it('finds `Skill.md`, and takes `SKILL.md` where both are', () => {
    const library = createLibrary(...ODD_CASES, 'project/.ai/skills/none/SKILL.md/x.txt')
    const pathOf = (id: string) => find(library, { id, type: 'skill' }).found[0]?.path
    expect(['odd', 'both', 'folder', 'odd/inner'].map(pathOf)).toEqual([
      'project/.ai/skills/odd/Skill.md',
      'project/.ai/skills/both/SKILL.md',
      'project/.ai/skills/folder/skill.md',
      undefined,
    ])
    expect(find(library, { id: 'none', type: 'skill' }).skipped).toEqual([
      'special-file project/.ai/skills/none/SKILL.md',
    ])
  })

  it('tries extensions in order, and names the file that is not used', () => {
    const library = createLibrary(
      'project/.ai/tools/a.sh',
      'project/.ai/tools/a.mts',
      'project/.ai/tools/a.js',
    )
    expect(find(library, { id: 'a', type: 'tool' })).toMatchObject({
      found: [{ path: 'project/.ai/tools/a.mts' }],
      duplicates: ['project/.ai/tools/a.js', 'project/.ai/tools/a.sh'],
    })
  })

  it('looks for one file alone where its space and extension are known', () => {
    const library = createLibrary(
      'project/.ai/tools/a.py',
      'project/.ai/tools/a.sh',
      'user/.ai/tools/a.sh',
      'system/tools/a.sh',
      'user/.claude/skills/a/SKILL.md',
    )
    const known = { id: 'a', space: 'user', type: 'tool', onlyExtension: '.sh' } as const
    expect(find(library, known)).toEqual({
      found: [{ path: 'user/.ai/tools/a.sh', shadows: [], shadowedBy: null }],
      duplicates: [],
      skipped: [],
    })
    expect(find(library, { ...known, onlyExtension: '.py' })).toEqual(NOTHING)
    expect(find(library, { ...known, type: 'skill', onlyExtension: '.md' }).found).toMatchObject([
      { path: 'user/.claude/skills/a/SKILL.md' },
    ])
  })

  it('finds an id under every item type when none is given, and never under config', () => {
    const library = createLibrary(
      'project/.ai/tools/a.sh',
      'system/knowledge/a.md',
      'user/.claude/skills/a/SKILL.md',
      'project/.ai/config/a.yaml',
    )
    expect(find(library, { id: 'a' }).found.map(found => found.path)).toEqual([
      'system/knowledge/a.md',
      'user/.claude/skills/a/SKILL.md',
      'project/.ai/tools/a.sh',
    ])
    expect(find(library, { id: 'a', type: 'config' }).found).toHaveLength(1)
  })

  it('refuses what is no id before it looks', () => {
    for (const id of [
      '',
      '../a',
      '/etc/passwd',
      'a//b',
      'a/../b',
      'a\0b',
      '.ai',
      'a\nb',
      'ünï',
      'x'.repeat(256),
    ]) {
      expect(() => locate([], extractors, { id })).toThrow(expect.objectContaining({ code: 'INVALID_ID' }))
    }
  })

  it('takes no link, wherever on the way it stands', () => {
    const library = createLibrary('outside/a.sh', 'project/.ai/tools/real/')
    const { root } = library
    symlinkSync(`${root}/outside`, `${root}/project/.ai/tools/linked`)
    symlinkSync(`${root}/outside/a.sh`, `${root}/project/.ai/tools/real/a.sh`)
    symlinkSync('loop', `${root}/project/.ai/tools/loop`)
    expect(find(library, { id: 'linked/a', type: 'tool' })).toEqual({
      ...NOTHING,
      skipped: ['symbolic-link project/.ai/tools/linked'],
    })
    expect(find(library, { id: 'real/a', type: 'tool' }).skipped).toEqual([
      'symbolic-link project/.ai/tools/real/a.sh',
    ])
    expect(find(library, { id: 'loop/a', type: 'tool' }).found).toEqual([])
  })

  it('takes no item through an `.ai` that is a link in a project', () => {
    const library = createLibrary('outside/tools/a.sh')
    symlinkSync(`${library.root}/outside`, `${library.root}/project/.ai`)
    expect(find(library, { id: 'a', type: 'tool' })).toEqual({
      ...NOTHING,
      skipped: ['symbolic-link project/.ai'],
    })
  })

  it('passes over a link and takes the next extension or space', () => {
    const library = createLibrary('project/.ai/tools/a.sh', 'user/.ai/tools/b.py', 'outside.py')
    symlinkSync(`${library.root}/outside.py`, `${library.root}/project/.ai/tools/a.py`)
    symlinkSync(`${library.root}/outside.py`, `${library.root}/project/.ai/tools/b.py`)
    expect(find(library, { id: 'a', type: 'tool' }).found).toMatchObject([{ path: 'project/.ai/tools/a.sh' }])
    expect(find(library, { id: 'b', type: 'tool' }).found).toMatchObject([{ path: 'user/.ai/tools/b.py' }])
  })

  it('takes regular files within the size cap alone', () => {
    const library = createLibrary('project/.ai/tools/big.py')
    mkdirSync(`${library.root}/project/.ai/tools/folder.py`)
    truncateSync(`${library.root}/project/.ai/tools/big.py`, WALK_LIMITS.fileBytes + 1)
    expect(find(library, { id: 'big', type: 'tool' }).skipped).toEqual(['too-large project/.ai/tools/big.py'])
    expect(find(library, { id: 'folder', type: 'tool' }).skipped).toEqual([
      'special-file project/.ai/tools/folder.py',
    ])
  })

  it('finds nothing where there is nothing, without a word', () => {
    const library = createLibrary('project/.ai/tools/file.py')
    for (const id of ['absent', 'file/below', 'file.py', 'n'.repeat(255), `${'d/'.repeat(127)}x`]) {
      expect(find(library, { id })).toEqual(NOTHING)
    }
  })

  it('finds a skill by its folder, and no skill inside another', () => {
    const library = createLibrary(
      'project/.ai/skills/office/pdf/SKILL.md',
      'project/.ai/skills/office/pdf/in/SKILL.md',
      'project/.ai/skills/word/SKILL.md',
      'project/.ai/skills/word/in/far/SKILL.md',
    )
    expect(find(library, { id: 'office/pdf', type: 'skill' }).found).toHaveLength(1)
    expect(find(library, { id: 'office/pdf/in', type: 'skill' })).toEqual(NOTHING)
    expect(find(library, { id: 'office', type: 'skill' })).toEqual(NOTHING)
    expect(find(library, { id: 'word/in/far', type: 'skill' })).toEqual(NOTHING)
  })

  it('reaches a name that walks skip', () => {
    const library = createLibrary('project/.ai/tools/_lib/helper.py')
    expect(find(library, { id: '_lib/helper', type: 'tool' }).found).toHaveLength(1)
  })

  it('answers as a listing does, for every item of it', () => {
    const path = fc
      .tuple(
        fc.constantFrom('project/.ai', 'user/.ai', 'system'),
        fc.constantFrom('tools', 'knowledge', 'skills', 'directives'),
        fc.constantFrom('a', 'b/a', 'b/c', 'A'),
        fc.constantFrom('.py', '.md', '.yaml', '/SKILL.md', '/x/SKILL.md', '.json'),
      )
      .map(([space, folder, id, end]) => `${space}/${folder}/${id}${end}`)
    fc.assert(
      fc.property(fc.uniqueArray(path, { minLength: 1, maxLength: 15 }), paths => {
        const library = createLibrary(...paths)
        const { items } = resolveSpaces(listItems(library.roots, extractors).items, extractors)
        for (const { entry, shadows, shadowedBy } of items) {
          const { found } = locate(library.roots, extractors, entry)
          expect(found.map(located => located.entry.path)).toEqual([entry.path])
          expect(found[0]!.shadows.map(shadow => shadow.path)).toEqual(shadows.map(shadow => shadow.path))
          expect(found[0]!.shadowedBy?.path).toBe(shadowedBy?.path)
        }
        const listed = new Set(items.map(item => item.entry.path))
        for (const id of ['a', 'b/a', 'b/c', 'A', 'a/x', 'b/a/x']) {
          for (const space of SPACES) {
            for (const { entry } of locate(library.roots, extractors, { id, space }).found) {
              expect(listed).toContain(entry.path)
            }
          }
        }
      }),
      { numRuns: 25 },
    )
  })
})
