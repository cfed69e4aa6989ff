// A server starts outside of the project, where nothing of a clone is picked up by its name. What its command names there, relative to
// the project, is written as a path of the project, and read and signed with the item.
import { statSync } from 'node:fs'
import { join, normalize } from 'node:path'
import type { ServerInput } from './describe-server.ts'
import { fetchesPackages } from './fetching-programs.ts'

/** What follows these is looked for among modules first. */
const NAMES_MODULE = new Set(['-m', '-r', '--require', '--import', '--loader', '--experimental-loader'])

/** A caller who names a folder means that one. */
export function placeArguments(input: ServerInput, projectPath: string): ServerInput {
  const { command, args, cwd } = input
  if (command === undefined || args === undefined || cwd !== undefined) return input
  // The word `chart.js` after `npx` is a package, and after `node` a file.
  const mayBeFile = !fetchesPackages(command)
  const namesFile = (word: string, before = '') =>
    mayBeFile && isRelative(word) && !NAMES_MODULE.has(before) && isFile(join(projectPath, word))
  const place = (word: string, at: number) =>
    isPath(word) || namesFile(word, args[at - 1]) ? placeInProject(word) : word
  return { ...input, args: args.map(place) }
}

function placeInProject(word: string): string {
  const path = normalize(word)
  return path === '.' || path === './' ? '{project_path}' : `{project_path}/${path}`
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
