// Directories of skills that were read before. What `find` finds in them is compared with what it found then:
// where files of skills were written and nothing else has happened, only their folders are walked. Anything
// else is for a walk of all.
import { editedFiles, type FoundRoots, findRoots, realPath } from '../../scan/index.ts'
import type { SkillDiagnostic } from '../read/records.ts'
import {
  type FoundSkill,
  findSkill,
  findSkillFolders,
  LIMITED,
  type SkillTree,
  topmostSkill,
} from './find-skill-folders.ts'
import { requireDirectory } from './walk-directory.ts'

/** A directory as it was when its skills were last read. */
export interface KeptTree {
  readonly root: string
  /** Paths of its skills. */
  readonly skills: readonly string[]
  readonly diagnostics: readonly SkillDiagnostic[]
}

export interface KeptScan {
  readonly trees: readonly KeptTree[]
  readonly found: FoundRoots
  readonly naming: string
}

export interface ScannedTree extends Pick<SkillTree, 'root' | 'diagnostics'> {
  /** Of its skills, sorted. */
  readonly paths: readonly string[]
  /** Sorted by path. */
  skills(): readonly FoundSkill[]
  /** The only ones of which a file was written since the last scan, where that is known. */
  readonly touched?: readonly FoundSkill[]
}

export interface Scan {
  readonly trees: readonly ScannedTree[]
  /** For the next scan; undefined where there is no `find` to ask. */
  readonly kept?: KeptScan
  /** Whether nothing was written since the last scan, as far as that was asked. */
  readonly isSame: boolean
}

/**
 * What differs when skills at the same paths of the directories have other names: then a scan is not compared
 * with the last.
 */
export type Naming = (paths: readonly (readonly string[])[]) => string

/**
 * Asks `find` at once: what is read of the directories is read afterwards. Throws `INVALID_INPUT` where a
 * directory is none.
 */
export function startScan(
  directories: readonly string[],
  naming: Naming = () => '',
): Promise<(last: KeptScan | undefined) => Scan> {
  const roots = directories.map(requireDirectory)
  // `find` would not enter a link.
  const finding = findRoots([roots.map(root => ({ base: realPath(root), segments: [] }))])
  return Promise.resolve(finding).then(groups => last => scanAgain({ roots, naming }, groups?.[0], last))
}

interface NamedDirectories {
  readonly roots: readonly string[]
  readonly naming: Naming
}

function scanAgain(
  { roots, naming }: NamedDirectories,
  found: FoundRoots | undefined,
  last: KeptScan | undefined,
): Scan {
  const since = found && last && changedSince({ roots, naming }, found, last)
  const trees = since?.trees ?? roots.map(walkTree)
  const isWhole = trees.every(({ diagnostics }) => !diagnostics.some(({ code }) => LIMITED.has(code)))
  const kept = found &&
    isWhole && { trees: trees.map(keepTree), found, naming: naming(trees.map(({ paths }) => paths)) }
  return { trees, isSame: !kept || since?.isSame === true, ...(kept && { kept }) }
}

function walkTree(directory: string): ScannedTree {
  const { root, skills, diagnostics } = findSkillFolders(directory)
  return { root, skills: () => skills, diagnostics, paths: skills.map(({ path }) => path) }
}

function keepTree({ root, paths, diagnostics }: ScannedTree): KeptTree {
  return { root, skills: paths, diagnostics }
}

function changedSince(
  { roots, naming }: NamedDirectories,
  found: FoundRoots,
  last: KeptScan,
): { readonly trees: readonly ScannedTree[]; readonly isSame: boolean } | undefined {
  if (JSON.stringify(last.trees.map(({ root }) => root)) !== JSON.stringify(roots)) return undefined
  if (last.naming !== naming(last.trees.map(({ skills }) => skills))) return undefined
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
  { root, skills: paths, diagnostics }: KeptTree,
  edited: readonly string[],
): ScannedTree | undefined {
  const known = new Set(paths)
  const touched = new Set<string>()
  for (const file of edited) {
    const path = topmostSkill(file, known)
    if (path === undefined) return undefined
    touched.add(path)
  }
  const walked = [...touched].map(path => findSkill(root, path))
  const others = diagnostics.filter(({ path }) => !touched.has(topmostSkill(path, known) ?? ''))
  return {
    root,
    paths,
    skills: () => paths.map(path => findSkill(root, path)),
    touched: walked,
    diagnostics: [...others, ...walked.flatMap(skill => [...skill.skipped()])],
  }
}
