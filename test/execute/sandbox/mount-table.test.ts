import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Access } from '../../../src/execute/sandbox/bubblewrap-arguments.ts'
import { MountTable } from '../../../src/execute/sandbox/mount-table.ts'

const STRICTEST_FIRST: readonly Access[] = ['hidden', 'read-only', 'writable', 'private']

it('the strictest of several for one path wins, in whatever order they are added', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...STRICTEST_FIRST), { minLength: 1 }), accesses => {
      const table = new MountTable()
      for (const access of accesses) table.add('/a', access)
      expect(table.list()).toEqual([
        { path: '/a', kind: 'directory', access: STRICTEST_FIRST.find(access => accesses.includes(access)) },
      ])
    }),
  )
})

it('a path is as its own mount says, or the nearest above, or the root', () => {
  const table = new MountTable()
  table.add('/home', 'private')
  table.add('/home/ada/p', 'writable')
  table.add('/home/ada/p/.env', 'hidden', 'file')
  expect(
    ['/etc', '/home', '/home/ada', '/home/ada/p', '/home/ada/p/x/y'].map(path => table.accessAt(path)),
  ).toEqual(['read-only', 'private', 'private', 'writable', 'writable'])
  expect(table.accessAt('/home/ada/p/.env')).toBe('hidden')
  // A name that begins alike is not below.
  expect(table.accessAt('/home/ada/p2')).toBe('private')
  expect(table.accessAt('/homes')).toBe('read-only')
  expect(table.has('/home/ada')).toBe(false)
  expect(table.has('/home/ada/p')).toBe(true)
})

it.each([
  ['private', true],
  ['hidden', true],
  ['read-only', false],
  ['writable', false],
] as const)('what is %s is covered: %s', (access, isCovered) => {
  const table = new MountTable()
  table.add('/a', access)
  expect([table.isCovered('/a'), table.isCovered('/a/b'), table.isCovered('/b')]).toEqual([
    isCovered,
    isCovered,
    false,
  ])
})
