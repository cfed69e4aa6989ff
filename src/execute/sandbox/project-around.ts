// Finds the project that a path lies in. Tools write in the folder that a caller names as the project, and
// that may be any project. So a program in a project, such as those of an active Python environment, is not
// started outside a sandbox, whichever project a call is about.
import { dirname } from 'node:path'
import { realPath } from '../process/real-path.ts'
import { findClosedFolder } from './closed-folders.ts'
import { isMarkedAsProject } from './project-mark.ts'
import type { UserPlaces } from './protected-paths.ts'

/**
 * The innermost project that a file or folder lies in. A folder that no agent may name as its project does
 * not count: `~/.pyenv` is a repository, too.
 */
export function findProjectAround(path: string, home: string): string | undefined {
  return innermost(realPath(path), { home })
}

function innermost(folder: string, places: UserPlaces): string | undefined {
  if (isMarkedAsProject(folder) && findClosedFolder(folder, places) === undefined) return folder
  const above = dirname(folder)
  return above === folder ? undefined : innermost(above, places)
}
