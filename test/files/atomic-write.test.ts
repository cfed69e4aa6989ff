import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { atomicWrite, makeFolder, removeFile } from '../../src/files/atomic-write.ts'
import { temporaryName } from '../../src/files/temporary-name.ts'
import { replaceCall, systemError } from './system-call.ts'
import { temporaryFolder } from './temporary-folder.ts'

const failed = expect.objectContaining({ code: 'WRITE_FAILED' })
const read = (path: string) => readFileSync(path, 'utf8')
const modeOf = (path: string) => (lstatSync(path).mode & 0o777).toString(8)

describe('writing a file', () => {
  it('makes the folders that are missing, and leaves nothing else behind', () => {
    const root = temporaryFolder()
    atomicWrite(join(root, 'a/b/c.md'), 'text', { root })
    expect(read(join(root, 'a/b/c.md'))).toBe('text')
    expect(readdirSync(join(root, 'a/b'))).toEqual(['c.md'])
  })

  it('makes no folder for a change to something that was there', () => {
    const root = temporaryFolder()
    expect(() => atomicWrite(join(root, 'gone/c.md'), 'text', { root, makeFolders: false })).toThrow(failed)
    expect(readdirSync(root)).toEqual([])
  })

  it('keeps the permissions of the file that it replaces', () => {
    const root = temporaryFolder()
    const path = join(root, 'tool.sh')
    writeFileSync(path, 'old')
    chmodSync(path, 0o755)
    atomicWrite(path, 'new', { root })
    expect([read(path), modeOf(path)]).toEqual(['new', '755'])
  })

  it('gives a new file the permissions that are asked for', () => {
    const root = temporaryFolder()
    atomicWrite(join(root, 'keys/key'), 'secret', { root, mode: 0o600, folderMode: 0o700 })
    expect([modeOf(join(root, 'keys/key')), modeOf(join(root, 'keys'))]).toEqual(['600', '700'])
  })

  it('replaces a planted link, and leaves its target alone', () => {
    const root = temporaryFolder()
    const outside = join(temporaryFolder(), 'outside')
    writeFileSync(outside, 'untouched')
    symlinkSync(outside, join(root, 'soft'))
    linkSync(outside, join(root, 'hard'))
    for (const name of ['soft', 'hard']) {
      atomicWrite(join(root, name), 'mine', { root })
      expect(lstatSync(join(root, name)).isFile()).toBe(true)
      expect(read(join(root, name))).toBe('mine')
    }
    expect(read(outside)).toBe('untouched')
  })

  it('refuses a linked folder below its root, dangling or not', () => {
    const root = temporaryFolder()
    const outside = temporaryFolder()
    symlinkSync(outside, join(root, 'link'))
    symlinkSync(join(outside, 'none'), join(root, 'dangling'))
    for (const path of ['link/x', 'link/deep/x', 'dangling/x'])
      expect(() => atomicWrite(join(root, path), 'x', { root })).toThrow(failed)
    expect(readdirSync(outside)).toEqual([])
  })

  it('never overwrites where the target must be absent, be it a file, a folder or a link', () => {
    const root = temporaryFolder()
    writeFileSync(join(root, 'file'), 'old')
    mkdirSync(join(root, 'folder'))
    symlinkSync('nowhere', join(root, 'link'))
    for (const name of ['file', 'folder', 'link'])
      expect(() => atomicWrite(join(root, name), 'new', { root, expect: 'absent' })).toThrow(
        expect.objectContaining({ code: 'ITEM_EXISTS' }),
      )
    atomicWrite(join(root, 'fresh'), 'new', { root, expect: 'absent' })
    expect(read(join(root, 'file'))).toBe('old')
    expect(readdirSync(root).sort()).toEqual(['file', 'folder', 'fresh', 'link'])
  })

  it('fails with a code and a hint where a folder or a file stands in the way', () => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'folder/inner'), { recursive: true })
    writeFileSync(join(root, 'file'), 'old')
    for (const path of ['folder', 'file/x'])
      expect(() => atomicWrite(join(root, path), 'x', { root })).toThrow(
        expect.objectContaining({ code: 'WRITE_FAILED', hint: expect.any(String) }),
      )
    expect(readdirSync(root).sort()).toEqual(['file', 'folder'])
  })

  it('fails when the root is gone', () => {
    const root = join(temporaryFolder(), 'gone')
    expect(() => atomicWrite(join(root, 'x'), 'x', { root })).toThrow(failed)
    expect(() => atomicWrite(join(root, 'x'), 'x', { root })).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(`there is no folder \`${root}\``) }),
    )
  })

  it('refuses a target outside its root, which is a mistake of the program', () => {
    const root = temporaryFolder()
    expect(() => atomicWrite(join(root, '../x'), 'x', { root })).toThrow(/unreachable/)
    expect(() => atomicWrite(root, 'x', { root })).toThrow(/unreachable/)
  })

  it('sweeps what a dead process left, at once, and what anyone left, after a minute', () => {
    const root = temporaryFolder()
    const tag = temporaryName('0'.repeat(16)).slice(5, 13)
    const random = 'ab'.repeat(8)
    const names = {
      dead: `.rye-${tag}-4194305-${random}.tmp`,
      alive: `.rye-${tag}-${process.ppid}-${random}.tmp`,
      otherMachine: `.rye-00000000-4194305-${random}.tmp`,
      otherMachineLongAgo: `.rye-00000000-4194306-${random}.tmp`,
      notOurs: '.rye-notes.tmp',
    }
    for (const name of Object.values(names)) writeFileSync(join(root, name), '')
    const old = Date.now() / 1000 - 61
    utimesSync(join(root, names.otherMachineLongAgo), old, old)
    utimesSync(join(root, names.notOurs), old, old)
    atomicWrite(join(root, 'x'), 'x', { root })
    expect(readdirSync(root).sort()).toEqual([names.alive, names.otherMachine, names.notOurs, 'x'].sort())
    expect(tag).not.toContain(hostname())
  })

  it('sweeps a folder once in a batch', () => {
    const root = temporaryFolder()
    const swept = new Set<string>()
    atomicWrite(join(root, 'a'), 'x', { root, swept })
    expect([...swept]).toEqual([root])
    const left = temporaryName('0'.repeat(16)).replace(String(process.pid), '4194305')
    writeFileSync(join(root, left), '')
    atomicWrite(join(root, 'b'), 'x', { root, swept })
    expect(readdirSync(root).sort()).toEqual([left, 'a', 'b'].sort())
  })
})

