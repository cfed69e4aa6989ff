// Remembers, by the states of its files, that a space matched its lock and was trusted. That holds until one
// of the files is written or the trust changes.
import { join } from 'node:path'
import { isRecord, sha256Hex } from '../../base/index.ts'
import { atomicWrite, readFile } from '../../files/index.ts'
import { folderOf, ITEM_TYPES } from '../../item/index.ts'
import { findRoots, stampFound, stampWalk, walk } from '../../scan/index.ts'
import { LOCK_BYTES } from '../../sources/index.ts'
import type { TrustContext } from '../../trust/index.ts'
import { type Library, stampTrustContext } from '../../workspace/index.ts'
import { lockPath, type Target } from './target.ts'

const FILE = 'checked-lock.json'
const MAX_BYTES = 10_000

export interface CheckedSpace {
  /** Everything was in place, and nothing has been written since. */
  readonly isUnchanged: boolean
  /** Whether, in addition, everything was trusted under the same trust as now. */
  isTrusted(trust: TrustContext): boolean
  /**
   * Call this once everything was found in place; pass the trust under which all of it was trusted, or
   * undefined.
   */
  remember(trust: TrustContext | undefined): void
}

export async function checkSpace(library: Library, target: Target): Promise<CheckedSpace> {
  const stamp = await stampOf(target)
  const known = library.states.find(target.base)?.path
  const before = known && readFile(join(known, FILE), { maxBytes: MAX_BYTES })?.bytes.toString('utf8')
  const note = before === undefined ? {} : noteIn(before)
  const isUnchanged = stamp !== undefined && note.stamp === stamp
  // A file that was just written may be written again within one tick of the clock.
  const isSettled = isUnchanged || walkStamp(target) !== undefined
  return {
    isUnchanged,
    isTrusted: trust => isUnchanged && note.trust === stampTrustContext(trust),
    remember(trust) {
      if (stamp === undefined || !isSettled) return
      const root = library.states.make(target.base).path
      const text = JSON.stringify({ version: 2, stamp, ...(trust && { trust: stampTrustContext(trust) }) })
      atomicWrite(join(root, FILE), `${text}\n`, { root, mode: 0o600 })
    },
  }
}

async function stampOf(target: Target): Promise<string | undefined> {
  const { base } = target
  const lock = readFile(lockPath(target), { maxBytes: LOCK_BYTES, root: base })?.bytes
  const roots = ITEM_TYPES.map(type => ({ base, segments: ['.ai', folderOf(type)] }))
  const [found] = (await findRoots([roots], { everything: true })) ?? []
  const files = found ? stampFound(found) : walkStamp(target)
  return lock === undefined || files === undefined ? undefined : sha256Hex(`${sha256Hex(lock)} ${files}`)
}

function walkStamp({ base: root }: Target): string | undefined {
  const folders = ITEM_TYPES.map(type => join(root, '.ai', folderOf(type)))
  const stamps = folders.map(folder => stampWalk(folder, walk(folder, { root, everything: true })))
  return stamps.includes(undefined) ? undefined : sha256Hex(JSON.stringify(stamps))
}

function noteIn(text: string): { readonly stamp?: unknown; readonly trust?: unknown } {
  try {
    const note: unknown = JSON.parse(text)
    return isRecord(note) && note.version === 2 ? note : {}
  } catch {
    return {}
  }
}
