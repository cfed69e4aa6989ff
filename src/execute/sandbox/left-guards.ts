// Finds what killed runs have left at the protected paths of a project: the directories and files that kept a
// tool from creating its own. The next run with a sandbox removes them.
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
  const inside = rows.filter(({ path }) => path.startsWith(`${projectPath}/`))
  return [...new Set(inside.flatMap(row => leftAt(row, projectPath)))].sort()
}

/** The path itself, or a directory of the project on the way to it that was absent as well. */
function leftAt({ path, absent }: ProtectedPath, projectPath: string): string[] {
  if (absent === 'open') return []
  const isFile = typeof absent === 'object' || absent === 'socket'
  return [...(isFile ? leftOfFile(path, absent) : []), ...pathsTo(path, projectPath).filter(isLeftBehind)]
}

function pathsTo(path: string, projectPath: string): string[] {
  return path === projectPath ? [] : [path, ...pathsTo(dirname(path), projectPath)]
}
