// What a run that was killed has left at protected paths of a project: the directories and files that kept a tool from creating them. The
// next run with a sandbox removes them.
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { bareRepositoryPaths, gitPaths } from './git-paths.ts'
import { leftOfFile } from './guarded-file.ts'
import { isLeftBehind } from './mount-point.ts'
import { type Places, type ProtectedPath, protectedPaths } from './protected-paths.ts'

/** Those that no living process uses. */
export function findLeftGuards(places: Places): string[] {
  const projectPath = realpathSync(places.projectPath)
  const rows = [
    ...gitPaths(projectPath),
    ...bareRepositoryPaths(projectPath),
    ...protectedPaths({ ...places, projectPath }),
  ]
  return [...new Set(rows.flatMap(leftAt))].sort()
}

/** The path itself, or a directory on the way to it that was absent as well. */
function leftAt({ path, absent }: ProtectedPath): string[] {
  if (absent === 'open') return []
  const isFile = typeof absent === 'object' || absent === 'socket'
  return [...(isFile ? leftOfFile(path, absent) : []), ...[path, ...parentsOf(path)].filter(isLeftBehind)]
}

function parentsOf(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [] : [parent, ...parentsOf(parent)]
}
