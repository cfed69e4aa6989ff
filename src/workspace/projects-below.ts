// Folders around projects. What a sandbox closes in a project, its hooks and the settings of editors, it closes at the top: from a folder
// around it they could be changed.
import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_MARKS } from '../execute/index.ts'

const DEEPEST = 3
const MOST_FOLDERS = 1000

/** A project in a folder that is none. What lies deep, or among very many folders, is not found. */
export function findProjectBelow(folder: string): string | undefined {
  const waiting = [{ path: folder, depth: 0 }]
  // A list gives what is added while it is walked, too.
  for (const { path, depth } of waiting) {
    const entries = entriesOf(path)
    if (entries.some(({ name }) => PROJECT_MARKS.includes(name))) return path
    if (depth === DEEPEST) continue
    for (const entry of entries) {
      if (waiting.length === MOST_FOLDERS) break
      if (entry.isDirectory() && !/^(?:\.|node_modules$)/.test(entry.name))
        waiting.push({ path: join(path, entry.name), depth: depth + 1 })
    }
  }
  return undefined
}

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return [] // not ours to look at
  }
}
