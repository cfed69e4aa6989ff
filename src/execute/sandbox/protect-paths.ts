// What a sandbox mounts over the protected paths, given what is on disk now: the path itself, a mount point
// of ours if it is absent, nothing where nobody could write. Links on the way are followed. A link in a
// writable directory ends the run before it starts, because no mount can protect it: the tool could replace
// it by a directory of its own.
import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AppError, systemErrorCode } from '../../base/index.ts'
import type { Mount } from './bubblewrap-arguments.ts'
import { type FileGuard, holdFile } from './guarded-file.ts'
import { holdMountPoint, isOurs, type MountPoint, statOf } from './mount-point.ts'
import type { MountTable } from './mount-table.ts'
import type { ProtectedPath } from './protected-paths.ts'

/** Mount points are added to the list one by one, so that the caller can release them even if this throws. */
export function protectPaths(
  paths: readonly ProtectedPath[],
  table: MountTable,
  mountPoints: MountPoint[],
): void {
  const resolve = createResolver(path => table.accessAt(path) === 'writable')
  for (const { path: named, mode, absent } of paths) {
    const resolved = resolve(named)
    // A secret that only its owner reads may be replaced: that shows the tool nothing.
    if (resolved.replaceableLink !== undefined && (mode === 'read-only' || absent !== 'open'))
      throw unprotectable(resolved.replaceableLink)
    // Where nothing of the disk can be seen, there is nothing to protect, unless a link leads to something
    // that can.
    if (table.isCovered(resolved.path)) {
      const target = examine(resolved.path)
      if (target && !table.isCovered(target.path)) table.add(target.path, mode, target.kind)
      continue
    }
    const isWritable = table.accessAt(resolved.path) === 'writable'
    if (mode === 'read-only' && !isWritable) continue
    // Where nothing is writable, absent paths stay absent.
    const mayCreate = absent !== 'open' && isWritable
    const path = mayCreate ? firstAbsent(resolved.path, table) : resolved.path
    if (mayCreate && path === resolved.path && isFileGuard(absent)) {
      const guard = holdGuard(path, absent)
      if (guard) {
        mountPoints.push(guard.mountPoint)
        table.add(guard.directory, 'hidden')
        // Inside, an empty file covers the socket: a program that copies a project cannot read a socket.
        if (guard.isSocket) table.add(path, 'hidden', 'file')
        if (guard.isSocket || guard.directory === path) continue
      }
    } else if (absent !== 'open') {
      const mountPoint = isFileGuard(absent) && !mayCreate ? null : holdMountPoint(path, mayCreate)
      if (mountPoint) mountPoints.push(mountPoint)
      if (mountPoint?.isEmpty) {
        table.add(path, 'hidden')
        continue
      }
    }
    const found = examine(path)
    if (found === null) continue
    // A `.git` file points to a repository elsewhere: replacing it would replace the repository.
    if (absent === 'guard-only' && found.kind === 'directory') continue
    table.add(found.path, mode, found.kind)
  }
}

interface HeldGuard {
  readonly mountPoint: MountPoint
  /** Must be hidden from the tool: the path itself, or the directory that holds a guard file. */
  readonly directory: string
  readonly isSocket: boolean
}

/** Null where there is something of the user's, or where nobody could make anything. */
function holdGuard(path: string, guard: FileGuard): HeldGuard | null {
  const isSocket = guard === 'socket'
  try {
    const held = holdFile(path, guard)
    if (held) return { ...held, isSocket }
  } catch (thrown) {
    if (!isSocket || systemErrorCode(thrown) === undefined) throw thrown
    return holdDirectory(path)
  }
  const stat = statOf(path)
  return isSocket && stat?.isDirectory() && isOurs(stat) ? holdDirectory(path) : null
}

/** A file system may lack sockets or hard links. A directory will do there, though other programs see it. */
function holdDirectory(path: string): HeldGuard | null {
  const mountPoint = holdMountPoint(path, true)
  return mountPoint && { mountPoint, directory: path, isSocket: false }
}

function isFileGuard(absent: ProtectedPath['absent']): absent is FileGuard {
  return absent === 'socket' || typeof absent === 'object'
}

/** What is at the end of all links; null if there is nothing. */
export function examine(path: string): Pick<Mount, 'path' | 'kind'> | null {
  try {
    const real = realpathSync(path)
    return { path: real, kind: lstatSync(real).isDirectory() ? 'directory' : 'file' }
  } catch {
    return null
  }
}

/**
 * The path to guard for an absent path. Whoever can make a directory can make what is in it, so this is the
 * outermost directory on the way that is absent or is another sandbox's mount point.
 */
function firstAbsent(path: string, table: MountTable): string {
  let first = path
  for (let parent = dirname(path); !table.has(parent) && parent !== '/'; parent = dirname(parent)) {
    const stat = statOf(parent)
    if (stat === undefined || (stat.isDirectory() && isOurs(stat))) first = parent
  }
  return first
}

interface Resolved {
  /** The path without links on the way to it, whether or not it exists. */
  readonly path: string
  /** The first link, on the way or at the end, that lies in a writable directory. */
  readonly replaceableLink: string | undefined
}

/** Many paths share their parents: each directory is looked at once. */
function createResolver(isWritable: (path: string) => boolean): (path: string) => Resolved {
  const directories = new Map<string, Resolved>([['/', { path: '/', replaceableLink: undefined }]])
  const resolve = (named: string): Resolved => {
    const parent = directories.get(dirname(named)) ?? resolveDirectory(dirname(named))
    const path = join(parent.path, basename(named))
    const isReplaceable = isWritable(dirname(path)) && statOf(path)?.isSymbolicLink()
    return { path, replaceableLink: parent.replaceableLink ?? (isReplaceable ? path : undefined) }
  }
  const resolveDirectory = (named: string): Resolved => {
    const { path, replaceableLink } = resolve(named)
    const resolved = { path: examine(path)?.path ?? path, replaceableLink }
    directories.set(named, resolved)
    return resolved
  }
  return resolve
}

function unprotectable(link: string): AppError {
  return new AppError(
    'ISOLATION_UNAVAILABLE',
    `\`${link}\` is a symbolic link that the tool could replace, so what it points to cannot be protected`,
    {
      hint: 'replace the link by a directory (or a bind mount), or set the isolation policy to `process-group`',
    },
  )
}
