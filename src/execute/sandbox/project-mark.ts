// How a folder is known to be a project.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** A project folder holds at least one of these. */
export const PROJECT_MARKS: readonly string[] = ['.git', '.ai']

export function isMarkedAsProject(folder: string): boolean {
  return PROJECT_MARKS.some(name => existsSync(join(folder, name)))
}
