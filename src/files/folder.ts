// An open folder. Everything reached through it lies in that folder, even if its path leads elsewhere by now:
// a tool that runs in a project can replace a folder with a link after it was checked and before it is used.
// On Linux, `/proc/self/fd/N/NAME` is a name in an open folder, as with `openat`. Node has no equivalent on
// other systems: there we use the path after comparing it with the folder that was opened, so a swap at just
// the right moment goes unnoticed.
import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { lazy, systemErrorCode } from '../base/index.ts'

/** Something other than a folder is there, such as a link or a file. */
export class NotAFolder extends Error {
  readonly path: string

  constructor(path: string) {
    super(`\`${path}\` is not a plain folder`)
    this.path = path
  }
}

const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants
/** Opens a folder only to pass through it, without permission to list it. Node does not export it. */
const O_PATH = 0o10000000

const hasDescriptorPaths = lazy(() => {
  try {
    const descriptor = openSync('/', O_PATH | O_DIRECTORY)
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === '/'
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // Not Linux, or `/proc` is not mounted.
    return false
  }
})

export class Folder {
  /** The path at which it was opened. */
  readonly path: string
  readonly #descriptor: number | undefined
  /** Compared before each use when there is no descriptor. */
  readonly #identity: string | undefined

  private constructor(path: string, descriptor: number | undefined, identity: string | undefined) {
    this.path = path
    this.#descriptor = descriptor
    this.#identity = identity
  }

  /** Opens a folder that the user chose, links included. */
  static open(path: string): Folder {
    if (hasDescriptorPaths()) return new Folder(path, openSync(path, O_PATH | O_DIRECTORY), undefined)
    const stat = statSync(path)
    if (!stat.isDirectory()) throw new NotAFolder(path)
    return new Folder(path, undefined, identityOf(stat))
  }

  /** Opens a folder inside this one. Throws `NotAFolder` when the name is something else. */
  enter(name: string): Folder {
    const path = join(this.path, name)
    if (this.#descriptor === undefined) {
      const stat = lstatSync(this.at(name))
      if (!stat.isDirectory()) throw new NotAFolder(path)
      return new Folder(path, undefined, identityOf(stat))
    }
    try {
      return new Folder(path, openSync(this.at(name), O_PATH | O_DIRECTORY | O_NOFOLLOW), undefined)
    } catch (thrown) {
      throw systemErrorCode(thrown) === 'ENOTDIR' ? new NotAFolder(path) : thrown
    }
  }

  /** The path for a name in this folder, to be passed to Node's functions. */
  at(name: string): string {
    if (name.includes('/') || name === '..' || name === '') throw new Error(`unreachable: the name ${name}`)
    if (this.#descriptor !== undefined) return `/proc/self/fd/${this.#descriptor}/${name}`
    const now = statSync(this.path, { throwIfNoEntry: false })
    if (now === undefined || identityOf(now) !== this.#identity) throw new NotAFolder(this.path)
    return join(this.path, name)
  }

  names(): string[] {
    return readdirSync(this.at('.'))
  }

  /** Makes the entries of this folder durable. */
  sync(): void {
    if (process.platform === 'win32') return // a folder cannot be opened there
    const descriptor = openSync(this.at('.'), O_RDONLY | O_DIRECTORY)
    try {
      fsyncSync(descriptor)
    } catch (error) {
      // Some network and user-space file systems cannot sync a folder; they answer EINVAL.
      if (systemErrorCode(error) !== 'EINVAL') throw error
    } finally {
      closeSync(descriptor)
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
  }
}

/** Opens a folder, passing only through real folders below the root. The root itself may be a link. */
export function openFolder(
  path: string,
  root: string,
  enter = (folder: Folder, name: string) => folder.enter(name),
): Folder {
  let folder = Folder.open(root)
  for (const name of namesBelow(root, path)) {
    const outer = folder
    try {
      folder = enter(outer, name)
    } finally {
      outer.close()
    }
  }
  return folder
}

/** Calls `use` with a file's name and its open folder, reached through real folders below the root. */
export function inFolderOf<T>(path: string, root: string, use: (folder: Folder, name: string) => T): T {
  const folder = openFolder(dirname(path), root)
  try {
    return use(folder, basename(path))
  } finally {
    folder.close()
  }
}

/** Makes the entries of a folder durable. */
export function syncFolder(path: string, root: string): void {
  const folder = openFolder(path, root)
  try {
    folder.sync()
  } finally {
    folder.close()
  }
}

/**
 * Opens a file directly, if the open file itself shows that real folders lead from the root to it. Undefined
 * when that cannot be shown; then use `inFolderOf`.
 */
export function openBelow(path: string, root: string, flags: number): number | undefined {
  if (!hasDescriptorPaths() || !path.startsWith(root + sep)) return undefined
  const descriptor = openSync(path, flags)
  try {
    if (readlinkSync(`/proc/self/fd/${descriptor}`) === realRoot(root) + path.slice(root.length))
      return descriptor
  } catch {
    // The root is gone meanwhile.
  }
  closeSync(descriptor)
  return undefined
}

let lastRoot = { root: '', real: '' }

/** A stale result is harmless: no open file lies below the old path, so the comparison fails. */
function realRoot(root: string): string {
  if (lastRoot.root !== root) lastRoot = { root, real: realpathSync(root) }
  return lastRoot.real
}

function namesBelow(root: string, path: string): string[] {
  const below = relative(root, path)
  if (below === '') return []
  const names = below.split(sep)
  if (names[0] === '..') throw new Error(`unreachable: ${path} is not below ${root}`)
  return names
}

function identityOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`
}
