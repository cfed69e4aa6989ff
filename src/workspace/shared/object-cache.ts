// Loaded catalogue items, in the user's cache. The files of each are in a folder named after their digest,
// type and id, laid out like a space. A note per name says which of these the catalogue last meant by it.
import { existsSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, isRecord, sha256Hex } from '../../base/index.ts'
import {
  atomicWrite,
  makeFolders,
  makePrivateFolder,
  readFile,
  removeFile,
  stateAt,
  writeAll,
} from '../../files/index.ts'
import { folderOf, type ItemType, idProblem, isItemType, nameOf } from '../../item/index.ts'
import type { ItemRoot } from '../../scan/index.ts'
import type { ItemFiles } from './item-files.ts'

/** What the catalogue last said about a name. */
export interface CachedName {
  readonly type: ItemType
  readonly id: string
  readonly digest: string
  /** When it said so, in milliseconds since 1970. */
  readonly at: number
}

/** Not just the digest: a stranger may have put the same files into the catalogue under another name. */
type CachedFiles = Pick<CachedName, 'type' | 'id' | 'digest'>

export interface CacheBounds {
  readonly items: number
  readonly bytes: number
}

const NOTE_BYTES = 4096
const MOST: CacheBounds = { items: 5000, bytes: 512 * 1024 * 1024 }
/** After this many new items, the cache is checked and the excess deleted. */
const SWEEP_EVERY = 64
/** Entries used within this time are not deleted, as a process may be reading them. */
const IN_USE_MS = 600_000
const DIGEST = /^[0-9a-f]{64}$/

export class ObjectCache {
  /** The folder of one catalogue. */
  readonly folder: string
  readonly #cacheRoot: string
  readonly #most: CacheBounds
  #puts = 0

  constructor(cacheRoot: string, uri: string, most: CacheBounds = MOST) {
    this.#cacheRoot = cacheRoot
    this.#most = most
    this.folder = join(cacheRoot, 'shared', sha256Hex(uri).slice(0, 32))
  }

  has(item: CachedFiles): boolean {
    return stateAt(join(this.#placeOf(item), 'whole')) !== undefined
  }

  /** Complete when this returns; the file written last, `whole`, says so. Throws `WRITE_FAILED`. */
  put(digest: string, { type, id, files }: ItemFiles): void {
    const place = this.#placeOf({ type, id, digest })
    this.#make(this.folder)
    this.#make(place)
    const above = type === 'skill' ? id : id.slice(0, id.length - nameOf(id).length)
    const paths = [...files].map(
      ([path, bytes]) => [join(place, folderOf(type), above, path), bytes] as const,
    )
    writeAll(new Map(paths), { root: place, modeFor: () => 0o600 })
    const size = [...files.values()].reduce((sum, bytes) => sum + bytes.length, 0)
    atomicWrite(join(place, 'whole'), `${digest} ${size}\n`, { root: place, mode: 0o600 })
    this.#bound()
  }

  /** The cached names, most recently noted first. */
  names(most: number): CachedName[] {
    const notes = agesIn(join(this.folder, 'names')).sort((a, b) => b.age - a.age)
    return notes.slice(0, most).flatMap(({ path }) => this.#readNote(path) ?? [])
  }

  rootOf(item: CachedFiles): ItemRoot {
    const { type, id } = item
    const base = this.#placeOf(item)
    return { type, space: 'shared', base, segments: [folderOf(type)], folder: 0, only: id }
  }

  note(name: CachedName): void {
    this.#make(join(this.folder, 'names'))
    atomicWrite(this.#notePath(name), JSON.stringify(name), { root: this.folder, mode: 0o600 })
    touch(join(this.#placeOf(name), 'whole'))
  }

  forget(name: Pick<CachedName, 'type' | 'id'>): void {
    if (stateAt(this.folder) !== undefined) removeFile(this.#notePath(name), { root: this.folder })
  }

  /** Undefined when no usable item is cached. */
  recall({ type, id }: Pick<CachedName, 'type' | 'id'>): CachedName | undefined {
    const known = this.#readNote(this.#notePath({ type, id }))
    return known?.type === type && known.id === id ? known : undefined
  }

  #readNote(path: string): CachedName | undefined {
    try {
      const read = readFile(path, { maxBytes: NOTE_BYTES })
      const value: unknown = read && JSON.parse(read.bytes.toString('utf8'))
      if (!isRecord(value) || typeof value.type !== 'string' || !isItemType(value.type)) return undefined
      const { type, id, digest, at } = value
      if (typeof id !== 'string' || idProblem(id) !== undefined || typeof at !== 'number') return undefined
      if (typeof digest !== 'string' || !DIGEST.test(digest)) return undefined
      return this.has({ type, id, digest }) ? { type, id, digest, at } : undefined
    } catch (thrown) {
      // An unreadable note counts as missing.
      if (thrown instanceof AppError || thrown instanceof SyntaxError) return undefined
      throw thrown
    }
  }

  /** Runs now and then. The least recently used entries go first, but none that was used just now. */
  #bound(): void {
    if (this.#puts++ % SWEEP_EVERY !== 0) return
    const objects = agesIn(join(this.folder, 'objects'), 'whole').sort((a, b) => b.age - a.age)
    let bytes = 0
    for (const [at, { path, age }] of objects.entries()) {
      bytes += sizeOf(path)
      const isTooMuch = at >= this.#most.items || bytes > this.#most.bytes
      if (isTooMuch && Date.now() - age > IN_USE_MS) rmSync(path, { recursive: true, force: true })
    }
    for (const { path, age } of agesIn(join(this.folder, 'names'))
      .sort((a, b) => b.age - a.age)
      .slice(this.#most.items))
      if (Date.now() - age > IN_USE_MS) rmSync(path, { force: true })
  }

  #make(folder: string): void {
    makeFolders(this.#cacheRoot, 0o700)
    makePrivateFolder(folder, this.#cacheRoot)
  }

  #placeOf({ type, id, digest }: CachedFiles): string {
    return join(this.folder, 'objects', sha256Hex(`${type}:${id} ${digest}`))
  }

  #notePath({ type, id }: Pick<CachedName, 'type' | 'id'>): string {
    return join(this.folder, 'names', `${sha256Hex(`${type}:${id}`)}.json`)
  }
}

interface Aged {
  readonly path: string
  /** When it was last used, in milliseconds since 1970; 0 when incomplete. Larger is more recent. */
  readonly age: number
}

/** The entries of a folder. `marker` is the file in each that says when it was last used. */
function agesIn(folder: string, marker = ''): Aged[] {
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names.map(name => {
    const path = join(folder, name)
    return { path, age: stateAt(join(path, marker))?.mtimeMs ?? 0 }
  })
}

function sizeOf(place: string): number {
  const marker = readFile(join(place, 'whole'), { maxBytes: NOTE_BYTES })
  return Number(marker?.bytes.toString('utf8').split(' ')[1] ?? 0) || 0
}

function touch(path: string): void {
  const now = new Date()
  try {
    utimesSync(path, now, now)
  } catch {
    // Deleted meanwhile, or on a read-only disk: the entry then counts as older than it is.
  }
}
