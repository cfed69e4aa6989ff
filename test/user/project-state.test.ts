import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { projectStates } from '../../src/user/project-state.ts'
import { temporaryFolder } from '../files/temporary-folder.ts'

function makeStates() {
  const root = temporaryFolder()
  const places = { userSpace: join(root, 'user'), cacheRoot: join(root, 'cache') }
  const states = projectStates(places)
  onTestFinished(() => states.close())
  return { root, places, states }
}

it('keeps the state of a project in the user space, for its owner alone', () => {
  const { places, states } = makeStates()
  expect(states.find('/srv/p')).toBeUndefined()
  const made = states.make('/srv/p')
  expect(made.place).toBe('user')
  expect(made.path.startsWith(join(places.userSpace, '.ai/state/projects/'))).toBe(true)
  expect(statSync(made.path).mode & 0o777).toBe(0o700)
  expect(JSON.parse(readFileSync(join(made.path, 'project.json'), 'utf8'))).toEqual({ project: '/srv/p' })
  expect(readFileSync(join(places.userSpace, '.ai/state/.gitignore'), 'utf8')).toBe('*\n')
  expect(states.find('/srv/p')).toEqual(made)
  expect(states.make('/srv/p')).toEqual(made)
})

it('falls back to the cache, then to a folder for this process', () => {
  const { places, states } = makeStates()
  writeFileSync(places.userSpace, '')
  const cached = states.make('/srv/p')
  expect(cached.place).toBe('cache')
  expect(cached.path.startsWith(join(places.cacheRoot, 'state/projects/'))).toBe(true)
  expect(states.find('/srv/p')).toEqual(cached)

  const other = makeStates()
  for (const path of Object.values(other.places)) writeFileSync(path, '')
  const kept = other.states.make('/srv/p')
  expect(kept.place).toBe('process')
  expect(other.states.find('/srv/p')).toEqual(kept)
  expect(other.states.find('/srv/q')).toBeUndefined()
  other.states.close()
  expect(existsSync(kept.path)).toBe(false)
  expect(other.states.find('/srv/p')).toBeUndefined()
})

it('writes no note over one that is there', () => {
  const { states } = makeStates()
  const note = join(states.make('/srv/p').path, 'project.json')
  writeFileSync(note, 'changed')
  states.make('/srv/p')
  expect(readFileSync(note, 'utf8')).toBe('changed')
})

it('projects share no folder, and no path leads out of the place for them', () => {
  const { places, states } = makeStates()
  const above = join(places.userSpace, '.ai/state/projects')
  mkdirSync(above, { recursive: true, mode: 0o700 })
  const paths = fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 3 })
  fc.assert(
    fc.property(paths, projects => {
      const folders = projects.map(project => states.make(`/${project}`).path)
      expect(new Set(folders).size).toBe(projects.length)
      for (const folder of folders) expect(join(folder, '..')).toBe(above)
    }),
    { numRuns: 20 },
  )
})
