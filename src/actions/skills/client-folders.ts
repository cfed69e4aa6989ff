// The folders in which clients look for skills, and what is in them.
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError, systemErrorCode } from '../../base/index.ts'
import { readFile, removeEmptyFolders, removeFile } from '../../files/index.ts'
import { WALK_LIMITS, walk } from '../../scan/index.ts'
import { isMainFile } from '../../skills/index.ts'
import type { Files } from './installed-skills.ts'
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

/** The names of folders in a folder, and of links; none when it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isDirectory() || entry.isSymbolicLink())
      .map(entry => entry.name)
      .sort()
  } catch (thrown) {
    if (systemErrorCode(thrown) === undefined) throw thrown
    return []
  }
}

/** Whether these are the files of a skill. Authors write the name of its main file in any case. */
export function isSkill(files: Files): boolean {
  return [...files.keys()].some(isMainFile)
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

/** Every file of one copy. */
export function readCopy(target: string, root: string): Files {
  const files = new Map<string, Uint8Array>()
  // No name is left out: what a client finds in `__pycache__` it may run.
  const { files: found, skipped } = walk(target, { everything: true, root })
  const odd = skipped.find(one => one.path !== `${target}/`)
  if (odd) {
    throw new AppError('ITEM_EXISTS', `\`${odd.path}\` is in the way: ${odd.message}`, {
      hint: 'remove it first',
    })
  }
  for (const { path } of found) {
    const read = readFile(join(target, path), { maxBytes: WALK_LIMITS.fileBytes, root })
    if (read) files.set(path, read.bytes)
  }
  return files
}

/** Removes these files of a copy and the folders that are empty then. Without its main file it is no skill any more, however far this gets. */
export function removeCopy(target: string, files: Files, places: { base: string; keep: string }): void {
  const paths = [...files.keys()].sort((a, b) => Number(isMainFile(b)) - Number(isMainFile(a)))
  for (const name of paths) removeFile(join(target, name), { root: places.base })
  const folders = new Set(paths.map(name => dirname(join(target, name))))
  for (const one of [...folders].sort((a, b) => b.length - a.length))
    removeEmptyFolders(one, { root: places.base, keep: places.keep })
}
