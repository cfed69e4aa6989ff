// From a base to a folder below it, by real directories alone. A link anywhere on the way would let a cloned
// project stand in for a folder of the user's.
import { lstatSync, type Stats, statSync } from 'node:fs'
import { systemErrorCode } from '../base/index.ts'
import { kindProblem } from './file-problem.ts'
import { type PassedOver, unreadable } from './skipped.ts'

const ABSENT = new Set(['ENOTDIR', 'ENAMETOOLONG'])

/** The folder's path; undefined when it is absent, or refused, which is then reported in `passed`. */
export function descend(base: string, segments: readonly string[], passed: PassedOver[]): string | undefined {
  let path = base
  if (segments.length === 0) return lookAt(path, passed, statSync)?.isDirectory() ? path : undefined
  for (const segment of segments) {
    path = `${path}/${segment}`
    const stats = lookAt(path, passed)
    if (stats === undefined) return undefined
    if (stats.isDirectory()) continue
    const problem = kindProblem(stats)
    // One link may stand before the folders of every type: it is reported once.
    if (problem && !passed.some(entry => entry.path === path)) passed.push({ path, ...problem })
    return undefined
  }
  return path
}

/** What is at a path, links not followed; undefined when nothing is, or when it is unreadable, which is reported. */
export function lookAt(path: string, passed: PassedOver[], look = lstatSync): Stats | undefined {
  try {
    // An exception costs ten times the call, and most of what is looked for is not there.
    return look(path, { throwIfNoEntry: false })
  } catch (thrown) {
    if (!ABSENT.has(systemErrorCode(thrown) ?? '')) passed.push(unreadable(path, thrown))
    return undefined
  }
}
