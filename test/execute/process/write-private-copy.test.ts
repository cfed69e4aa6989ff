import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writePrivateCopy } from '../../../src/execute/process/write-private-copy.ts'
import { ownerTag } from '../../../src/files/temporary-name.ts'
import { makeDirectory, makePrivateCopy } from '../hand-made-plan.ts'

const FILES = { 'tool.py': 'print(1)\n', 'lib/helper.py': 'x = 1\n' }

function make() {
  const copy = makePrivateCopy(join(makeDirectory(), 'cache'), FILES)
  writePrivateCopy(copy)
  return copy
}

function content(directory: string): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    name => !lstatSync(join(directory, name)).isDirectory(),
  )
  return Object.fromEntries(files.sort().map(name => [name, readFileSync(join(directory, name), 'utf8')]))
}

describe('writePrivateCopy', () => {
  it('writes private directories and read-only files', () => {
    const { directory } = make()
    expect(content(directory)).toEqual({ 'lib/helper.py': 'x = 1\n', 'tool.py': 'print(1)\n' })
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    expect(statSync(join(directory, 'lib')).mode & 0o777).toBe(0o700)
    expect(statSync(join(directory, 'tool.py')).mode & 0o222).toBe(0)
  })

  it('leaves a sound copy untouched', () => {
    const copy = make()
    const before = statSync(join(copy.directory, 'tool.py')).ino
    writePrivateCopy(copy)
    expect(statSync(join(copy.directory, 'tool.py')).ino).toBe(before)
  })

  it.each([
    ['changed bytes', (path: string) => rewrite(join(path, 'tool.py'), 'print(2)\n')],
    ['changed bytes below', (path: string) => rewrite(join(path, 'lib/helper.py'), 'y = 2\n')],
    ['a missing file', (path: string) => rmSync(join(path, 'tool.py'))],
    ['a missing directory', (path: string) => rmSync(join(path, 'lib'), { recursive: true })],
    ['a planted file', (path: string) => writeFileSync(join(path, 'os.py'), 'evil')],
    ['a planted cache', (path: string) => plant(join(path, '__pycache__/tool.pyc'))],
    ['a planted cache below', (path: string) => plant(join(path, 'lib/__pycache__/helper.pyc'))],
    ['a link in place of a file', (path: string) => relink(join(path, 'tool.py'))],
    ['a link in place of a directory', (path: string) => relink(join(path, 'lib'))],
    ['a directory in place of a file', (path: string) => plantDirectory(join(path, 'tool.py'))],
    ['a loose mode', (path: string) => chmodSync(path, 0o777)],
  ])('repairs %s', (_, damage) => {
    const copy = make()
    damage(copy.directory)
    writePrivateCopy(copy)
    expect(content(copy.directory)).toEqual({ 'lib/helper.py': 'x = 1\n', 'tool.py': 'print(1)\n' })
    expect(statSync(copy.directory).mode & 0o777).toBe(0o700)
    expect(lstatSync(join(copy.directory, 'tool.py')).isFile()).toBe(true)
  })

  it('leaves the unfinished file of another process alone, as long as that process runs', () => {
    const copy = make()
    const nameOf = (pid: number) => `.rye-${ownerTag()}-${pid}-${'0'.repeat(16)}.tmp`
    const dead = spawnSync(process.execPath, ['-e', '']).pid
    for (const pid of [process.pid, dead]) writeFileSync(join(copy.directory, nameOf(pid)), 'half')
    mkdirSync(join(copy.directory, 'lib', nameOf(process.pid)))
    writePrivateCopy(copy)
    expect(readdirSync(copy.directory).sort()).toEqual([nameOf(process.pid), 'lib', 'tool.py'])
    expect(readdirSync(join(copy.directory, 'lib'))).toEqual(['helper.py'])
  })

  it('refuses a link in place of the copy', () => {
    const copy = make()
    rmSync(copy.directory, { recursive: true })
    const elsewhere = makeDirectory()
    symlinkSync(elsewhere, copy.directory)
    expect(() => writePrivateCopy(copy)).toThrow(expect.objectContaining({ code: 'WRITE_FAILED' }))
    expect(existsSync(join(elsewhere, 'tool.py'))).toBe(false)
  })
})

function rewrite(path: string, text: string): void {
  rmSync(path)
  writeFileSync(path, text)
}

function plant(path: string): void {
  mkdirSync(join(path, '..'))
  writeFileSync(path, 'evil')
}

function relink(path: string): void {
  rmSync(path, { recursive: true })
  symlinkSync('/etc/passwd', path)
}

function plantDirectory(path: string): void {
  rmSync(path)
  mkdirSync(path)
}
