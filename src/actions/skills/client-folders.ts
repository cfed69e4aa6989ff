// The folders where clients look for skills, and what is in them.
import { lstatSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { AppError, systemErrorCode } from '../../base/index.ts'
import { readLink } from '../../files/index.ts'
import { isMainFile } from '../../skills/index.ts'
import { CLIENT_NAMES, type ClientName, foldersOf, type SkillClient } from './skill-clients.ts'

export interface ClientFolder {
  readonly path: string
  /** Several clients may share one. */
  readonly clients: readonly ClientName[]
}

/** The client folders of a project or of the home directory. */
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

/** Throws if the client has no such folder, or if something other than a folder is there. */
export function clientFolder(client: SkillClient, base: string, scope: 'project' | 'user'): string {
  const folder = foldersOf(client)[scope]
  if (folder === undefined)
    throw new AppError('INVALID_INPUT', `${client} has no folder for all projects`, {
      hint: 'leave --user out: it reads skills of a project only',
    })
  const path = join(base, folder)
  const problem = folderProblem(path, base)
  if (problem) throw problem
  return path
}

/** Why the path can be neither read nor changed; undefined for a folder, and when nothing is there. */
export function folderProblem(path: string, base: string): AppError | undefined {
  let current = base
  try {
    for (const name of relative(base, path).split(sep)) {
      current = join(current, name)
      const stat = lstatSync(current, { throwIfNoEntry: false })
      if (stat === undefined) return undefined
      if (!stat.isDirectory()) return noFolder(current)
    }
    readdirSync(path)
    // Permission to list a folder does not imply permission to enter it.
    lstatSync(`${path}/.`)
    return undefined
  } catch (thrown) {
    return unreadable(current, thrown)
  }
}

function noFolder(path: string): AppError {
  const link = readLink(path)
  const found = link === undefined ? 'a file' : `a link to \`${link}\``
  return new AppError('WRITE_FAILED', `expected a folder at \`${path}\`, got ${found}`, {
    hint:
      link === undefined
        ? 'move it away, or remove it'
        : 'links are not followed there: put a folder in its place',
  })
}

function unreadable(path: string, thrown: unknown): AppError {
  const code = systemErrorCode(thrown)
  if (code === undefined) throw thrown
  return new AppError('FILE_UNREADABLE', `cannot read \`${path}\`: ${code}`, {
    hint: 'check its permissions',
  })
}

/**
 * Names of the folders and links in a folder, except our temporary ones; empty when the folder cannot be
 * read.
 */
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

/** Whether there is a skill in a folder, or behind a link. */
export function isSkillFolder(folder: string): boolean {
  try {
    return readdirSync(folder).some(isMainFile)
  } catch (thrown) {
    if (systemErrorCode(thrown) === undefined) throw thrown
    return false
  }
}
