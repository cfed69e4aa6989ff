import { existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { holdFile } from '../../../src/execute/sandbox/guarded-file.ts'
import { temporaryFolder } from '../../files/temporary-folder.ts'

it.each([
  ['a text', { text: '{}\n' }],
  ['a socket', 'socket'],
] as const)('%s is there while anybody holds it, in a folder with a long name', async (_, guard) => {
  const folder = join(temporaryFolder(), 'long'.repeat(40))
  mkdirSync(folder)
  const path = join(folder, 'guarded')
  const [first, second] = [holdFile(path, guard), holdFile(path, guard)]
  expect(lstatSync(path).mode & 0o7777).toBe(0o1600)
  expect(lstatSync(path).isSocket()).toBe(guard === 'socket')
  await first?.mountPoint.release()
  expect(existsSync(path)).toBe(true)
  await second?.mountPoint.release()
  expect(readdirSync(folder)).toEqual([])
})

it.each(['file', 'folder'])('a %s of the user is not held', kind => {
  const path = join(temporaryFolder(), 'own')
  if (kind === 'file') writeFileSync(path, 'text')
  else mkdirSync(path)
  expect(holdFile(path, 'socket')).toBeNull()
  expect(holdFile(path, { text: '' })).toBeNull()
})

it('what a killed program left is taken over and removed', async () => {
  const path = join(temporaryFolder(), 'guarded')
  const abandoned = holdFile(path, 'socket')
  expect(abandoned).not.toBeNull()
  const next = holdFile(path, 'socket')
  await abandoned?.mountPoint.release()
  await next?.mountPoint.release()
  expect(existsSync(path)).toBe(false)
})
