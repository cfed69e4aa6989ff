// The projects that the server was started for, by their index in the list; the page can name no others.
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { AppError, escapeHidden, quoteText } from '../../base/index.ts'

export interface Projects {
  readonly list: readonly { readonly name: string; readonly path: string }[]
  /**
   * Throws `INVALID_INPUT` when there is no such project, and `PROJECT_NOT_FOUND` when its folder is gone.
   */
  pathOf(project: number): string
}

export function listProjects(paths: readonly string[]): Projects {
  const list = [...new Set(paths)].map(path => ({
    name: escapeHidden(basename(path) || path, { oneLine: true }),
    path,
  }))
  return {
    list,
    pathOf(project) {
      const path = list[project]?.path
      if (path === undefined)
        throw new AppError('INVALID_INPUT', `expected a project from 0 to ${list.length - 1}, got ${project}`)
      if (isFolder(path)) return path
      throw new AppError('PROJECT_NOT_FOUND', `the folder of this project is gone: ${quoteText(path, 200)}`, {
        hint: 'put it back, or start `rye ui` again where it is now',
      })
    },
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    return false
  }
}
