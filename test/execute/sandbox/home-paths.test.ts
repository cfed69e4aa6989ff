import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  homeDirectories,
  installedPaths,
  librariesBeside,
  visibleEntries,
} from '../../../src/execute/sandbox/home-paths.ts'
import { temporaryFolder } from '../../files/temporary-folder.ts'

const HOME = '/home/ada'

it('every home of the machine is one, whatever HOME says', () => {
  expect(homeDirectories('/elsewhere')).toEqual(expect.arrayContaining(['/elsewhere', '/root', '/home']))
  for (const path of homeDirectories('/elsewhere')) expect(path).toMatch(/^\//)
})

it.each([
  [`${HOME}/tools/bin`, true],
  [`${HOME}/tools/sbin`, true],
  [`${HOME}/.pyenv/shims`, true],
  [`${HOME}/tools`, false],
  [`${HOME}/tools/bins`, false],
  // These hold the things of many programs.
  [`${HOME}/.local/bin`, false],
  [`${HOME}/.cargo/bin`, false],
  [`${HOME}/.config/bin`, false],
  [`${HOME}/.cache/bin`, false],
  // The libraries beside these would be parts of a home, or of the root.
  [`${HOME}/bin`, false],
  ['/home/bob/bin', false],
  ['/bin', false],
])('libraries beside %s: %s', (directory, has) => {
  const beside = librariesBeside(directory, [HOME])
  expect(beside.length > 0).toBe(has)
  if (has) expect(beside).toContain(join(directory, '../lib'))
})

it('no PATH opens a home, what lies above one, or a relative folder', () => {
  const segment = fc.constantFrom('home', 'ada', 'bob', 'usr', 'bin', 'x', '.', '..', '')
  const folder = fc
    .record({ start: fc.constantFrom('/', '//', '', './', `${HOME}/`), segments: fc.array(segment) })
    .map(({ start, segments }) => start + segments.join('/'))
  const isAtOrAbove = (path: string, home: string) => !relative(path, home).startsWith('..')
  fc.assert(
    fc.property(fc.array(folder), fc.constantFrom([HOME], [HOME, '/home']), (folders, homes) => {
      const paths = installedPaths(homes, folders.join(':'))
      for (const path of paths) {
        expect(path).toMatch(/^\/./)
        for (const home of homes) expect(isAtOrAbove(path, home)).toBe(false)
      }
      const wanted = folders.filter(path => isAbsolute(path)).map(path => resolve(path))
      expect(paths.includes(`${HOME}/bin`)).toBe(wanted.includes(`${HOME}/bin`))
      expect(paths.includes('/usr/bin')).toBe(wanted.includes('/usr/bin'))
    }),
  )
})

it.each(['.ssh', '.aws', '.config', '.cargo', '.local', '.local/share', '.npmrc', '.netrc'])(
  '%s is never among what is installed',
  name => {
    expect(installedPaths([HOME], '')).not.toContain(`${HOME}/${name}`)
  },
)

it('of a home that is a project, files and folders without a leading dot are seen', () => {
  const home = temporaryFolder()
  for (const name of ['work', '.ssh']) mkdirSync(join(home, name))
  for (const name of ['notes.md', '.netrc']) writeFileSync(join(home, name), '')
  symlinkSync('.ssh', join(home, 'link'))
  expect(visibleEntries(home).sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: join(home, 'notes.md'), kind: 'file' },
    { path: join(home, 'work'), kind: 'directory' },
  ])
  expect(visibleEntries('/home')).toEqual([])
})
