import {
  chmodSync,
  linkSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WALK_LIMITS, walk } from '../../src/scan/walk.ts'
import { temporaryTree } from './temporary-tree.ts'

function paths(root: string, limits = {}): string[] {
  return walk(root, limits).files.map(file => file.path)
}

function skipped(root: string, limits = {}): string[] {
  const found = walk(root, limits).skipped
  return found.map(entry => `${entry.reason} ${entry.path.slice(root.length + 1)}`)
}

/** What this process has open below a folder. */
function openBelow(root: string): string[] {
  const targets = readdirSync('/proc/self/fd').map(descriptor => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`)
    } catch {
      return '' // closed by now, as the one of the listing itself
    }
  })
  return targets.filter(target => target.startsWith(root))
}

describe('a walk', () => {
  it('lists the files of a folder by name, then those of its subfolders', () => {
    const root = temporaryTree({
      'b/z.md': '',
      'b/a/x.md': '',
      'c.md': '',
      'a.md': '',
      'a/q.md': '',
      'empty/': '',
    })
    expect(paths(root)).toEqual(['a.md', 'c.md', 'a/q.md', 'b/z.md', 'b/a/x.md'])
  })

  it('gives size, times and inode', () => {
    const root = temporaryTree({ 'a.md': 'four' })
    const { mtimeMs, ctimeMs, ino } = statSync(`${root}/a.md`)
    expect(walk(root).files).toEqual([{ path: 'a.md', size: 4, mtimeMs, ctimeMs, inode: ino }])
  })

  it('skips names that are never searched, and says so', () => {
    const root = temporaryTree({
      'node_modules/x.py': '',
      'a/.git/config': '',
      '__pycache__/x.py': '',
      '.venv/x.py': '',
      '_draft.md': '',
      'ok.md': '',
    })
    expect(paths(root)).toEqual(['ok.md'])
    expect(skipped(root)).toEqual([
      'skipped-name .venv',
      'skipped-name __pycache__',
      'skipped-name _draft.md',
      'skipped-name node_modules',
      'skipped-name a/.git',
    ])
  })

  it('takes every name of a folder that is signed whole', () => {
    const root = temporaryTree({ '__pycache__/x.pyc': '', '.git/config': '', '_a.md': '', '.env': '' })
    expect(walk(root, { everything: true }).files.map(file => file.path)).toEqual([
      '.env',
      '_a.md',
      '.git/config',
      '__pycache__/x.pyc',
    ])
  })

  it('follows no link: to a file, a folder, itself, its parent, a device, nothing', () => {
    const outside = temporaryTree({ 'secret.md': '' })
    const root = temporaryTree({ 'ok.md': '' })
    symlinkSync(`${outside}/secret.md`, `${root}/file.md`)
    symlinkSync(outside, `${root}/folder`)
    symlinkSync('self', `${root}/self`)
    symlinkSync('..', `${root}/parent`)
    symlinkSync('/dev/zero', `${root}/zero.md`)
    symlinkSync('nowhere', `${root}/dangling.md`)
    expect(paths(root)).toEqual(['ok.md'])
    expect(skipped(root)).toHaveLength(6)
    expect(new Set(walk(root).skipped.map(entry => entry.reason))).toEqual(new Set(['symbolic-link']))
  })

  it('opens no socket or device', async () => {
    const root = temporaryTree({ 'ok.md': '' })
    const server = createServer()
    await new Promise<void>(resolve => server.listen(`${root}/socket.md`, resolve))
    onTestFinished(() => void server.close())
    expect(paths(root)).toEqual(['ok.md'])
    expect(skipped(root)).toEqual(['special-file socket.md'])
    expect(walk('/dev').files.filter(file => ['null', 'zero'].includes(file.path))).toEqual([])
  })

  it('passes over a file past the size cap without reading it', () => {
    const root = temporaryTree({ 'big.md': '', 'edge.md': '', 'small.md': 'x' })
    truncateSync(`${root}/big.md`, 4 * 2 ** 30)
    truncateSync(`${root}/edge.md`, WALK_LIMITS.fileBytes)
    expect(paths(root)).toEqual(['edge.md', 'small.md'])
    expect(skipped(root)).toEqual(['too-large big.md'])
  })

  it('stops at the depth cap in each branch', () => {
    const root = temporaryTree({ 'a/b/c/x.md': '', 'a/b/y.md': '', 'z.md': '' })
    expect(paths(root, { depth: 2 })).toEqual(['z.md', 'a/b/y.md'])
    expect(skipped(root, { depth: 2 })).toEqual(['too-deep a/b/c'])
  })

  it('reaches the deepest id, and comes back from a tree that is deeper', () => {
    const [deepest, deeper] = ['d/'.repeat(128), 'd/'.repeat(129)]
    const root = temporaryTree({ 'ok.md': '', [`${deepest}in.md`]: '', [`${deeper}${deeper}lost.md`]: '' })
    expect(paths(root)).toEqual(['ok.md', `${deepest}in.md`])
    expect(skipped(root)).toEqual([`too-deep ${deeper.slice(0, -1)}`])
  })

  it('stops at the entry cap, once', () => {
    const root = temporaryTree()
    for (let index = 0; index < 300; index++)
      writeFileSync(`${root}/${String(index).padStart(4, '0')}.md`, '')
    const found = walk(root, { entries: 100 })
    expect(found.files).toHaveLength(100)
    expect(found.files.at(-1)!.path).toBe('0099.md')
    expect(found.skipped.map(entry => entry.reason)).toEqual(['too-many'])
    expect(walk(root, { entries: 300 }).skipped).toEqual([])
  })

  it.runIf(process.platform === 'linux')('leaves no folder open, even if it stops early', () => {
    const root = temporaryTree({ 'a/b/x.md': '', 'a/c/y.md': '', 'd/z.md': '' })
    expect(skipped(root)).toEqual([])
    expect(skipped(root, { entries: 5 })).toEqual(['too-many a/c/y.md'])
    expect(openBelow(realpathSync(root))).toEqual([])
  })

  it('reports a folder that it may not read, and goes on', () => {
    const root = temporaryTree({ 'locked/x.md': '', 'open/y.md': '' })
    chmodSync(root, 0o755)
    chmodSync(`${root}/locked`, 0o000)
    const isRoot = process.getuid!() === 0
    // The superuser may read everything, so the walk runs as another user.
    if (isRoot) process.seteuid!(65534)
    try {
      expect(paths(root)).toEqual(['open/y.md'])
      expect(walk(root).skipped).toMatchObject([{ reason: 'unreadable', message: 'the system says EACCES' }])
    } finally {
      if (isRoot) process.seteuid!(0)
      chmodSync(`${root}/locked`, 0o755)
    }
  })

  it('reports a root that is not there', () => {
    const root = temporaryTree()
    expect(walk(`${root}/absent`)).toMatchObject({ files: [], skipped: [{ reason: 'unreadable' }] })
  })

  it('takes odd names as they are, and passes over one that is not UTF-8', () => {
    const root = temporaryTree({ 'new\nline.md': '', 'ünï.md': '', 'Case.md': '', 'case.md': '' })
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x66, 0xff, 0x2e, 0x6d, 0x64])]), '')
    writeFileSync(`${root}/${'n'.repeat(252)}.md`, '')
    expect(paths(root)).toEqual(['Case.md', 'case.md', 'new\nline.md', `${'n'.repeat(252)}.md`, 'ünï.md'])
    expect(skipped(root)).toEqual(['invalid-name f\ufffd.md'])
  })

  it('lists a file of two names twice: each name is its own', () => {
    const root = temporaryTree({ 'a.md': '' })
    linkSync(`${root}/a.md`, `${root}/b.md`)
    expect(paths(root)).toEqual(['a.md', 'b.md'])
  })

  it('lists every file that it was given, in the same order each time', () => {
    const name = fc.stringMatching(/^[a-z.]{1,3}$/).filter(text => !/^\.+$/.test(text))
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(name, name, name), { maxLength: 12 }), triples => {
        const files = Object.fromEntries(triples.map(([a, b, c]) => [`${a}/1${b}/2${c}`, '']))
        const root = temporaryTree(files)
        expect(paths(root).sort()).toEqual(Object.keys(files).sort())
        expect(paths(root)).toEqual(paths(root))
      }),
      { numRuns: 20 },
    )
  })
})
