import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { indexBytes, indexLocations } from '../../src/workspace/index-location.ts'
import { openLibrary } from '../../src/workspace/library.ts'
import { rootsOf } from '../../src/workspace/places.ts'
import { knowledge, scratch } from './scratch.ts'

const FILES = { '.ai/knowledge/notes.md': knowledge('notes', { body: 'a needle' }) }

it('every index lies in the cache of the user, private to the user', async () => {
  const made = await scratch(FILES)
  for (const location of indexLocations(made.library, made.project).values()) {
    expect(location.startsWith(`${made.library.cacheRoot}/index/`)).toBe(true)
    expect(statSync(dirname(location)).mode & 0o777).toBe(0o700)
  }
  await made.run('search', { query: 'needle' })
  expect(readdirSync(made.path('.ai'))).toEqual(['knowledge'])
})

it('a link in place of the folder of an index is not followed: the index lives in memory', async () => {
  const made = await scratch(FILES)
  const outside = join(made.root, 'outside')
  mkdirSync(outside)
  const folder = dirname(indexLocations(made.library, made.project).get('project')!)
  rmSync(folder, { recursive: true })
  symlinkSync(outside, folder)
  expect(indexLocations(made.library, made.project).get('project')).toBe(':memory:')
  const { results } = await made.run('search', { query: 'needle', source: 'project' })
  expect(results).toHaveLength(1)
  expect(readdirSync(outside)).toEqual([])
})

it('a cache that lies in the project is not used, unless the whole home does', async () => {
  const made = await scratch(FILES)
  const at = (HOME: string) =>
    openLibrary({ environment: { ...made.environment, HOME, XDG_CACHE_HOME: made.path('cache') } })
  expect(indexLocations(at(made.user), made.project).get('project')).toBe(':memory:')
  expect(indexLocations(at(made.path('home')), made.project).get('project')).not.toBe(':memory:')
})

it('an index of folders that are gone is removed after a while', async () => {
  const made = await scratch(FILES)
  const locate = (name: string) => {
    mkdirSync(join(made.root, name))
    return dirname(indexLocations(made.library, join(made.root, name)).get('project')!)
  }
  const [gone, present] = [locate('gone'), locate('present')]
  rmSync(join(made.root, 'gone'), { recursive: true })
  const old = new Date(Date.now() - 31 * 24 * 3_600_000)
  for (const folder of [gone, present]) utimesSync(join(folder, 'folders.txt'), old, old)
  locate('another')
  expect([existsSync(gone), existsSync(present)]).toEqual([false, true])
})

it('a home that is the project has one index, whichever of the two it is', async () => {
  const made = await scratch({ 'user:.ai/knowledge/notes.md': knowledge('notes') })
  const [home, elsewhere] = [made.user, made.project].map(project => indexLocations(made.library, project))
  expect(home!.get('project')).toBe(elsewhere!.get('user'))
  expect(home!.get('system')).toBe(elsewhere!.get('system'))
})

it('no index holds two sets of folders', async () => {
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
})

it('the size of an index counts what was not moved into it yet, and nothing where there is none', async () => {
  const made = await scratch(FILES)
  expect(indexBytes(made.library, made.project)).toBe(0)
  const location = indexLocations(made.library, made.project).get('project')!
  writeFileSync(location, 'x'.repeat(10))
  expect(indexBytes(made.library, made.project)).toBe(10)
  writeFileSync(`${location}-wal`, 'x'.repeat(20))
  expect(indexBytes(made.library, made.project)).toBe(30)
})
