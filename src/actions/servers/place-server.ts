// A server starts outside of the project, where nothing of a clone is picked up by its name. What its command line names there, relative
// to where somebody typed it or to the project, is written as a path of the project, and read and signed with the item.
import { existsSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { realPath } from '../../scan/index.ts'
import type { ActionContext } from '../definition/action.ts'
import { resolvePath } from '../definition/resolve-path.ts'
import type { ServerInput } from './describe-server.ts'
import { fetchesPackages } from './fetching-programs.ts'

export interface Standing {
  readonly projectPath: string
  /** Where a path begins that a person types; the project, unless told. */
  readonly directory?: string | undefined
}

/** The path of a project has no links in it, so this one has none either. */
export function standIn(projectPath: string, { directory }: Pick<ActionContext, 'directory'>): Standing {
  return { projectPath, directory: directory === undefined ? undefined : realPath(directory) }
}

/** What follows these is looked for among modules first. */
const NAMES_MODULE = new Set(['-m', '-r', '--require', '--import', '--loader', '--experimental-loader'])

/** A caller who names a folder means that one in the arguments. */
export function placeServer(input: ServerInput, standing: Standing): ServerInput {
  const { command, args, cwd } = input
  if (command === undefined) return input
  const program = { ...input, command: placeProgram(command, standing) }
  if (args === undefined || cwd !== undefined) return program
  // The word `chart.js` after `npx` is a package, and after `node` a file.
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

/** The folder that a person names for a server to start in. */
export function placeFolder(folder: string, { projectPath, directory = projectPath }: Standing): string {
  return printPath(resolvePath({ directory }, folder), projectPath)
}

/** A name without `/` is of the search path. */
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

/** Of where a person stands and the project, the one that has it. */
function findBase(
  word: string,
  { projectPath, directory = projectPath }: Standing,
  isThere: (path: string) => boolean,
): string | undefined {
  return [directory, projectPath].find(base => isThere(join(base, word)))
}

/** The slash at the end of a folder means something to some programs. */
function printPath(path: string, projectPath: string): string {
  const below = relative(projectPath, path)
  const end = below !== '' && path.endsWith('/') ? '/' : ''
  return below === '' ? '{project_path}' : `{project_path}/${below}${end}`
}

function isPath(word: string): boolean {
  return /^\.{1,2}(?:\/|$)/.test(word)
}

/** Neither absolute, nor an option, nor of another scope. */
function isRelative(word: string): boolean {
  return /^[^/@-]/.test(word)
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false // a word that is no path has no file
  }
}
