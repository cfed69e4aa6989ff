// Scans directories of skills that were read before. What `find` reports is compared with what it reported
// last time. If only files of known skills were written, only the folders of those skills are walked;
// otherwise everything is.
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
  /** Paths of its skills, sorted. */
  readonly paths: readonly string[]
  /** Sorted by path. */
  skills(): readonly FoundSkill[]
  /** The skills with a file written since the last scan. Undefined when that is not known. */
  readonly touched?: readonly FoundSkill[]
}

export interface Scan {
  readonly trees: readonly ScannedTree[]
  /** For the next scan. Absent when there is no `find`, or when a walk ran into a limit. */
  readonly kept?: KeptScan
  /** Whether nothing was written since the last scan. Also true without `kept`, when that is unknown. */
  readonly isSame: boolean
}

/** Differs when skills at the same paths have other names. A scan is then not compared with the last. */
export type Naming = (paths: readonly (readonly string[])[]) => string

/** Starts `find` at once, before the directories are read. Throws `INVALID_INPUT` when one is missing. */
export function startScan(
  directories: readonly string[],
  naming: Naming = () => '',
): Promise<(last: KeptScan | undefined) => Scan> {
  const roots = directories.map(requireDirectory)
  // `find` would not enter a link, so it gets real paths.
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

/** Undefined when a file outside all skills was written: only a walk reports what is wrong with it. */
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
