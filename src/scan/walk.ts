// Lists the regular files below a folder. The folder may come from anywhere, so nothing in it is followed or
// opened: links, pipes and devices are skipped by their type, and size, depth and number of entries are
// limited. Names are listed through the open folder, so they belong to it even if a link has taken its place.
// Their states are looked up by path, which is a third faster and decides nothing: what is read later is
// opened folder by folder, and its state is taken then. Synchronous, because 100 000 awaits cost more than
// the calls; most of the time is one `lstat` per entry.
import { lstatSync, type Stats } from 'node:fs'
import { type FileState, type Folder, fileState, openFolder } from '../files/index.ts'
import { SKIPPED_FOLDERS } from '../item/index.ts'
import { fileProblem, kindProblem } from './file-problem.ts'
import { type SkippedPath, skippedPath, unreadable } from './skipped-path.ts'

export interface WalkLimits {
  /** Larger files are skipped: no parser reads a larger item. */
  readonly fileBytes: number
  /** How many folders deep. An id of 255 characters has at most 128 segments. */
  readonly depth: number
  /** How many directory entries are read in total. */
  readonly entries: number
}

export const WALK_LIMITS: WalkLimits = { fileBytes: 8_000_000, depth: 128, entries: 500_000 }

export interface WalkOptions extends Partial<WalkLimits> {
  /**
   * Links are followed only above this folder: all folders from here down to the walked one must be real.
   * Defaults to the walked folder itself.
   */
  readonly root?: string
  /** Names that begin with `_`: skipped by default, or taken as parts of a folder item. */
  readonly underscored?: 'skip' | 'take'
  /** Takes every name, even `.git` and `__pycache__`: for a folder that is signed as a whole. */
  readonly everything?: true
}

export interface WalkedFile extends FileState {
  /** Relative to the root, with `/`. */
  readonly path: string
}

export interface Walk {
  /** The files of a folder by name, then those of its subfolders. */
  readonly files: readonly WalkedFile[]
  /** The subfolders that were to be entered, in their state before that. */
  readonly folders: readonly WalkedFile[]
  readonly skipped: readonly SkippedPath[]
  /** Time before the first file was looked at. */
  readonly startedAt: number
}

/** Walks a folder. Never throws: a folder that is absent or unreadable is reported. */
export function walk(path: string, options: WalkOptions = {}): Walk {
  const walker = new Walker(path, options)
  const startedAt = Date.now()
  walker.walk(() => openFolder(path, options.root ?? path))
  return { files: walker.files, folders: walker.folders, skipped: walker.skipped, startedAt }
}

/** An open folder and the subfolders still to be entered, the last one first. */
interface Level {
  readonly folder: Folder
  /** Path relative to the root, with a slash at the end; empty for the root itself. */
  readonly below: string
  readonly depth: number
  readonly subfolders: string[]
}

class Walker {
  readonly #root: string
  readonly #limits: WalkLimits
  readonly #options: WalkOptions
  readonly files: WalkedFile[] = []
  readonly folders: WalkedFile[] = []
  readonly skipped: SkippedPath[] = []
  readonly #levels: Level[] = []
  /** Below zero when there were too many. */
  #entriesLeft: number

  constructor(root: string, options: WalkOptions) {
    this.#root = root
    this.#limits = { ...WALK_LIMITS, ...options }
    this.#options = options
    this.#entriesLeft = this.#limits.entries
  }

  /**
   * Not recursive, as the tree may be deeper than the stack. A folder is closed as soon as its last subfolder
   * is open, so a chain of folders takes two descriptors however long it is, and no tree takes more than one
   * per level of the depth limit.
   */
  walk(open: () => Folder): void {
    try {
      this.#list(this.#tryTo(open, ''), '', 0)
      for (let level = this.#levels.at(-1); level && this.#entriesLeft >= 0; level = this.#levels.at(-1)) {
        const { folder, depth, subfolders } = level
        const name = subfolders.pop()!
        const below = `${level.below}${name}/`
        const entered = this.#tryTo(() => folder.enter(name), below)
        if (subfolders.length === 0) this.#levels.pop()?.folder.close()
        this.#list(entered, below, depth + 1)
      }
    } finally {
      for (const { folder } of this.#levels) folder.close()
    }
  }

  /** Lists one folder, which stays open if it has subfolders to enter. */
  #list(folder: Folder | undefined, below: string, depth: number): void {
    if (!folder) return
    const names = this.#tryTo(() => folder.names().sort(), below) ?? []
    const subfolders = this.#look(names, below, depth).reverse()
    if (subfolders.length > 0) this.#levels.push({ folder, below, depth, subfolders })
    else folder.close()
  }

  #tryTo<T>(read: () => T, below: string): T | undefined {
    try {
      return read()
    } catch (thrown) {
      this.skipped.push(unreadable(`${this.#root}/${below}`, thrown))
      return undefined
    }
  }

  /** Adds the files among the names, and returns the subfolders. */
  #look(names: readonly string[], below: string, depth: number): string[] {
    const { entries, fileBytes, depth: deepest } = this.#limits
    const folder = `${this.#root}/${below}`
    const subfolders: string[] = []
    for (const name of names) {
      const path = folder + name
      if (this.#entriesLeft-- === 0) {
        this.skipped.push(skippedPath(path, 'too-many', `only ${entries} entries are read`))
        return []
      }
      const stats = statsOf(path, this.skipped)
      if (!stats) continue
      const isFolder = stats.isDirectory()
      const problem =
        kindProblem(stats) ??
        nameProblem(name, this.#options) ??
        (isFolder ? undefined : fileProblem(stats, fileBytes))
      if (problem) this.skipped.push({ path, ...problem })
      else if (!isFolder) this.files.push({ path: below + name, ...fileState(stats) })
      else if (depth < deepest) {
        subfolders.push(name)
        this.folders.push({ path: below + name, ...fileState(stats) })
      } else this.skipped.push(skippedPath(path, 'too-deep', `only ${deepest} levels are walked`))
    }
    return subfolders
  }
}

function statsOf(path: string, skipped: SkippedPath[]): Stats | undefined {
  // Bytes that are not UTF-8 decode to this character, so the name no longer leads to the file.
  if (path.includes('\ufffd')) {
    skipped.push(skippedPath(path, 'invalid-name', 'the name is not UTF-8'))
    return undefined
  }
  try {
    return lstatSync(path)
  } catch (thrown) {
    skipped.push(unreadable(path, thrown))
    return undefined
  }
}

function nameProblem(name: string, options: WalkOptions): Omit<SkippedPath, 'path'> | undefined {
  if (options.everything) return undefined
  if (SKIPPED_FOLDERS.has(name) || (options.underscored !== 'take' && name.startsWith('_')))
    return { reason: 'skipped-name', message: 'files with such names are not searched' }
  return undefined
}
