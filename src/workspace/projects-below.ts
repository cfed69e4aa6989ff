// Folders around projects. What a sandbox closes in a project, its hooks and the settings of editors, it closes at the top: from a folder
// around it they could be changed.
import { type Dirent, existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isInside } from './places.ts'

const MARKS = ['.git', '.ai']
const DEEPEST = 3
const MOST_FOLDERS = 1000

/** A project in a folder that neither is one nor lies in one. What lies deep, or among very many folders, is not found. */
export function findProjectBelow(folder: string, home: string): string | undefined {
  if (isInProject(folder, home)) return undefined
  const waiting = [{ path: folder, depth: 0 }]
  // A list gives what is added while it is walked, too.
  for (const { path, depth } of waiting) {
    const entries = entriesOf(path)
    if (entries.some(({ name }) => MARKS.includes(name))) return path
    if (depth === DEEPEST) continue
    for (const entry of entries) {
      if (waiting.length === MOST_FOLDERS) break
      if (entry.isDirectory() && !/^(?:\.|node_modules$)/.test(entry.name))
        waiting.push({ path: join(path, entry.name), depth: depth + 1 })
    }
  }
  return undefined
}

/** Whether a folder is a project, or lies in one. A home that is a repository makes no project of what lies in it. */
export function isInProject(folder: string, home: string): boolean {
  if (folder === dirname(folder) || isInside(home, folder)) return false
  return MARKS.some(name => existsSync(join(folder, name))) || isInProject(dirname(folder), home)
}

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return [] // not ours to look at
  }
}
