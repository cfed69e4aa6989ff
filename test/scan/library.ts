// A library of three spaces in a temporary folder, for listing and locating.
import { type ItemRoot, itemRoots } from '../../src/scan/item-roots.ts'
import { temporaryTree } from './temporary-tree.ts'

export interface Library {
  readonly root: string
  readonly roots: readonly ItemRoot[]
}

/** Paths begin with `project/`, `user/` (both its `.ai` and its home) or `system/` (the `.ai` itself). */
export function createLibrary(...paths: string[]): Library {
  const root = temporaryTree(
    Object.fromEntries(['project/', 'user/', 'system/', ...paths].map(path => [path, path])),
  )
  const user = `${root}/user`
  const places = { projectPath: `${root}/project`, userSpace: user, home: user, systemRoot: `${root}/system` }
  return { root, roots: itemRoots(places) }
}
