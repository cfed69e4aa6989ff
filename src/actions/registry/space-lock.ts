// The lock file of a space, and whose turn it is to change it.
import { join } from 'node:path'
import { sha256Hex } from '../../base/index.ts'
import { acquireLock, atomicWrite, readFile } from '../../files/index.ts'
import type { BundleItem, Files } from '../../registry/index.ts'
import {
  EMPTY_LOCK,
  LOCK_BYTES,
  LOCK_FILE,
  type Lock,
  type LockedItem,
  lockTaken,
  parseLock,
  printLock,
} from '../../sources/index.ts'
import { digestSkill } from '../../trust/approvals/index.ts'
import { SKILL_SIGNATURE, type TrustContext } from '../../trust/index.ts'
import type { Library } from '../../workspace/index.ts'

const TURN = { waitMs: 60_000, holdMs: 120_000 }

/** One change to the items of sources at a time. `state` is the folder for what is remembered of the space. */
export async function inTurn<T>(
  library: Library,
  base: string,
  work: (state: string) => Promise<T>,
): Promise<T> {
  const state = library.states.make(base).path
  const lock = await acquireLock(join(state, 'sources.lock'), {
    ...TURN,
    subject: 'adding and removing items',
  })
  try {
    return await work(state)
  } finally {
    lock.release()
  }
}

/** `base` is the folder that holds `.ai/`. */
export function lockPathIn(base: string): string {
  return join(base, '.ai', LOCK_FILE)
}

/** Throws `ITEM_MALFORMED`. */
export function readLockIn(base: string): Lock {
  const text = readFile(lockPathIn(base), { maxBytes: LOCK_BYTES, root: base })?.bytes.toString('utf8')
  return text === undefined ? EMPTY_LOCK : parseLock(text)
}

export interface PulledBundle {
  readonly package: string
  readonly version: string
  readonly integrity: string
  readonly files: Files
  /** What was asked for; a tag, a range or a version. */
  readonly asked: string
  /** What was wanted of it; everything without a pattern. */
  readonly only: readonly string[]
  readonly items: readonly BundleItem[]
}

/** The lock with what was pulled of a package. */
export function lockPulled(lock: Lock, pulled: PulledBundle, trust: TrustContext): Lock {
  const { package: name, version, integrity, asked, items } = pulled
  return lockTaken(lock, {
    source: `npm:${name}`,
    ref: asked === 'latest' ? undefined : asked,
    resolved: version,
    integrity,
    only: pulled.only,
    items: items.map(item => lockedItem(item, pulled.files, trust)),
  })
}

export function writeLockIn(base: string, lock: Lock): void {
  atomicWrite(lockPathIn(base), printLock(lock), { root: base, mode: 0o644 })
}

function lockedItem(item: BundleItem, files: Files, trust: TrustContext): LockedItem {
  const { type, id, extension, path, bytes } = item
  const { signer, status, approved } = item.judge(trust)
  const isIntact = status === 'verified' || status === 'untrusted'
  const who = approved ? 'accepted' : 'signer'
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const digests = item.paths
    .map(own => [own.slice(folder.length), sha256Hex(files.get(own)!)] as const)
    .filter(([own]) => own !== SKILL_SIGNATURE)
  return {
    name: type === 'skill' ? `skill:${id}` : `${type}:${id}${extension}`,
    digest: type === 'skill' ? digestSkill(new Map(digests)) : sha256Hex(bytes),
    ...(signer !== null && isIntact && { [who]: signer }),
    path: `.ai/${path}`,
  }
}
