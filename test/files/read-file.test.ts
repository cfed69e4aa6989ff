import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readFile } from '../../src/files/read-file.ts'
import { temporaryFolder } from './temporary-folder.ts'

const limit = { maxBytes: 1000 }
const unreadable = expect.objectContaining({ code: 'FILE_UNREADABLE' })

describe('reading a file', () => {
  it('gives its bytes and what was known of it when it was opened', () => {
    const path = join(temporaryFolder(), 'a.md')
    writeFileSync(path, 'text')
    const file = readFile(path, limit)!
    expect(file.bytes.toString()).toBe('text')
    expect(file.stat.size).toBe(4)
  })

  it('gives nothing when there is no such file or no such folder', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'file'), '')
    for (const name of ['none', 'none/none', 'file/none'])
      expect(readFile(join(folder, name), limit)).toBeUndefined()
  })

  it('refuses a link, even to a file that could be read', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'real'), 'x')
    symlinkSync('real', join(folder, 'link'))
    symlinkSync('/dev/zero', join(folder, 'zero'))
    expect(() => readFile(join(folder, 'link'), limit)).toThrow(unreadable)
    expect(() => readFile(join(folder, 'zero'), limit)).toThrow(unreadable)
  })

  it('refuses a fifo, a device and a folder, without waiting for them', () => {
    const folder = temporaryFolder()
    execFileSync('mkfifo', [join(folder, 'fifo')])
    const kinds = { [join(folder, 'fifo')]: 'a fifo', '/dev/zero': 'a device', [folder]: 'a directory' }
    for (const [path, kind] of Object.entries(kinds)) {
      expect(() => readFile(path, limit)).toThrow(unreadable)
      expect(() => readFile(path, limit)).toThrow(`expected a regular file, got ${kind}`)
    }
  })

  it('refuses a file over the limit by its size, before reading it', () => {
    const path = join(temporaryFolder(), 'sparse')
    writeFileSync(path, '')
    truncateSync(path, 2 ** 40)
    expect(() => readFile(path, limit)).toThrow(expect.objectContaining({ code: 'FILE_TOO_LARGE' }))
  })

  it('refuses a folder that became a link, and follows a root that leads elsewhere by now', () => {
    const folder = temporaryFolder()
    for (const place of ['one/in', 'two/in']) {
      mkdirSync(join(folder, place), { recursive: true })
      writeFileSync(join(folder, place, 'a.md'), place)
    }
    const root = join(folder, 'root')
    const read = () => readFile(join(root, 'in/a.md'), { ...limit, root })!.bytes.toString()
    symlinkSync('one', root)
    expect(read()).toBe('one/in')
    rmSync(root)
    symlinkSync('two', root)
    expect(read()).toBe('two/in')
    renameSync(join(folder, 'two/in'), join(folder, 'moved'))
    symlinkSync('../moved', join(folder, 'two/in'))
    expect(read).toThrow(unreadable)
  })

  it('refuses a linked folder below its root, and takes a linked root', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'root/real'), { recursive: true })
    writeFileSync(join(folder, 'root/real/a'), 'x')
    symlinkSync('real', join(folder, 'root/link'))
    symlinkSync('root', join(folder, 'rootlink'))
    const inside = (root: string, path: string) => readFile(join(root, path), { ...limit, root })
    expect(() => inside(join(folder, 'root'), 'link/a')).toThrow(unreadable)
    expect(inside(join(folder, 'rootlink'), 'real/a')?.bytes.toString()).toBe('x')
  })
})
