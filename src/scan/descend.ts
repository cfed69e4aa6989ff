// Descends from a base to a folder below it, through real directories only. If links were followed, a cloned
// project could pass off one of the user's folders as its own.
import { lstatSync, type Stats, statSync } from 'node:fs'
import { systemErrorCode } from '../base/index.ts'
import { kindProblem } from './file-problem.ts'
import { type SkippedPath, unreadable } from './skipped-path.ts'

const ABSENT = new Set(['ENOTDIR', 'ENAMETOOLONG'])

/** The folder's path. Undefined when it is absent, or refused; a refusal is reported in `skipped`. */
export function descend(
  base: string,
  segments: readonly string[],
  skipped: SkippedPath[],
): string | undefined {
  let path = base
  if (segments.length === 0) return statsAt(path, skipped, statSync)?.isDirectory() ? path : undefined
  for (const segment of segments) {
    path = `${path}/${segment}`
    const stats = statsAt(path, skipped)
    if (stats === undefined) return undefined
    if (stats.isDirectory()) continue
    const problem = kindProblem(stats)
    // The same link may be on the way to the folders of every type, so it is reported once.
    if (problem && !skipped.some(entry => entry.path === path)) skipped.push({ path, ...problem })
    return undefined
  }
  return path
}

/** The stats of a path, links not followed. Undefined when it is absent, or unreadable and so reported. */
export function statsAt(path: string, skipped: SkippedPath[], stat = lstatSync): Stats | undefined {
  try {
    // An exception costs ten times as much as the call, and most of these paths do not exist.
    return stat(path, { throwIfNoEntry: false })
  } catch (thrown) {
    if (!ABSENT.has(systemErrorCode(thrown) ?? '')) skipped.push(unreadable(path, thrown))
    return undefined
  }
}
