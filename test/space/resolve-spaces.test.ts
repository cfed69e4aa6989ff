import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Extractors } from '../../src/extract/types.ts'
import { SPACES } from '../../src/item/space.ts'
import { resolveSpaces, type SpaceEntry } from '../../src/space/resolve-spaces.ts'
import { systemExtractors } from '../extract/system-extractors.ts'

const extractors: Extractors = await systemExtractors()

function entry(part: Partial<SpaceEntry>): SpaceEntry {
  const whole = {
    type: 'tool',
    id: 'a/b',
    space: 'project',
    extension: '.py',
    folder: 0,
    path: '',
    ...part,
  } as const
  return {
    ...whole,
    path: part.path ?? `/${whole.space}/${whole.folder}/${whole.type}/${whole.id}${whole.extension}`,
  }
}

const show = (found: SpaceEntry) => `${found.space}${found.extension}`

function resolve(...entries: SpaceEntry[]) {
  const { items, duplicates } = resolveSpaces(entries, extractors)
  return {
    items: items.map(item => ({
      entry: show(item.entry),
      shadows: item.shadows.map(show),
      shadowedBy: item.shadowedBy && show(item.shadowedBy),
    })),
    duplicates: duplicates.map(({ entry: loser, kept }) => `${show(kept)} before ${show(loser)}`),
  }
}

describe('precedence', () => {
  it('puts project before user before system, whatever the extension', () => {
    const found = resolve(
      entry({ space: 'system' }),
      entry({ space: 'user', extension: '.sh' }),
      entry({ space: 'project', extension: '.toml' }),
    )
    expect(found).toEqual({
      items: [
        { entry: 'project.toml', shadows: ['user.sh', 'system.py'], shadowedBy: null },
        { entry: 'user.sh', shadows: ['system.py'], shadowedBy: 'project.toml' },
        { entry: 'system.py', shadows: [], shadowedBy: 'project.toml' },
      ],
      duplicates: [],
    })
  })

  it('decides two files of one id in one space by the extension order of the type', () => {
    expect(
      resolve(entry({ extension: '.sh' }), entry({ extension: '.ts' }), entry({ extension: '.py' })),
    ).toEqual({
      items: [{ entry: 'project.py', shadows: [], shadowedBy: null }],
      duplicates: ['project.py before project.ts', 'project.py before project.sh'],
    })
    const knowledge = { type: 'knowledge' } as const
    expect(
      resolve(entry({ ...knowledge, extension: '.yml' }), entry({ ...knowledge, extension: '.md' }))
        .duplicates,
    ).toEqual(['project.md before project.yml'])
  })

  it('says in words which of two files is used', () => {
    const { duplicates } = resolveSpaces([entry({ extension: '.sh' }), entry({})], extractors)
    expect(duplicates[0]!.message).toBe(
      'two files for `tool:a/b@project`: `/project/0/tool/a/b.py` is used, `/project/0/tool/a/b.sh` is not',
    )
  })

  it('puts the skills of `.ai` before those of other folders in the same space only', () => {
    const skill = { type: 'skill', extension: '.md' } as const
    const { items, duplicates } = resolveSpaces(
      [
        entry({ ...skill, space: 'user', folder: 0 }),
        entry({ ...skill, space: 'project', folder: 2 }),
        entry({ ...skill, space: 'project', folder: 1 }),
      ],
      extractors,
    )
    expect(items.map(item => [item.entry.space, item.entry.folder])).toEqual([
      ['project', 1],
      ['user', 0],
    ])
    expect(duplicates.map(found => found.entry.folder)).toEqual([2])
  })

  it('keeps types, and ids that differ in case alone, apart', () => {
    const found = resolve(entry({}), entry({ type: 'knowledge', extension: '.md' }), entry({ id: 'A/b' }))
    expect(found.items).toHaveLength(3)
    expect(found.items.every(item => item.shadows.length === 0)).toBe(true)
  })

  it('does not depend on the order of the listing, and loses no entry', () => {
    const arbitrary = fc.record({
      type: fc.constantFrom('tool', 'knowledge', 'skill', 'unknown' as 'tool'),
      id: fc.constantFrom('a', 'a/b', 'A', '__proto__'),
      space: fc.constantFrom(...SPACES),
      extension: fc.constantFrom('.py', '.md', '.yaml', '.sh', '.none'),
      folder: fc.nat(2),
    })
    const listing = fc
      .uniqueArray(arbitrary.map(entry), { selector: found => found.path, maxLength: 40 })
      .chain(entries =>
        fc.tuple(fc.constant(entries), fc.shuffledSubarray(entries, { minLength: entries.length })),
      )
    fc.assert(
      fc.property(listing, ([entries, shuffled]) => {
        const resolution = resolveSpaces(entries, extractors)
        expect(resolveSpaces(shuffled, extractors)).toEqual(resolution)
        expect(resolution.items.length + resolution.duplicates.length).toBe(entries.length)
        for (const item of resolution.items) {
          for (const shadow of item.shadows) {
            expect(SPACES.indexOf(shadow.space)).toBeGreaterThan(SPACES.indexOf(item.entry.space))
          }
        }
      }),
    )
  })
})
