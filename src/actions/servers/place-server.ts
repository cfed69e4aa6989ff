// A server starts outside the project, so that it finds no file of a clone by its bare name. Files of the
// project on its command line, relative to the caller's directory or to the project, are written as project
// paths, which are read and signed with the item.
import { existsSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { realPath } from '../../scan/index.ts'
import type { ActionContext } from '../definition/action.ts'
import { resolvePath } from '../definition/resolve-path.ts'
import type { ServerInput } from './describe-server.ts'
import { fetchesPackages } from './fetching-programs.ts'

export interface Standing {
  readonly projectPath: string
  /** The directory that typed paths are relative to. Undefined means the project. */
  readonly directory?: string | undefined
}

/** The project path has its links resolved, so the directory must have too. */
export function standIn(projectPath: string, { directory }: Pick<ActionContext, 'directory'>): Standing {
  return { projectPath, directory: directory === undefined ? undefined : realPath(directory) }
}

/** The word after one of these options is looked up as a module first. */
const NAMES_MODULE = new Set(['-m', '-r', '--require', '--import', '--loader', '--experimental-loader'])

/** With `cwd` given, relative arguments mean that folder, so they stay as they are. */
export function placeServer(input: ServerInput, standing: Standing): ServerInput {
  const { command, args, cwd } = input
  if (command === undefined) return input
  const program = { ...input, command: placeProgram(command, standing) }
  if (args === undefined || cwd !== undefined) return program
  // After `npx`, the word `chart.js` is a package; after `node`, it is a file.
  const mayBeFile = !fetchesPackages(command)
  const namesFile = (word: string, before = '') =>
    mayBeFile &&
    isRelative(word) &&
    !NAMES_MODULE.has(before) &&
    findBase(word, standing, isFile) !== undefined
  const place = (word: string, at: number) =>
    isPath(word) || namesFile(word, args[at - 1]) ? placeWord(word, standing) : word
  return { ...program, args: args.map(place) }
}

/** The folder named by a person for a server to start in. */
export function placeFolder(folder: string, { projectPath, directory = projectPath }: Standing): string {
  return printPath(resolvePath({ directory }, folder), projectPath)
}

/** A name without `/` is left for the search path. */
function placeProgram(command: string, standing: Standing): string {
  const isFound =
    command.includes('/') && isRelative(command) && findBase(command, standing, isFile) !== undefined
  return isPath(command) || isFound ? placeWord(command, standing) : command
}

function placeWord(word: string, standing: Standing): string {
  const { projectPath, directory = projectPath } = standing
  const path = join(findBase(word, standing, existsSync) ?? directory, word)
  return printPath(path, projectPath)
}

/** The directory or the project, whichever has the file; the directory comes first. */
function findBase(
  word: string,
  { projectPath, directory = projectPath }: Standing,
  isThere: (path: string) => boolean,
): string | undefined {
  return [directory, projectPath].find(base => isThere(join(base, word)))
}

/** Keeps a trailing slash, which means something to some programs. */
function printPath(path: string, projectPath: string): string {
  const below = relative(projectPath, path)
  const end = below !== '' && path.endsWith('/') ? '/' : ''
  return below === '' ? '{project_path}' : `{project_path}/${below}${end}`
}

function isPath(word: string): boolean {
  return /^\.{1,2}(?:\/|$)/.test(word)
}

/** Whether a word can be a relative path: not absolute, not an option, not a scoped package. */
function isRelative(word: string): boolean {
  return /^[^/@-]/.test(word)
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false // a word that is not a path has no file
  }
}
