// The projects that the server was started for, by their place in the list: the page can name no others.
import { basename } from 'node:path'
import { AppError } from '../../base/index.ts'

export interface Projects {
  readonly list: readonly { readonly name: string; readonly path: string }[]
  /** Throws `INVALID_INPUT` where there is none. */
  pathOf(project: number): string
}

export function listProjects(paths: readonly string[]): Projects {
  const list = [...new Set(paths)].map(path => ({ name: basename(path) || path, path }))
  return {
    list,
    pathOf(project) {
      const path = list[project]?.path
      if (path !== undefined) return path
      throw new AppError('INVALID_INPUT', `expected a project from 0 to ${list.length - 1}, got ${project}`)
    },
  }
}
