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

/** Skills whose main file is written in another case, twice, or as a folder. */
export const ODD_CASES = [
  'project/.ai/skills/odd/Skill.md',
  'project/.ai/skills/odd/inner/SKILL.md',
  'project/.ai/skills/both/Skill.md',
  'project/.ai/skills/both/SKILL.md',
  'project/.ai/skills/folder/SKILL.md/x.txt',
  'project/.ai/skills/folder/skill.md',
]
