// From a base to a folder below it, through real directories only. With a link on the way, a cloned project could pass off
// a folder of the user as its own.
import { lstatSync, type Stats, statSync } from 'node:fs'
import { systemErrorCode } from '../base/index.ts'
import { kindProblem } from './file-problem.ts'
import { type SkippedPath, unreadable } from './skipped-path.ts'

const ABSENT = new Set(['ENOTDIR', 'ENAMETOOLONG'])

/** The folder's path; undefined when it is absent, or refused, which is then reported in `skipped`. */
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
    // One link may be on the way to the folders of every type: it is reported once.
    if (problem && !skipped.some(entry => entry.path === path)) skipped.push({ path, ...problem })
    return undefined
  }
  return path
}

/** What is at a path, links not followed; undefined when there is nothing, or when it is unreadable, which is reported. */
export function statsAt(path: string, skipped: SkippedPath[], stat = lstatSync): Stats | undefined {
  try {
    // An exception costs ten times as much as the call, and most of the paths do not exist.
    return stat(path, { throwIfNoEntry: false })
  } catch (thrown) {
    if (!ABSENT.has(systemErrorCode(thrown) ?? '')) skipped.push(unreadable(path, thrown))
    return undefined
  }
}
