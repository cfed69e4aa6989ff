// What a few changed files change of the verdicts on everything: only their items are judged anew, so that the numbers of a large library
// follow a change at once. Where a change may mean more than that, it says so, and everything is looked at.
import { lstatSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { idProblem, isUnderscored, SKIPPED_FOLDERS } from '../../item/index.ts'
import { PACKAGE_MARKERS } from '../../plan/index.ts'
import { type ItemRoot, rootAt, rootPath } from '../../scan/index.ts'
import type { VerdictStatus } from '../../trust/index.ts'
import type { Workspace } from '../../workspace/index.ts'
import { printName, readName } from './count-statuses.ts'
import { statusOf } from './summarize.ts'
import type { Statuses } from './summary-types.ts'

/** `paths` are those at which something happened. Undefined where everything has to be looked at. */
export function lookAgain(
  workspace: Workspace,
  statuses: Statuses,
  paths: readonly string[],
): Statuses | undefined {
  const names = new Set<string>()
  // A signature from the future becomes good by itself, and what could not be read may be readable now.
  for (const [name, status] of statuses) if (status === 'malformed') names.add(name)
  for (const path of paths) {
    const name = nameAt(workspace, statuses, path)
    if (name === 'anything') return undefined
    if (name !== 'nothing') names.add(name)
  }
  const next = new Map(statuses)
  for (const name of names) {
    const status = judgeNamed(workspace, name)
    if (status) next.set(name, status)
    else next.delete(name)
  }
  return next
}

/** The rules by which items are read are items themselves. */
const EXTRACTORS = '/rye/core/extractors/'

/** Of which item the file is. */
function nameAt(workspace: Workspace, statuses: Statuses, path: string): string | 'nothing' | 'anything' {
  const root = rootAt(workspace.roots, path)
  if (root === undefined || path.includes(EXTRACTORS) || isFolder(path)) return 'anything'
  const { type, space } = root
  const extractor = workspace.extractors.get(type)
  if (extractor === undefined) return 'nothing'
  const below = path.slice(rootPath(root).length + 1)
  if (extractor.itemFile !== null) return folderAt(workspace, statuses, { root, below })
  const segments = below.split('/')
  if (segments.some(segment => SKIPPED_FOLDERS.has(segment))) return 'nothing'
  // Whether a file beside tools is used is said by the others of its folder, and by packages above it.
  const isNearHelpers =
    isUnderscored(below) || PACKAGE_MARKERS.includes(segments.at(-1)!) || hasHelpers(dirname(path))
  if (type === 'tool' && isNearHelpers) return 'anything'
  if (isUnderscored(below)) return 'nothing'
  const file = below.endsWith('.sig') ? below.slice(0, -'.sig'.length) : below
  const extension = /\.[^./]*$/.exec(file)?.[0] ?? ''
  const id = file.slice(0, file.length - extension.length)
  if (!extractor.extensions.includes(extension) || idProblem(id) !== undefined) return 'nothing'
  return printName({ type, id, space })
}

function hasHelpers(folder: string): boolean {
  try {
    return readdirSync(folder).some(name => isUnderscored(name) && !SKIPPED_FOLDERS.has(name))
  } catch {
    // It went away: what it held is looked for everywhere.
    return true
  }
}

/** The item of which a folder above the file is; where that has changed, others may have become items or parts. */
function folderAt(
  workspace: Workspace,
  statuses: Statuses,
  { root: { type, space }, below }: { readonly root: ItemRoot; readonly below: string },
): string {
  const segments = below.split('/').slice(0, -1)
  const ids = segments.map((_, index) => segments.slice(0, index + 1).join('/'))
  const before = ids.find(id => statuses.has(printName({ type, id, space })))
  const now = ids.find(id => idProblem(id) === undefined && workspace.has({ type, id, space }))
  if (before !== now) return 'anything'
  return now === undefined ? 'nothing' : printName({ type, id: now, space })
}

function judgeNamed(workspace: Workspace, name: string): VerdictStatus | undefined {
  // They were read off names and roots.
  const request = readName(name) as Parameters<Workspace['find']>[0]
  return workspace.has(request) ? statusOf(workspace, workspace.find(request)) : undefined
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    // A folder on the way has become a file.
    return true
  }
}
