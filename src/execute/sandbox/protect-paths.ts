// What a sandbox mounts over the protected paths, from what is on disk now: the path itself, a placeholder where it is
// absent, nothing where nobody could write. Links on the way are followed; one that lies in a writable directory ends
// the run before it starts, because no mount can hold it: the tool could put a directory of its own in its place.
import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AppError } from '../../base/index.ts'
import { type Cover, isInside } from './bubblewrap-arguments.ts'
import { holdPlaceholder, type Placeholder, statOf } from './mount-point.ts'
import type { ProtectedPath } from './protected-paths.ts'

/** Placeholders are added to the list one by one, so that the caller can release them even if this throws. */
export function coverPaths(
  paths: readonly ProtectedPath[],
  writable: readonly string[],
  placeholders: Placeholder[],
): Cover[] {
  const resolve = createResolver(writable)
  const covers = new Map<string, Cover>()
  for (const { path: named, mode, absent } of paths) {
    const { path, loose } = resolve(named)
    if ([...covers.values()].some(cover => cover.mode === 'hidden' && isInside(path, cover.path))) continue
    // A secret that is read by nobody but its owner may be exchanged: that shows the tool nothing.
    if (loose !== undefined && (mode === 'read-only' || absent !== 'open')) throw looseLink(loose)
    // Where nothing is writable, what is absent stays absent.
    const creatable = absent !== 'open' && writable.some(root => isInside(path, root))
    const placeholder = absent === 'open' ? null : holdPlaceholder(path, creatable)
    if (placeholder) placeholders.push(placeholder)
    if (placeholder?.isEmpty) {
      covers.set(path, { path, kind: 'directory', mode: 'hidden' })
      continue
    }
    const found = examine(path)
    if (found === null) continue
    // A `.git` file points to a repository elsewhere: replacing it would replace the repository.
    if (absent === 'guard-only' && found.kind === 'directory') continue
    covers.set(found.path, { path: found.path, kind: found.kind, mode })
  }
  return [...covers.values()]
}

/** What is at the end of all links; null where there is nothing. */
export function examine(path: string): { path: string; kind: Cover['kind'] } | null {
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
  readonly loose: string | undefined
}

/** Many paths share their parents: each directory is looked at once. */
function createResolver(writable: readonly string[]): (path: string) => Resolved {
  const directories = new Map<string, Resolved>([['/', { path: '/', loose: undefined }]])
  const resolve = (named: string): Resolved => {
    const parent = directories.get(dirname(named)) ?? resolveDirectory(dirname(named))
    const path = join(parent.path, basename(named))
    const isLoose = writable.some(root => isInside(path, root)) && statOf(path)?.isSymbolicLink()
    return { path, loose: parent.loose ?? (isLoose ? path : undefined) }
  }
  const resolveDirectory = (named: string): Resolved => {
    const { path, loose } = resolve(named)
    const resolved = { path: examine(path)?.path ?? path, loose }
    directories.set(named, resolved)
    return resolved
  }
  return resolve
}

function looseLink(path: string): AppError {
  return new AppError(
    'ISOLATION_UNAVAILABLE',
    `\`${path}\` is a symbolic link that the tool could replace, and what it leads to is to be kept from it`,
    {
      hint: 'put a directory (or a bind mount) in place of the link, or set the isolation policy to `process-group`',
    },
  )
}
