// What a sandbox mounts over the protected paths, given what is on disk now: the path itself, a mount point of ours if it is
// absent, nothing where nobody could write. Links on the way are followed. A link in a writable directory ends the run before it
// starts, because no mount can protect it: the tool could replace it by a directory of its own.
import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AppError } from '../../base/index.ts'
import { isInside, type ProtectedMount } from './bubblewrap-arguments.ts'
import { holdMountPoint, type MountPoint, statOf } from './mount-point.ts'
import type { ProtectedPath } from './protected-paths.ts'

/** Mount points are added to the list one by one, so that the caller can release them even if this throws. */
export function protectPaths(
  paths: readonly ProtectedPath[],
  writable: readonly string[],
  mountPoints: MountPoint[],
): ProtectedMount[] {
  const resolve = createResolver(writable)
  const mounts = new Map<string, ProtectedMount>()
  for (const { path: named, mode, absent } of paths) {
    const { path, replaceableLink } = resolve(named)
    if ([...mounts.values()].some(mount => mount.mode === 'hidden' && isInside(path, mount.path))) continue
    // A secret that only its owner reads may be replaced: that shows the tool nothing.
    if (replaceableLink !== undefined && (mode === 'read-only' || absent !== 'open'))
      throw unprotectable(replaceableLink)
    // Where nothing is writable, what is absent stays absent.
    const mayCreate = absent !== 'open' && writable.some(root => isInside(path, root))
    const mountPoint = absent === 'open' ? null : holdMountPoint(path, mayCreate)
    if (mountPoint) mountPoints.push(mountPoint)
    if (mountPoint?.isEmpty) {
      mounts.set(path, { path, kind: 'directory', mode: 'hidden' })
      continue
    }
    const found = examine(path)
    if (found === null) continue
    // A `.git` file points to a repository elsewhere: replacing it would replace the repository.
    if (absent === 'guard-only' && found.kind === 'directory') continue
    mounts.set(found.path, { path: found.path, kind: found.kind, mode })
  }
  return [...mounts.values()]
}

/** What is at the end of all links; null if there is nothing. */
export function examine(path: string): { path: string; kind: ProtectedMount['kind'] } | null {
  try {
    const real = realpathSync(path)
    return { path: real, kind: lstatSync(real).isDirectory() ? 'directory' : 'file' }
  } catch {
    return null
  }
}

interface Resolved {
  /** Without links on the way to it, whether or not it exists itself. */
  readonly path: string
  /** The first link, on the way or at the end, that lies in a writable directory. */
  readonly replaceableLink: string | undefined
}

/** Many paths share their parents: each directory is looked at once. */
function createResolver(writable: readonly string[]): (path: string) => Resolved {
  const directories = new Map<string, Resolved>([['/', { path: '/', replaceableLink: undefined }]])
  const resolve = (named: string): Resolved => {
    const parent = directories.get(dirname(named)) ?? resolveDirectory(dirname(named))
    const path = join(parent.path, basename(named))
    const isReplaceable = writable.some(root => isInside(path, root)) && statOf(path)?.isSymbolicLink()
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
