import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nameSkills, type SkillSource } from '../../../src/actions/skills/name-skills.ts'

interface Directory extends SkillSource {
  readonly paths: readonly string[]
}

const SPACES = [
  { name: 'project', rank: 0 },
  { name: 'project', rank: 1 },
  { name: 'user', rank: 10 },
  undefined,
] as const

function namesOf(directories: readonly Directory[]): Record<string, string> {
  const names = nameSkills(
    directories,
    directories.map(({ paths }) => paths),
    () => [],
  )
  return Object.fromEntries(
    directories.flatMap(({ root, paths }, index) =>
      paths.flatMap(path => {
        const name = names.skillNameAt(index, path)
        return name
          ? [[`${root}/${path}`, [name.itemId, ...(name.source ? [name.source] : [])].join('@')]]
          : []
      }),
    ),
  )
}

const directory = fc
  .record({
    label: fc.constantFrom('a', 'b/skills', 'skills', 'skills-2', 'c', 'c/team'),
    space: fc.constantFrom(...SPACES),
    paths: fc.uniqueArray(fc.constantFrom('pdf', 'tax', 'team/pdf', 'git', 'git.commit', 'pdf@a')),
  })
  .map(
    ({ label, space, paths }): Directory => ({
      root: `/w/${label}`,
      name: label,
      label,
      prefix: '',
      space,
      paths,
    }),
  )

/** As they are on a disk: a folder is one directory, and one place in the order of a space. */
const directories = fc
  .uniqueArray(directory, { selector: ({ label }) => label, maxLength: 5 })
  .map(all =>
    all.filter(
      ({ space }, index) => !space || all.findIndex(other => other.space?.rank === space.rank) === index,
    ),
  )

it('ids of skills are unique, and do not depend on the order of directories', () => {
  fc.assert(
    fc.property(directories, all => {
      const ids = namesOf(all)
      expect(new Set(Object.values(ids)).size).toBe(Object.keys(ids).length)
      expect(namesOf([...all].reverse())).toEqual(ids)
    }),
  )
})

it('ids of skills do not move when another directory is renamed, or one without a skill of the same id comes', () => {
  fc.assert(
    fc.property(directories, all => {
      const ids = namesOf(all)
      const other = { root: '/x', name: 'x', label: 'x', prefix: '', space: undefined }
      expect(namesOf([...all, { ...other, paths: ['other'] }])).toMatchObject(ids)
      const free = all.filter(({ space, label }) => !space && !label.startsWith('c'))
      for (const one of free) {
        const renamed = namesOf(all.map(each => (each === one ? { ...one, ...other } : each)))
        for (const [path, id] of Object.entries(ids))
          if (!path.startsWith(`${one.root}/`)) expect(renamed[path]).toBe(id)
      }
    }),
  )
})

it('a skill that `execute` finds elsewhere keeps its id', () => {
  const source = { root: '/w/more', name: 'more', label: 'more', prefix: '' }
  const nameOf = (space: SkillSource['space'], other: NonNullable<SkillSource['space']>) =>
    nameSkills([{ ...source, space }], [['pdf']], () => [other]).skillNameAt(0, 'pdf')!.source
  const [project, claude, user] = SPACES
  expect(nameOf(undefined, user)).toBe('more')
  expect(nameOf(user, project)).toBe('user')
  expect(nameOf(claude, project)).toBe('more')
  expect(nameOf(project, user)).toBe(undefined)
})
