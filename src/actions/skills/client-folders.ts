// The folders in which clients look for skills, and what is in them.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, systemErrorCode } from '../../base/index.ts'
import { isMainFile } from '../../skills/index.ts'
import { CLIENT_NAMES, type ClientName, foldersOf, type SkillClient } from './skill-clients.ts'

export interface ClientFolder {
  readonly path: string
  /** Several clients may share one. */
  readonly clients: readonly ClientName[]
}

/** Of a project, or of the home. */
export function clientFolders(base: string, scope: 'project' | 'user'): ClientFolder[] {
  const folders = new Map<string, ClientName[]>()
  for (const name of CLIENT_NAMES) {
    const folder = foldersOf(name)[scope]
    if (folder === undefined) continue
    const path = join(base, folder)
    folders.set(path, [...(folders.get(path) ?? []), name])
  }
  return [...folders].map(([path, clients]) => ({ path, clients }))
}

/** Throws if the client has none. */
export function clientFolder(client: SkillClient, base: string, scope: 'project' | 'user'): string {
  const folder = foldersOf(client)[scope]
  if (folder === undefined)
    throw new AppError('INVALID_INPUT', `${client} has no folder for all projects`, {
      hint: 'leave --user out: it reads skills of a project only',
    })
  return join(base, folder)
}

/** The names of folders in a folder, and of links, apart from our temporary ones; none when it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isDirectory() || entry.isSymbolicLink())
      .map(entry => entry.name)
      .filter(name => !name.startsWith('.rye-'))
      .sort()
  } catch (thrown) {
    if (systemErrorCode(thrown) === undefined) throw thrown
    return []
  }
}

/** Whether there is a skill in a folder, or where a link leads. */
export function isSkillFolder(folder: string): boolean {
  try {
    return readdirSync(folder).some(isMainFile)
  } catch (thrown) {
    if (systemErrorCode(thrown) === undefined) throw thrown
    return false
  }
}
