// The one rule for what may be an item's file: a regular file that is not too large to be read.
import type { Dirent, Stats } from 'node:fs'
import type { SkippedPath } from './skipped-path.ts'

/** Why something is neither a regular file nor a folder, or undefined. */
export function kindProblem(entry: Dirent | Stats): Omit<SkippedPath, 'path'> | undefined {
  if (entry.isSymbolicLink()) return { reason: 'symbolic-link', message: 'symbolic links are not followed' }
  if (entry.isFile() || entry.isDirectory()) return undefined
  return { reason: 'special-file', message: 'only regular files are read' }
}

/** Why something cannot be read as a file, or undefined. */
export function fileProblem(stats: Stats, maxBytes: number): Omit<SkippedPath, 'path'> | undefined {
  const problem = kindProblem(stats)
  if (problem) return problem
  if (stats.isDirectory()) return { reason: 'special-file', message: 'expected a file, got a folder' }
  if (stats.size <= maxBytes) return undefined
  return { reason: 'too-large', message: `expected at most ${maxBytes} bytes, got ${stats.size}` }
}
