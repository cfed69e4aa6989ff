// Lists the regular files below a folder. The folder may come from anywhere, so nothing in it is followed or opened: links,
// pipes and devices are skipped by their type, and size, depth and number of entries are limited.
// Synchronous, because 100 000 awaits cost more than the calls; most of the time is one `lstat` for each entry.
import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { type FileState, fileState } from '../files/index.ts'
import { SKIPPED_FOLDERS } from '../item/index.ts'
import { fileProblem, kindProblem } from './file-problem.ts'
import { type SkippedPath, skippedPath, unreadable } from './skipped-path.ts'

export interface WalkLimits {
  /** Larger files are skipped: no parser reads a larger item. */
  readonly fileBytes: number
  /** How many folders deep: an id of 255 characters has at most 128 segments. */
  readonly depth: number
  /** How many directory entries are read in all. */
  readonly entries: number
}

export const WALK_LIMITS: WalkLimits = { fileBytes: 8_000_000, depth: 128, entries: 500_000 }

export interface WalkOptions extends Partial<WalkLimits> {
  /** Names that begin with `_`: skipped by default, but part of a folder item. */
  readonly underscored?: 'skip' | 'take'
  /** Every name, also `.git`, `__pycache__` and the like: for a folder that is signed as a whole. */
  readonly everything?: true
}

export interface WalkedFile extends FileState {
  /** Below the root, with `/`. */
  readonly path: string
}

export interface Walk {
  /** The files of a folder by name, then those of its subfolders. */
  readonly files: readonly WalkedFile[]
  readonly skipped: readonly SkippedPath[]
  /** Before the first file was looked at. */
  readonly startedAt: number
}

/** Walks a folder that the caller has found to be a real directory. Never throws. */
export function walk(root: string, options: WalkOptions = {}): Walk {
  const startedAt = Date.now()
  const limits = { ...WALK_LIMITS, ...options }
  const files: WalkedFile[] = []
  const skipped: SkippedPath[] = []
  const pending = [{ folder: `${root}/`, depth: 0 }]
  let entriesLeft = limits.entries
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { folder, depth } = next
    const subfolders: typeof pending = []
    for (const name of namesIn(folder, skipped)) {
      const path = folder + name
      if (entriesLeft-- === 0) {
        skipped.push(skippedPath(path, 'too-many', `only ${limits.entries} entries are read`))
        return { files, skipped, startedAt }
      }
      const stats = statsOf(path, skipped)
      if (!stats) continue
      const isFolder = stats.isDirectory()
      const problem =
        kindProblem(stats) ??
        nameProblem(name, options) ??
        (isFolder ? undefined : fileProblem(stats, limits.fileBytes))
      if (problem) skipped.push({ path, ...problem })
      else if (!isFolder) files.push({ path: path.slice(root.length + 1), ...fileState(stats) })
      else if (depth < limits.depth) subfolders.push({ folder: `${path}/`, depth: depth + 1 })
      else skipped.push(skippedPath(path, 'too-deep', `only ${limits.depth} levels are walked`))
    }
    for (const subfolder of subfolders.reverse()) pending.push(subfolder)
  }
  return { files, skipped, startedAt }
}

function namesIn(path: string, skipped: SkippedPath[]): string[] {
  try {
    return readdirSync(path).sort()
  } catch (thrown) {
    skipped.push(unreadable(path, thrown))
    return []
  }
}

function statsOf(path: string, skipped: SkippedPath[]): Stats | undefined {
  // Bytes that are not UTF-8 are decoded as this character, and the name no longer leads to the file.
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
