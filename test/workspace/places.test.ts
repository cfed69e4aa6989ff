// The user's folders follow the given environment, never that of this process.
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cacheRootOf, homeOf, userSpaceOf } from '../../src/workspace/places.ts'

beforeEach(() => {
  for (const name of ['HOME', 'USERPROFILE', 'USER_SPACE', 'XDG_CACHE_HOME'])
    vi.stubEnv(name, '/of/the/process')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

it('the home directory is the one that the environment names', () => {
  expect(homeOf({ HOME: '/home/ann' })).toBe('/home/ann')
  expect(userSpaceOf({ HOME: '/home/ann' })).toBe('/home/ann')
  expect(userSpaceOf({ HOME: '/home/ann', USER_SPACE: '~/items' })).toBe('/home/ann/items')
  expect(cacheRootOf({ HOME: '/home/ann' })).toBe('/home/ann/.cache/rye')
})

it.each([[{}], [{ HOME: '' }], [{ HOME: undefined }]])(
  'without one it is what the system knows: %j',
  environment => {
    const { homedir } = userInfo()
    expect(homeOf(environment)).toBe(homedir)
    expect(userSpaceOf(environment)).toBe(homedir)
    expect(cacheRootOf(environment)).toBe(join(homedir, '.cache', 'rye'))
  },
)

it('a relative one is refused', () => {
  expect(() => homeOf({ HOME: 'ann' })).toThrow('`HOME`: expected an absolute path, got `ann`')
})
