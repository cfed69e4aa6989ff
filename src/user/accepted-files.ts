// The files of items that this user has accepted, known by their digests, so that a later state can be compared with them and a file that was
// lost can be put back without its source. What was accepted at a time is kept together, in one file with a list of digests beside it: thousands
// of small files would take a minute to write durably. Content is checked against its digest whenever it is read.
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord, lazy, sha256Hex, systemErrorCode } from '../base/index.ts'
import { atomicWrite, readFile, removeFile, stateAt } from '../files/index.ts'
import { makeUserSpace } from './user-space.ts'

export interface AcceptedFiles {
  /** Throws `WRITE_FAILED`. */
  keep(contents: Iterable<Uint8Array>): void
  /** Undefined where it is not kept, or is not what its digest says. */
  find(digest: string): Uint8Array | undefined
  /** Removes packs that hold nothing of what `wanted` names, once there are many of them. What was just kept stays, for a change may be under way. */
  prune(wanted: () => ReadonlySet<string>): void
}

interface KeptPlace {
  /** Without its ending. */
  readonly pack: string
  readonly offset: number
  readonly size: number
}

const FOLDER = ['.ai', 'state', 'accepted']
const LIST_BYTES = 32_000_000
/** One that holds more is not begun; a last file may make it larger. */
const PACK_BYTES = 16_000_000
const MAX_PACK_BYTES = 64_000_000
/** Packs beyond these, in number or in size, are looked through for those that nothing refers to. */
const MOST_PACKS = 64
const MOST_BYTES = 100_000_000
const KEPT_MS = 24 * 3_600_000
const WRITE = { mode: 0o600, folderMode: 0o700 }

export function acceptedFiles(userSpace: string): AcceptedFiles {
  const folder = join(userSpace, ...FOLDER)
  const known = lazy(() => readLists(folder, userSpace))
  let last: { readonly pack: string; readonly bytes: Buffer | undefined } | undefined
  return {
    keep(contents) {
      const fresh = new Map<string, Uint8Array>()
      for (const content of contents) fresh.set(sha256Hex(content), content)
      for (const digest of [...fresh.keys()]) if (known().has(digest)) fresh.delete(digest)
      if (fresh.size === 0) return
      makeUserSpace(userSpace)
      // A home may be a repository.
      const ignore = join(folder, '..', '.gitignore')
      if (!stateAt(ignore)) atomicWrite(ignore, '*\n', { root: userSpace, ...WRITE })
      for (const group of packed(fresh)) writePack(folder, userSpace, group)
    },
    find(digest) {
      const place = known().get(digest)
      if (place === undefined) return undefined
      if (last?.pack !== place.pack) {
        const path = join(folder, `${place.pack}.pack`)
        last = {
          pack: place.pack,
          bytes: readFile(path, { root: userSpace, maxBytes: MAX_PACK_BYTES })?.bytes,
        }
      }
      const bytes = last.bytes?.subarray(place.offset, place.offset + place.size)
      return bytes && sha256Hex(bytes) === digest ? bytes : undefined
    },
    prune(wanted) {
      const packs = packsIn(folder)
      const bytes = packs.reduce((sum, { size }) => sum + size, 0)
      if (packs.length <= MOST_PACKS && bytes <= MOST_BYTES) return
      const names = wanted()
      const needed = new Set([...known()].flatMap(([digest, { pack }]) => (names.has(digest) ? pack : [])))
      for (const { name, time } of packs) {
        if (needed.has(name) || Date.now() - time < KEPT_MS) continue
        // The list first: without it, the pack is not looked at.
        for (const ending of ['.json', '.pack'])
          removeFile(join(folder, `${name}${ending}`), { root: userSpace })
      }
    },
  }
}

/** By their names, without endings. */
function packsIn(folder: string): { name: string; size: number; time: number }[] {
  return listsIn(folder).map(list => {
    const name = list.slice(0, -'.json'.length)
    const state = lstatSync(join(folder, `${name}.pack`), { throwIfNoEntry: false })
    return { name, size: state?.size ?? 0, time: state?.mtimeMs ?? 0 }
  })
}

function* packed(files: ReadonlyMap<string, Uint8Array>): Generator<[digest: string, content: Uint8Array][]> {
  let group: [string, Uint8Array][] = []
  let size = 0
  for (const entry of files) {
    group.push(entry)
    size += entry[1].length
    if (size < PACK_BYTES) continue
    yield group
    group = []
    size = 0
  }
  if (group.length > 0) yield group
}

/** The list comes last: without it, the pack is not looked at. */
function writePack(folder: string, root: string, group: readonly (readonly [string, Uint8Array])[]): void {
  const list = JSON.stringify({ version: 1, files: group.map(([digest, { length }]) => [digest, length]) })
  const path = join(folder, sha256Hex(list).slice(0, 32))
  atomicWrite(`${path}.pack`, Buffer.concat(group.map(([, content]) => content)), { root, ...WRITE })
  atomicWrite(`${path}.json`, `${list}\n`, { root, ...WRITE })
}

function readLists(folder: string, root: string): ReadonlyMap<string, KeptPlace> {
  const places = new Map<string, KeptPlace>()
  for (const name of listsIn(folder)) {
    const pack = name.slice(0, -'.json'.length)
    let offset = 0
    const text = readFile(join(folder, name), { root, maxBytes: LIST_BYTES })?.bytes.toString('utf8') ?? ''
    for (const [digest, size] of parseList(text)) {
      places.set(digest, { pack, offset, size })
      offset += size
    }
  }
  return places
}

/** Nothing of one that is damaged: what it listed is fetched again. */
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
  return Array.isArray(value) && typeof value[0] === 'string' && Number.isSafeInteger(value[1])
}

function listsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(name => name.endsWith('.json'))
  } catch (thrown) {
    if (systemErrorCode(thrown) === undefined) throw thrown
    return []
  }
}
