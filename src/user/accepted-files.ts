// Files of items that this user has accepted, found by their digests. They allow a later state to be compared
// with the accepted one, and a lost file to be restored without its source. Files accepted together are
// stored in one pack, with a list of digests beside it: writing thousands of small files durably would take a
// minute. Content is checked against its digest on every read.
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, isRecord, lazy, sha256Hex, systemErrorCode } from '../base/index.ts'
import { atomicWrite, readFile, removeFile, stateAt } from '../files/index.ts'
import { makeUserSpace } from './user-space.ts'

export interface AcceptedFiles {
  /** Files that are already stored undamaged are not written again. Throws `WRITE_FAILED`. */
  keep(contents: Iterable<Uint8Array>): void
  /** Undefined when it is not stored, or does not match its digest. */
  find(digest: string): Uint8Array | undefined
  /** Whether a list names it and the pack is as long as listed. A quick check; `find` proves it. */
  has(digest: string): boolean
  /**
   * Removes packs that hold nothing named by `wanted`, once there are many packs. Recent packs stay, as a
   * change may be under way.
   */
  prune(wanted: () => ReadonlySet<string>): void
}

interface KeptPlace {
  /** File name without its extension. */
  readonly pack: string
  readonly offset: number
  readonly size: number
}

/** By digest. */
type KeptPlaces = ReadonlyMap<string, readonly KeptPlace[]>

const FOLDER = ['.ai', 'state', 'accepted']
const LIST_BYTES = 32_000_000
/** A pack of this size is full; its last file may make it larger. */
const PACK_BYTES = 16_000_000
const MAX_PACK_BYTES = 64_000_000
/** With more packs or bytes than this, unreferenced packs are removed. */
const MOST_PACKS = 64
const MOST_BYTES = 100_000_000
/** Pack content held in memory is released beyond this. */
const HELD_BYTES = 100_000_000
const KEPT_MS = 24 * 3_600_000
const WRITE = { mode: 0o600, folderMode: 0o700 }

/** Reads its lists once, so open it for a whole action rather than for each item. */
export function acceptedFiles(userSpace: string): AcceptedFiles {
  const folder = join(userSpace, ...FOLDER)
  const look = () => ({
    places: lazy(() => readLists(folder, userSpace)),
    packs: packReader(folder, userSpace),
  })
  let there = look()
  const find = (digest: string) => {
    // A damaged copy may have been stored again in another pack.
    for (const { pack, offset, size } of there.places().get(digest) ?? []) {
      const bytes = there.packs(pack)?.subarray(offset, offset + size)
      if (bytes && sha256Hex(bytes) === digest) return bytes
    }
    return undefined
  }
  const write = (group: ReadonlyMap<string, Uint8Array>) => {
    if (group.size === 0) return
    makeUserSpace(userSpace)
    // The home directory may be a git repository.
    const ignore = join(folder, '..', '.gitignore')
    if (!stateAt(ignore)) atomicWrite(ignore, '*\n', { root: userSpace, ...WRITE })
    writePack(folder, userSpace, [...group])
    there = look()
  }
  return {
    find,
    has: digest => there.places().has(digest),
    keep(contents) {
      let group = new Map<string, Uint8Array>()
      let size = 0
      for (const content of contents) {
        const digest = sha256Hex(content)
        if (group.has(digest) || find(digest)) continue
        group.set(digest, content)
        size += content.length
        if (size < PACK_BYTES) continue
        write(group)
        group = new Map()
        size = 0
      }
      write(group)
    },
    prune(wanted) {
      const packs = packsIn(folder)
      const bytes = packs.reduce((sum, { size }) => sum + size, 0)
      if (packs.length <= MOST_PACKS && bytes <= MOST_BYTES) return
      const needed = packsWith(wanted(), there.places())
      for (const { name, time } of packs) {
        if (needed.has(name) || Date.now() - time < KEPT_MS) continue
        // The list goes first: without it, the pack is ignored.
        for (const ending of ['.json', '.pack'])
          removeFile(join(folder, `${name}${ending}`), { root: userSpace })
      }
    },
  }
}

function packsWith(digests: ReadonlySet<string>, places: KeptPlaces): Set<string> {
  const kept = [...places].filter(([digest]) => digests.has(digest)).flatMap(([, own]) => own)
  return new Set(kept.map(({ pack }) => pack))
}

/** Names are without extensions. */
function packsIn(folder: string): { name: string; size: number; time: number }[] {
  return listsIn(folder).map(list => {
    const name = list.slice(0, -'.json'.length)
    const state = lstatSync(join(folder, `${name}.pack`), { throwIfNoEntry: false })
    return { name, size: state?.size ?? 0, time: state?.mtimeMs ?? 0 }
  })
}

/** The list is written last: without it, the pack is ignored. */
function writePack(folder: string, root: string, group: readonly (readonly [string, Uint8Array])[]): void {
  const list = JSON.stringify({ version: 1, files: group.map(([digest, { length }]) => [digest, length]) })
  const path = join(folder, sha256Hex(list).slice(0, 32))
  atomicWrite(`${path}.pack`, Buffer.concat(group.map(([, content]) => content)), { root, ...WRITE })
  atomicWrite(`${path}.json`, `${list}\n`, { root, ...WRITE })
}

/** Reads packs by name. Many items lie in few packs, so packs stay in memory, up to a bound. */
function packReader(folder: string, root: string): (name: string) => Buffer | undefined {
  const held = new Map<string, Buffer | undefined>()
  let size = 0
  return name => {
    if (held.has(name)) return held.get(name)
    const bytes = readKept(join(folder, `${name}.pack`), root, MAX_PACK_BYTES)
    size += bytes?.length ?? 0
    if (size > HELD_BYTES) {
      held.clear()
      size = bytes?.length ?? 0
    }
    held.set(name, bytes)
    return bytes
  }
}

function readLists(folder: string, root: string): KeptPlaces {
  const places = new Map<string, KeptPlace[]>()
  for (const name of listsIn(folder)) {
    const pack = name.slice(0, -'.json'.length)
    const text = readKept(join(folder, name), root, LIST_BYTES)?.toString('utf8') ?? ''
    const found: [digest: string, place: KeptPlace][] = []
    let offset = 0
    for (const [digest, size] of parseList(text)) {
      found.push([digest, { pack, offset, size }])
      offset += size
    }
    // If the pack has another size, its files may not be where the list says.
    if (stateAt(join(folder, `${pack}.pack`))?.size !== offset) continue
    for (const [digest, place] of found) places.set(digest, [...(places.get(digest) ?? []), place])
  }
  return places
}

/** An unreadable file counts as lost. */
function readKept(path: string, root: string, maxBytes: number): Buffer | undefined {
  try {
    return readFile(path, { root, maxBytes })?.bytes
  } catch (thrown) {
    if (thrown instanceof AppError) return undefined
    throw thrown
  }
}

/** Empty when the list is damaged: its files are fetched again. */
function parseList(text: string): [digest: string, size: number][] {
  try {
    const list: unknown = JSON.parse(text)
    const files: unknown = isRecord(list) && list.version === 1 ? list.files : []
    return Array.isArray(files) && files.every(isEntry) ? files : []
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return []
    throw thrown
  }
}

function isEntry(value: unknown): value is [string, number] {
  return (
    Array.isArray(value) && typeof value[0] === 'string' && Number.isSafeInteger(value[1]) && value[1] >= 0
  )
}

function listsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(name => name.endsWith('.json'))
  } catch (thrown) {
    if (systemErrorCode(thrown) === undefined) throw thrown
    return []
  }
}
