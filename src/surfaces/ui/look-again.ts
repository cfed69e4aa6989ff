// Updates the verdicts after a few files have changed. Only the items of those files are judged again, so
// that the counts of a large library follow a change at once. When a change may affect more than that,
// everything has to be judged again.
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

/** `paths` are the paths where something happened. Undefined when everything has to be judged again. */
export function lookAgain(
  workspace: Workspace,
  statuses: Statuses,
  paths: readonly string[],
): Statuses | undefined {
  const names = new Set<string>()
  // A signature dated in the future becomes valid with time, and an unreadable file may be readable by now.
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

/** Extractors, the rules by which items are read, are items themselves. */
const EXTRACTORS = '/rye/core/extractors/'

/** The name of the item that the file belongs to. */
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
  // Whether a tool uses a file beside it depends on the other files in the folder, and on packages above it.
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
    // The folder is gone: what it held may matter anywhere.
    return true
  }
}

/**
 * The item whose folder contains the file. When that item has changed, other files may have become items or
 * parts of one.
 */
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
  // Safe: the names come from entries and roots.
  const request = readName(name) as Parameters<Workspace['find']>[0]
  return workspace.has(request) ? statusOf(workspace, workspace.find(request)) : undefined
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    // A parent folder has become a file.
    return true
  }
}
