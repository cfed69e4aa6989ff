import { lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { indexBytes, indexLocations } from '../../src/workspace/index-location.ts'
import { openLibrary } from '../../src/workspace/library.ts'
import { rootsOf } from '../../src/workspace/places.ts'
import { knowledge, scratch } from './scratch.ts'

const FILES = { '.ai/knowledge/notes.md': knowledge('notes', { body: 'a needle' }) }

it('the index of a project lies beside its items', async () => {
  const made = await scratch(FILES)
  expect(indexLocations(made.library, made.project).get('project')).toBe(made.path('.ai/state/index.sqlite'))
})

it.each(['.ai/state', '.ai'])('a link at %s is not followed: the index lies in the cache', async place => {
  const made = await scratch(place === '.ai' ? {} : FILES)
  const outside = join(made.root, 'outside')
  mkdirSync(outside)
  // With this in place nothing has to be written before the index itself.
  writeFileSync(join(outside, '.gitignore'), '')
  symlinkSync(outside, made.path(place))
  const location = indexLocations(made.library, made.project).get('project')!
  expect(location.startsWith(made.library.cacheRoot)).toBe(true)
  const { results } = await made.run('search', { query: 'needle', source: 'project' })
  expect(results).toHaveLength(place === '.ai' ? 0 : 1)
  expect(readdirSync(outside)).toEqual(['.gitignore'])
  expect(lstatSync(made.path(place)).isSymbolicLink()).toBe(true)
})

it('a home that is the project has one index, whichever of the two it is', async () => {
  const made = await scratch({ 'user:.ai/knowledge/notes.md': knowledge('notes') })
  const [home, elsewhere] = [made.user, made.project].map(project => indexLocations(made.library, project))
  expect(home!.get('project')).toBe(made.path('user:.ai/state/index.sqlite'))
  expect(home!.get('project')).toBe(elsewhere!.get('user'))
  expect(home!.get('system')).toBe(elsewhere!.get('system'))
})

it.each(['open', 'closed'])(
  'no index holds two sets of folders, where the places beside items are %s',
  async access => {
    const made = await scratch({
      ...FILES,
      'user:.ai/knowledge/notes.md': knowledge('notes'),
      '../package/.ai/knowledge/notes.md': knowledge('notes'),
      '../other/.ai/knowledge/notes.md': knowledge('notes'),
      '../other/skills/README': '',
    })
    const at = (name: string) => join(made.root, name)
    symlinkSync(at('user'), at('link'))
    symlinkSync(at('other'), at('other/.claude'))
    const projects = ['project', 'user', 'other', 'package'].map(at)
    if (access === 'closed') for (const project of projects) writeFileSync(join(project, '.ai/state'), '')
    const homes = ['user', 'link', 'other'].map(at)
    for (const HOME of homes) {
      for (const USER_SPACE of [...homes, made.project]) {
        const environment = { ...made.environment, HOME, USER_SPACE }
        const library = { ...openLibrary({ environment }), systemRoot: at('package/.ai') }
        const held = new Map<string, string>()
        for (const project of projects) {
          const locations = indexLocations(library, project)
          expect(new Set(locations.values()).size).toBe(3)
          for (const [space, location] of locations) {
            const roots = rootsOf(library, project).filter(root => root.space === space)
            const folders = JSON.stringify(roots.map(root => join(root.base, ...root.segments)))
            expect(held.get(location) ?? folders).toBe(folders)
            held.set(location, folders)
          }
        }
      }
    }
  },
)

it('the size of an index counts what was not moved into it yet, and nothing where there is none', async () => {
  const made = await scratch(FILES)
  expect(indexBytes(made.project)).toBe(0)
  mkdirSync(made.path('.ai/state'), { recursive: true })
  writeFileSync(made.path('.ai/state/index.sqlite'), 'x'.repeat(10))
  expect(indexBytes(made.project)).toBe(10)
  writeFileSync(made.path('.ai/state/index.sqlite-wal'), 'x'.repeat(20))
  expect(indexBytes(made.project)).toBe(30)
  writeFileSync(made.path('file'), '')
  expect(indexBytes(made.path('file'))).toBe(0)
})
