// The text of each item as it was last signed on this machine, so that a later change can be compared with
// it. Kept in `signed/` of the state folder of the project or user space that holds the item. The number is
// limited; the oldest goes first. A missing copy only costs the comparison.
import { lstatSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isRecord, isText, sha256Hex } from '../base/index.ts'
import { atomicWrite, readFile, removeFile } from '../files/index.ts'

export interface SignedCopy {
  /** As in the signature. */
  readonly timestamp: string
  /** Path below the item's folder → text; a plain item is one file. Files that are not text are left out. */
  readonly files: Readonly<Record<string, string>>
}

const FOLDER = 'signed'
const MOST_COPIES = 2000
/** Nobody compares longer items line by line. */
const LONGEST = 512 * 1024
const NAME = /^[0-9a-f]{40}\.json$/
/** Copies are counted only when a name begins like this (one in 256), not at every signature. */
const LOOKING = '00'

/** Stores the signed text of an item, `TYPE:ID`. `swept` is as in `atomicWrite`. Throws `WRITE_FAILED`. */
export function keepSigned(
  stateFolder: string,
  item: string,
  { timestamp, files }: { readonly timestamp: string; readonly files: ReadonlyMap<string, Uint8Array> },
  swept?: Set<string>,
): void {
  const texts: Record<string, string> = {}
  let size = 0
  for (const [path, bytes] of files) {
    if (!isText(bytes)) continue
    size += bytes.length
    texts[path] = Buffer.from(bytes).toString('utf8')
  }
  if (size > LONGEST) return
  const copy = JSON.stringify({ version: 1, item, timestamp, files: texts })
  const path = pathOf(stateFolder, item)
  const options = { root: stateFolder, mode: 0o600, folderMode: 0o700 }
  atomicWrite(path, `${copy}\n`, swept ? { ...options, swept } : options)
  if (basename(path).startsWith(LOOKING)) removeOldest(stateFolder)
}

/** Undefined when there is no copy, or it is damaged. */
export function readSigned(stateFolder: string, item: string): SignedCopy | undefined {
  const bytes = readFile(pathOf(stateFolder, item), { root: stateFolder, maxBytes: 8 * LONGEST })?.bytes
  if (!bytes) return undefined
  try {
    const copy: unknown = JSON.parse(bytes.toString('utf8'))
    if (!isRecord(copy) || copy.item !== item || typeof copy.timestamp !== 'string') return undefined
    const { timestamp, files } = copy
    if (!isRecord(files) || !Object.values(files).every(text => typeof text === 'string')) return undefined
    // The cast is safe: each value was just checked to be a string.
    return { timestamp, files: files as Record<string, string> }
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined
    throw thrown
  }
}

function removeOldest(stateFolder: string): void {
  const folder = join(stateFolder, FOLDER)
  const names = readdirSync(folder).filter(name => NAME.test(name))
  if (names.length <= MOST_COPIES) return
  const time = (name: string) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const newestFirst = names.map(name => ({ name, time: time(name) })).sort((a, b) => b.time - a.time)
  for (const { name } of newestFirst.slice(MOST_COPIES)) removeFile(join(folder, name), { root: stateFolder })
}

function pathOf(stateFolder: string, item: string): string {
  return join(stateFolder, FOLDER, `${sha256Hex(item).slice(0, 40)}.json`)
}
