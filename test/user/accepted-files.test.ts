// Accepted files are kept by their digest: a damaged one is not found, and is stored again.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sha256Hex } from '../../src/base/digest.ts'
import { acceptedFiles } from '../../src/user/accepted-files.ts'

const [ONE, TWO] = [Buffer.from('one\n'), Buffer.from('two, longer\n')]

function keptTwo() {
  const user = mkdtempSync(join(realpathSync(tmpdir()), 'rye-accepted-'))
  onTestFinished(() => rmSync(user, { recursive: true, force: true }))
  acceptedFiles(user).keep([ONE, TWO])
  const folder = join(user, '.ai/state/accepted')
  const pack = join(folder, readdirSync(folder).find(name => name.endsWith('.pack'))!)
  const find = (content: Buffer) => acceptedFiles(user).find(sha256Hex(content))?.toString()
  return { user, folder, pack, find }
}

type Damage = (pack: string) => void
const DAMAGES: readonly (readonly [string, Damage])[] = [
  ['is gone', pack => rmSync(pack)],
  ['was cut short', pack => writeFileSync(pack, readFileSync(pack).subarray(0, 6))],
  ['has other bytes', pack => writeFileSync(pack, `X${readFileSync(pack, 'latin1').slice(1)}`)],
  ['has a list that cannot be read', pack => writeFileSync(pack.replace(/pack$/, 'json'), '{')],
]

describe.each(DAMAGES)('a pack that %s', (_, damage) => {
  it('is not believed, and its files are kept again', () => {
    const { user, pack, find } = keptTwo()
    damage(pack)
    expect(find(ONE)).toBe(undefined)
    const files = acceptedFiles(user)
    files.keep([ONE, TWO])
    expect(files.find(sha256Hex(ONE))?.toString()).toBe('one\n')
    expect([find(ONE), find(TWO)]).toEqual(['one\n', 'two, longer\n'])
  })

  it('is made good file by file', () => {
    const { user, pack, find } = keptTwo()
    damage(pack)
    acceptedFiles(user).keep([ONE])
    expect(find(ONE)).toBe('one\n')
    acceptedFiles(user).keep([TWO])
    expect([find(ONE), find(TWO)]).toEqual(['one\n', 'two, longer\n'])
  })
})

it('a pack that is no file is as good as gone', () => {
  const { user, pack, find } = keptTwo()
  rmSync(pack)
  mkdirSync(pack)
  expect(find(ONE)).toBe(undefined)
  acceptedFiles(user).keep([ONE])
  expect(find(ONE)).toBe('one\n')
})

it('what is kept and whole is not written again', () => {
  const { user, folder } = keptTwo()
  const before = readdirSync(folder)
  acceptedFiles(user).keep([TWO, ONE, TWO])
  expect(readdirSync(folder)).toEqual(before)
})

it('is told without reading it, as far as lengths tell it', () => {
  const { user, pack } = keptTwo()
  const has = () => acceptedFiles(user).has(sha256Hex(ONE))
  expect(has()).toBe(true)
  expect(acceptedFiles(user).has(sha256Hex('other'))).toBe(false)
  writeFileSync(pack, 'cut')
  expect(has()).toBe(false)
})
