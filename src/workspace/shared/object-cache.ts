// Items of a catalogue that were loaded, kept in the user's cache: the files of each in a folder that is named by their digest and by what
// item they are, laid out as a space is, and a note for each name that says which of them it was the last time that the catalogue answered.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, isRecord, sha256Hex } from '../../base/index.ts'
import { atomicWrite, makePrivateFolder, readFile, removeFile, stateAt, writeAll } from '../../files/index.ts'
import { folderOf, type ItemType, isItemType, nameOf } from '../../item/index.ts'
import type { ItemRoot } from '../../scan/index.ts'
import type { ItemFiles } from './item-files.ts'

/** What the catalogue last said of a name. */
export interface CachedName {
  readonly type: ItemType
  readonly id: string
  readonly digest: string
  /** When it said so, in milliseconds since 1970. */
  readonly at: number
}

/** The same files may be in the catalogue under another name, where a stranger has put them. */
type CachedFiles = Pick<CachedName, 'type' | 'id' | 'digest'>

const NOTE_BYTES = 4096
const DIGEST = /^[0-9a-f]{64}$/

export class ObjectCache {
  /** Of one catalogue. */
  readonly folder: string
  readonly #cacheRoot: string

  constructor(cacheRoot: string, uri: string) {
    this.#cacheRoot = cacheRoot
    this.folder = join(cacheRoot, 'shared', sha256Hex(uri).slice(0, 32))
  }

  has(item: CachedFiles): boolean {
    return stateAt(join(this.#placeOf(item), 'whole')) !== undefined
  }

  /** Complete when this returns; the last file says so. Throws `WRITE_FAILED`. */
  put(digest: string, { type, id, files }: ItemFiles): void {
    const place = this.#placeOf({ type, id, digest })
    this.#make(this.folder)
    this.#make(place)
    const above = type === 'skill' ? id : id.slice(0, id.length - nameOf(id).length)
    const paths = [...files].map(
      ([path, bytes]) => [join(place, folderOf(type), above, path), bytes] as const,
    )
    writeAll(new Map(paths), { root: place, modeFor: () => 0o600 })
    atomicWrite(join(place, 'whole'), `${digest}\n`, { root: place, mode: 0o600 })
  }

  rootOf(item: CachedFiles): ItemRoot {
    const { type } = item
    return { type, space: 'shared', base: this.#placeOf(item), segments: [folderOf(type)], folder: 0 }
  }

  note(name: CachedName): void {
    this.#make(join(this.folder, 'names'))
    atomicWrite(this.#notePath(name), JSON.stringify(name), { root: this.folder, mode: 0o600 })
  }

  forget(name: Pick<CachedName, 'type' | 'id'>): void {
    if (stateAt(this.folder) !== undefined) removeFile(this.#notePath(name), { root: this.folder })
  }

  /** Undefined where nothing is kept that could be used. */
  recall({ type, id }: Pick<CachedName, 'type' | 'id'>): CachedName | undefined {
    try {
      const read = readFile(this.#notePath({ type, id }), { maxBytes: NOTE_BYTES })
      const value: unknown = read && JSON.parse(read.bytes.toString('utf8'))
      if (!isRecord(value) || value.type !== type || value.id !== id || !isItemType(value.type))
        return undefined
      const { digest, at } = value
      if (typeof digest !== 'string' || !DIGEST.test(digest) || typeof at !== 'number') return undefined
      return this.has({ type, id, digest }) ? { type, id, digest, at } : undefined
    } catch (thrown) {
      // A note that cannot be read is none.
      if (thrown instanceof AppError || thrown instanceof SyntaxError) return undefined
      throw thrown
    }
  }

  #make(folder: string): void {
    mkdirSync(this.#cacheRoot, { recursive: true, mode: 0o700 })
    makePrivateFolder(folder, this.#cacheRoot)
  }

  #placeOf({ type, id, digest }: CachedFiles): string {
    return join(this.folder, 'objects', sha256Hex(`${type}:${id} ${digest}`))
  }

  #notePath({ type, id }: Pick<CachedName, 'type' | 'id'>): string {
    return join(this.folder, 'names', `${sha256Hex(`${type}:${id}`)}.json`)
  }
}
