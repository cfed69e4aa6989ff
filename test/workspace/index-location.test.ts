import { lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { indexBytes, indexLocations } from '../../src/workspace/index-location.ts'
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
