// Directories of skills that were read before. What `find` finds in them is compared with what it found then: where files of skills were
// written and nothing else has happened, only their folders are walked. Anything else is for a walk of all.
import { editedFiles, type FoundRoots, findRoots, realPath } from '../../scan/index.ts'
import type { SkillDiagnostic } from '../read/records.ts'
import { findSkill, findSkillFolders, type SkillTree, topmostSkill } from './find-skill-folders.ts'
import { requireDirectory } from './walk-directory.ts'

/** A directory as it was when its skills were last read. */
export interface KeptTree {
  readonly root: string
  /** Paths of its skills. */
  readonly skills: readonly string[]
  readonly diagnostics: readonly SkillDiagnostic[]
}

export interface KeptLook {
  readonly trees: readonly KeptTree[]
  readonly found: FoundRoots
}

export type LookedTree = Pick<SkillTree, 'root' | 'skills' | 'diagnostics'>

export interface Look {
  readonly trees: readonly LookedTree[]
  /** For the next look; undefined where there is no `find` to ask. */
  readonly kept?: KeptLook
  /** Whether nothing was written since the last look, as far as that was asked. */
  readonly isSame: boolean
}

/** What a walk of a part would not leave out in the same way as a walk of all. */
const LIMITED = new Set(['too-many', 'too-deep'])

/** Asks `find` at once: what is read of the directories is read afterwards. Throws `INVALID_INPUT` where one is none. */
export function startLook(directories: readonly string[]): Promise<(last: KeptLook | undefined) => Look> {
  const roots = directories.map(requireDirectory)
  // `find` would not enter a link.
  const finding = findRoots([roots.map(root => ({ base: realPath(root), segments: [] }))])
  return Promise.resolve(finding).then(groups => last => lookAgain(roots, groups?.[0], last))
}

function lookAgain(
  roots: readonly string[],
  found: FoundRoots | undefined,
  last: KeptLook | undefined,
): Look {
  const since = found && last && changedSince(roots, found, last)
  const trees = since?.trees ?? roots.map(root => findSkillFolders(root))
  const isWhole = trees.every(({ diagnostics }) => !diagnostics.some(({ code }) => LIMITED.has(code)))
  const kept = found && isWhole && { trees: trees.map(keepTree), found }
  return { trees, isSame: !kept || since?.isSame === true, ...(kept && { kept }) }
}

function keepTree({ root, skills, diagnostics }: LookedTree): KeptTree {
  return { root, skills: skills.map(({ path }) => path), diagnostics }
}

function changedSince(
  roots: readonly string[],
  found: FoundRoots,
  last: KeptLook,
): { readonly trees: readonly LookedTree[]; readonly isSame: boolean } | undefined {
  if (JSON.stringify(last.trees.map(({ root }) => root)) !== JSON.stringify(roots)) return undefined
  const edited = editedFiles(last.found, found)
  if (!edited) return undefined
  const trees = last.trees.map(tree => {
    const real = `${realPath(tree.root)}/`
    const files = edited.filter(file => file.startsWith(real)).map(file => file.slice(real.length))
    return treeSince(tree, files)
  })
  return trees.every(tree => tree !== undefined) ? { trees, isSame: edited.length === 0 } : undefined
}

/** Undefined where a file was written that belongs to no skill: what is wrong with it is told by a walk. */
function treeSince(
  { root, skills, diagnostics }: KeptTree,
  edited: readonly string[],
): LookedTree | undefined {
  const known = new Set(skills)
  const touched = new Set(edited.map(file => topmostSkill(file, known)))
  if (touched.has(undefined)) return undefined
  const said: SkillDiagnostic[] = []
  const looked = skills.map(path => {
    const skill = findSkill(root, path)
    if (!touched.has(path)) return { ...skill, isUntouched: true as const }
    said.push(...skill.skipped())
    return skill
  })
  const others = diagnostics.filter(({ path }) => !touched.has(topmostSkill(path, known) ?? ''))
  return { root, skills: looked, diagnostics: [...others, ...said] }
}
