// A space that was found to be as its lock says, remembered by the states of its files: as long as none of them is written, it still is.
import { join } from 'node:path'
import { isRecord, sha256Hex } from '../../base/index.ts'
import { atomicWrite, readFile } from '../../files/index.ts'
import { folderOf, ITEM_TYPES } from '../../item/index.ts'
import { stampWalk, walk } from '../../scan/index.ts'
import type { Library } from '../../workspace/index.ts'
import { lockPath, type Target } from './target.ts'

const FILE = 'checked-lock.json'
const MAX_BYTES = 10_000

export interface CheckedSpace {
  /** Everything was in place, and nothing has been written since. */
  readonly isUnchanged: boolean
  /** To be called once everything was found in place. */
  remember(): void
}

export function checkedSpace(library: Library, target: Target): CheckedSpace {
  const stamp = stampOf(target)
  const known = library.states.find(target.base)?.path
  const before = known && readFile(join(known, FILE), { maxBytes: MAX_BYTES })?.bytes.toString('utf8')
  return {
    isUnchanged: stamp !== undefined && before !== undefined && stampIn(before) === stamp,
    remember() {
      // A file that was just written may be written again within one tick of the clock.
      if (stamp === undefined) return
      const root = library.states.make(target.base).path
      atomicWrite(join(root, FILE), `${JSON.stringify({ version: 1, stamp })}\n`, { root, mode: 0o600 })
    },
  }
}

function stampOf(target: Target): string | undefined {
  const { base: root } = target
  const lock = walk(join(root, '.ai'), { root, depth: 0, everything: true })
  const states = lock.files.filter(({ path }) => join(root, '.ai', path) === lockPath(target))
  const folders = ITEM_TYPES.map(type => join(root, '.ai', folderOf(type)))
  const stamps = [
    stampWalk(join(root, '.ai'), { ...lock, files: states }),
    ...folders.map(folder => stampWalk(folder, walk(folder, { root, everything: true }))),
  ]
  return stamps.includes(undefined) ? undefined : sha256Hex(JSON.stringify(stamps))
}

function stampIn(text: string): unknown {
  try {
    const note: unknown = JSON.parse(text)
    return isRecord(note) && note.version === 1 ? note.stamp : undefined
  } catch {
    return undefined
  }
}
