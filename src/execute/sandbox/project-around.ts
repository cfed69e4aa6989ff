// What tools may have written: they write in the folder that a caller names as the project, and that may be any that is one. So a program that
// lies in one, such as those of an active environment of Python, is not started outside of a sandbox, whichever project a call is about.
import { dirname } from 'node:path'
import { realPath } from '../process/real-path.ts'
import { findClosedFolder } from './closed-folders.ts'
import { isMarkedAsProject } from './project-mark.ts'
import type { UserPlaces } from './protected-paths.ts'

/** The innermost project that a file or folder lies in. What no agent may name as a project is none: `~/.pyenv` is a repository, too. */
export function findProjectAround(path: string, home: string): string | undefined {
  return innermost(realPath(path), { home })
}

function innermost(folder: string, places: UserPlaces): string | undefined {
  if (isMarkedAsProject(folder) && findClosedFolder(folder, places) === undefined) return folder
  const above = dirname(folder)
  return above === folder ? undefined : innermost(above, places)
}
