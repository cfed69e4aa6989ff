// Whether the folders between a root and a path are real folders. A link among them would lead a read or a write
// out of the space that the root stands for. The root itself may be a link: its owner chose it.
import { lstatSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** The folders below `root` on the way to `path`, outermost first; `path` itself is not among them. */
export function foldersBetween(root: string, path: string): string[] {
  const segments = relative(root, path).split(sep)
  if (segments[0] === '..' || segments[0] === '') throw new Error(`unreachable: ${path} is not below ${root}`)
  return segments.slice(0, -1).map((_, index) => join(root, ...segments.slice(0, index + 1)))
}

/** The first folder between `root` and `path` that is something else, if any; a missing one is not. */
export function findOddFolder(root: string, path: string): string | undefined {
  return foldersBetween(root, path).find(folder => {
    const stat = lstatSync(folder, { throwIfNoEntry: false })
    return stat !== undefined && !stat.isDirectory()
  })
}
