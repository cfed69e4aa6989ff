// Compiled code of the program, kept from one start to the next. V8 runs the content of such a file
// unchecked, so it is only read from places where anyone who can write could change the program as well: the
// package, or the user's state folder, which no sandboxed tool can reach. A file that is unusual in any way
// is not used.
import type { Hash } from 'node:crypto'
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../base/index.ts'
import { userSpaceOf } from '../workspace/index.ts'

export interface CodeCache {
  /** Where the file may be, best first. */
  readonly places: readonly CodePlace[]
  readonly name: string
  /** Part of the digest in front of the code; changes with the program, with Node and with its flags. */
  readonly identity: string
  /** Ids of the users who may have written the code. */
  readonly owners: readonly number[]
}

/** What this start compiled, for the next one. */
export interface NewCode {
  readonly cache: CodeCache
  readonly make: () => Buffer
}

export interface CodePlace {
  /** Folders may be made below the first of these that exists, if it is ours. */
  readonly roots: readonly string[]
  readonly folder: string
  /** The user's state folder that contains it. Undefined for the package. */
  readonly state?: string
}

/**
 * On processors without SHA-256 instructions, SHA-512 takes half the time, and a start digests a megabyte.
 */
const DIGEST = { name: 'sha512', bytes: 64 }
const MAX_BYTES = 16 * 1024 * 1024
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
/** Undefined on Windows, where access lists protect a user's folders and Node does not show them. */
const USER = process.geteuid?.()

/** Describes the code of a program under one of its names (`code-name.ts`). */
export function describeCodeCache(
  program: string,
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): CodeCache {
  const { dev, ino, size, mtimeNs, ctimeNs, uid } = statSync(program, { bigint: true })
  const flags = [...process.execArgv, environment.NODE_OPTIONS ?? '']
  const identity = [process.version, process.arch, ...flags, dev, ino, size, mtimeNs, ctimeNs].join('\n')
  const packageRoot = dirname(dirname(program))
  return {
    places: [
      { roots: [packageRoot], folder: join(packageRoot, '.cache', 'code') },
      // Reading the help makes no folder in the user's home.
      ...statePlaces('code', environment, name.startsWith('help') ? 'known' : 'new'),
    ],
    name: `${name}-${newDigest().update(identity).digest('hex').slice(0, 16)}`,
    identity,
    owners: USER === undefined ? [] : [USER, Number(uid)],
  }
}

/**
 * Places in the user's state folder. With `new`, they may be made even where the user space has no `.ai`
 * folder yet. Empty when the user space cannot be determined; the command itself reports that.
 */
export function statePlaces(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
  user: 'known' | 'new',
): CodePlace[] {
  try {
    const space = userSpaceOf(environment)
    const own = join(space, '.ai')
    const state = join(own, 'state')
    return [{ roots: [state, own, ...(user === 'new' ? [space] : [])], folder: join(state, name), state }]
  } catch (thrown) {
    if (thrown instanceof AppError) return []
    throw thrown
  }
}

/** The code of an earlier start, exactly as it was written. */
export function readCode(cache: CodeCache): Buffer | undefined {
  for (const { folder } of cache.places) {
    const bytes = readKept(join(folder, cache.name), cache.owners)
    if (!bytes || bytes.length <= DIGEST.bytes) continue
    const code = bytes.subarray(DIGEST.bytes)
    if (seal(cache, code).equals(bytes.subarray(0, DIGEST.bytes))) return code
  }
  return undefined
}

/** The bytes to write so that `readCode` accepts them. */
export function sealCode(cache: CodeCache, code: Buffer): Buffer {
  return Buffer.concat([seal(cache, code), code])
}

/**
 * The folder below which the folders of a place can be made so that `readCode` accepts what is in them;
 * undefined when they cannot.
 */
export function writableRoot({ roots, folder }: CodePlace): string | undefined {
  const root = roots.find(path => lstatSync(path, { throwIfNoEntry: false }))
  const above = root === undefined ? undefined : lstatSync(root, { throwIfNoEntry: false })
  const own = lstatSync(folder, { throwIfNoEntry: false })
  if (!above?.isDirectory() || (USER !== undefined && above.uid !== USER)) return undefined
  const isOurs = own === undefined || (own.isDirectory() && isTrusted(own, USER === undefined ? [] : [USER]))
  return isOurs ? root : undefined
}

/** The bytes of a file that nobody else can have written; undefined for any other file. */
function readKept(path: string, owners: readonly number[]): Buffer | undefined {
  return useKept(path, owners, (descriptor, size) => {
    if (size > MAX_BYTES) return undefined
    const bytes = Buffer.allocUnsafeSlow(size)
    return readSync(descriptor, bytes) === size ? bytes : undefined
  })
}

/** Opens a file that nobody else can have written and passes it to `use`; undefined for any other file. */
export function useKept<T>(
  path: string,
  owners: readonly number[],
  use: (descriptor: number, size: number) => T,
): T | undefined {
  try {
    const place = lstatSync(dirname(path))
    if (!place.isDirectory() || !isTrusted(place, owners)) return undefined
    const descriptor = openSync(path, FLAGS)
    try {
      const stat = fstatSync(descriptor)
      if (!stat.isFile() || stat.nlink !== 1 || !isTrusted(stat, owners)) return undefined
      return use(descriptor, stat.size)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // Absent or unreadable: it is made again.
    return undefined
  }
}

function isTrusted(stat: Stats, owners: readonly number[]): boolean {
  return USER === undefined || (owners.includes(stat.uid) && isOnlyOwnerWritable(stat))
}

function isOnlyOwnerWritable({ mode }: Stats): boolean {
  return (mode & 0o022) === 0
}

/** Needed because V8 itself checks little more than the length of the source. */
function seal({ identity }: CodeCache, code: Buffer): Buffer {
  return newDigest().update(`${identity}\0`).update(code).digest()
}

/** Loaded on first use, so it does not delay earlier steps of a start. */
function newDigest(): Hash {
  return process.getBuiltinModule('node:crypto').createHash(DIGEST.name)
}
