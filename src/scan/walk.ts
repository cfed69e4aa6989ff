// Lists the regular files below a folder. The folder may come from anywhere, so nothing in it is followed or
// opened: links, pipes and devices are passed over by their type alone, and every dimension has a cap.
// Synchronous, because 100 000 awaits cost more than the calls; one `lstat` for each entry is most of the time.
import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { fileProblem, kindProblem } from './file-problem.ts'
import { type PassedOver, passOver, unreadable } from './skipped.ts'

export interface WalkLimits {
  /** Larger files are passed over; the largest item that any parser reads. */
  readonly fileBytes: number
  /** How many folders deep; an id of 255 characters has at most 128 segments, so every id is within reach. */
  readonly depth: number
  /** How many directory entries are looked at in all. */
  readonly entries: number
}

export const WALK_LIMITS: WalkLimits = { fileBytes: 8_000_000, depth: 128, entries: 500_000 }

export interface WalkOptions extends Partial<WalkLimits> {
  /** What becomes of names that begin with `_`. Skipped by default; inside a folder item they are parts of it. */
  readonly underscored?: 'skip' | 'take'
}

export interface WalkedFile {
  /** Below the root, with `/`. */
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
  /** When the system last saw it change, which no program can set. */
  readonly ctimeMs: number
  readonly inode: number
}

export interface Walk {
  /** The files of a folder by name, then those of its subfolders. */
  readonly files: readonly WalkedFile[]
  readonly passed: readonly PassedOver[]
}

export const SKIPPED_NAMES = new Set(['node_modules', '.git', '__pycache__', '.venv'])

/** Walks a folder that the caller has found to be a real directory. Never throws. */
export function walk(root: string, options: WalkOptions = {}): Walk {
  const limits = { ...WALK_LIMITS, ...options }
  const skipsUnderscored = options.underscored !== 'take'
  const files: WalkedFile[] = []
  const passed: PassedOver[] = []
  const pending = [{ folder: `${root}/`, depth: 0 }]
  let entriesLeft = limits.entries
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { folder, depth } = next
    const subfolders: typeof pending = []
    for (const name of namesIn(folder, passed)) {
      const path = folder + name
      if (entriesLeft-- === 0) {
        passed.push(passOver(path, 'too-many', `only ${limits.entries} entries are looked at`))
        return { files, passed }
      }
      const stats = statsOf(path, passed)
      if (!stats) continue
      const isFolder = stats.isDirectory()
      const problem =
        kindProblem(stats) ??
        nameProblem(name, skipsUnderscored) ??
        (isFolder ? undefined : fileProblem(stats, limits.fileBytes))
      if (problem) passed.push({ path, ...problem })
      else if (!isFolder) files.push(walkedFile(path.slice(root.length + 1), stats))
      else if (depth < limits.depth) subfolders.push({ folder: `${path}/`, depth: depth + 1 })
      else passed.push(passOver(path, 'too-deep', `only ${limits.depth} levels are walked`))
    }
    for (const subfolder of subfolders.reverse()) pending.push(subfolder)
  }
  return { files, passed }
}

function namesIn(path: string, passed: PassedOver[]): string[] {
  try {
    return readdirSync(path).sort()
  } catch (thrown) {
    passed.push(unreadable(path, thrown))
    return []
  }
}

function statsOf(path: string, passed: PassedOver[]): Stats | undefined {
  // What is not UTF-8 was decoded with this character, and the name no longer leads to the file.
  if (path.includes('\ufffd')) {
    passed.push(passOver(path, 'invalid-name', 'the name is not UTF-8'))
    return undefined
  }
  try {
    return lstatSync(path)
  } catch (thrown) {
    passed.push(unreadable(path, thrown))
    return undefined
  }
}

function nameProblem(name: string, skipsUnderscored: boolean): Omit<PassedOver, 'path'> | undefined {
  if (SKIPPED_NAMES.has(name) || (skipsUnderscored && name.startsWith('_')))
    return { reason: 'skipped-name', message: 'such names are never searched' }
  return undefined
}

function walkedFile(path: string, { size, mtimeMs, ctimeMs, ino: inode }: Stats): WalkedFile {
  return { path, size, mtimeMs, ctimeMs, inode }
}
