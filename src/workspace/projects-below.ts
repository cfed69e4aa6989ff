// Finds projects inside a folder. A sandbox protects a project's hooks and editor settings only at the top of
// the project folder: a tool that has a folder around the project could change them.
import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_MARKS } from '../execute/index.ts'

const DEEPEST = 3
const MOST_FOLDERS = 1000

/**
 * Finds a project inside a folder that is none. Misses projects that lie deep, or among very many folders.
 */
export function findProjectBelow(folder: string): string | undefined {
  const waiting = [{ path: folder, depth: 0 }]
  // Iterating an array includes the elements added on the way.
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