/** Records what is synced from here on, in order, by path. */
function watchSyncs(): string[] {
  const synced: string[] = []
  replaceCall('fsyncSync', real => (descriptor: number) => {
    synced.push(readlinkSync(`/proc/self/fd/${descriptor}`))
    real(descriptor)
  })
  return synced
}

describe.runIf(process.platform === 'linux')('what is written survives a crash', () => {
  const isTemporary = (path: string) => basename(path).startsWith('.rye-')

  it('a new file, and each folder that has a new name in it', () => {
    const root = temporaryFolder()
    const synced = watchSyncs()
    atomicWrite(join(root, 'a/b/c'), 'text', { root })
    expect(synced.map(path => (isTemporary(path) ? 'file' : path))).toEqual([
      root,
      join(root, 'a'),
      'file',
      join(root, 'a/b'),
    ])
  })

  it.each([undefined, 'absent'] as const)('a file in a folder that was there (expected: %s)', expected => {
    const root = temporaryFolder()
    const synced = watchSyncs()
    atomicWrite(join(root, 'a'), 'text', { root, ...(expected && { expect: expected }) })
    expect(synced.map(path => (isTemporary(path) ? 'file' : path))).toEqual(['file', root])
  })

  it('a folder, and that a file is gone', () => {
    const root = temporaryFolder()
    writeFileSync(join(root, 'file'), '')
    const synced = watchSyncs()
    makeFolder(join(root, 'a'), { root })
    removeFile(join(root, 'file'), { root })
    expect(synced).toEqual([root, root])
    expect(makeFolder(join(root, 'a'), { root })).toBe(false)
    expect(synced).toHaveLength(2)
  })
})

describe('what the system refuses', () => {
  it.each([
    ['ENOSPC', /disk is full/],
    ['EDQUOT', /quota/],
    ['EROFS', /read-only/],
    ['EACCES', /permissions/],
    ['EIO', undefined],
  ])('is named, and nothing is left behind: %s', (code, hint) => {
    const root = temporaryFolder()
    writeFileSync(join(root, 'a'), 'old')
    replaceCall('writeSync', () => () => {
      throw systemError(code)
    })
    expect(() => atomicWrite(join(root, 'a'), 'new', { root })).toThrow(
      expect.objectContaining({
        code: 'WRITE_FAILED',
        message: `cannot write \`${join(root, 'a')}\`: ${code}`,
        hint: hint === undefined ? undefined : expect.stringMatching(hint),
      }),
    )
    expect(readdirSync(root)).toEqual(['a'])
    expect(read(join(root, 'a'))).toBe('old')
  })

  it('in part is written in several steps', () => {
    const root = temporaryFolder()
    replaceCall(
      'writeSync',
      real => (descriptor: number, bytes: Uint8Array, offset: number, length: number) =>
        real(descriptor, bytes, offset, Math.min(length, 3)),
    )
    atomicWrite(join(root, 'a'), 'eight chars', { root })
    expect(read(join(root, 'a'))).toBe('eight chars')
  })

  it('to make, because another process was faster, is entered', () => {
    const root = temporaryFolder()
    replaceCall('mkdirSync', real => (path: string) => {
      real(path)
      return real(path)
    })
    expect(makeFolder(join(root, 'a'), { root })).toBe(false)
    atomicWrite(join(root, 'b/c'), 'text', { root })
    expect(read(join(root, 'b/c'))).toBe('text')
  })

  it('to make for another reason is an error', () => {
    const root = temporaryFolder()
    replaceCall('mkdirSync', () => () => {
      throw systemError('EROFS')
    })
    expect(() => makeFolder(join(root, 'a'), { root })).toThrow(failed)
  })

  it('is no secret where it is a mistake of the program', () => {
    const root = temporaryFolder()
    replaceCall('writeSync', () => () => {
      throw new TypeError('a mistake')
    })
    expect(() => atomicWrite(join(root, 'a'), 'new', { root })).toThrow(TypeError)
    expect(readdirSync(root)).toEqual([])
  })
})

it('a new file may be read by others as far as the umask allows, and a folder, too', () => {
  const root = temporaryFolder()
  const umask = process.umask(0o022)
  try {
    atomicWrite(join(root, 'a/b'), 'text', { root })
    expect([modeOf(join(root, 'a')), modeOf(join(root, 'a/b'))]).toEqual(['755', '644'])
  } finally {
    process.umask(umask)
  }
})

describe('removing a file', () => {
  it('says whether there was one, and does not reach through a linked folder', () => {
    const root = temporaryFolder()
    const outside = temporaryFolder()
    writeFileSync(join(root, 'a'), '')
    writeFileSync(join(outside, 'b'), '')
    symlinkSync(outside, join(root, 'link'))
    expect(removeFile(join(root, 'a'), { root })).toBe(true)
    expect(removeFile(join(root, 'a'), { root })).toBe(false)
    expect(() => removeFile(join(root, 'link/b'), { root })).toThrow(failed)
    expect(readdirSync(outside)).toEqual(['b'])
  })
})
