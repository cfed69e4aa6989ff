// The folders that hold items: a folder of each type in each space, and the skill folders of other clients.
import { existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { folderOf, ITEM_TYPES, type SignedType, type Space } from '../item/index.ts'

export interface Places {
  /** Undefined when there is no project: then only the roots that all projects share. */
  readonly projectPath: string | undefined
  /** The folder that holds the user's `.ai/`. */
  readonly userSpace: string
  readonly home: string
  /** The `.ai` folder of the package. */
  readonly systemRoot: string
}

export interface ItemRoot {
  readonly type: SignedType
  readonly space: Space
  /** Chosen by the user, so links in this path are followed. */
  readonly base: string
  /** Below the base, each of these must be a real directory, as they may come with a cloned project. */
  readonly segments: readonly string[]
  /** 0 below `.ai/`, then the other skill folders in order. */
  readonly folder: number
  /** The id, for a root that holds just one item and the files that belong to it. */
  readonly only?: string
  /** What ids begin with, for a root below the type's folder: `ops/`. */
  readonly prefix?: string
}

const SIGNED_TYPES: readonly SignedType[] = [...ITEM_TYPES, 'config']
const SKILL_FOLDERS = [
  ['.claude', 'skills'],
  ['.agents', 'skills'],
] as const

/** The roots of the last call; the next call usually asks for the same. */
let last: { readonly key: string; readonly roots: readonly ItemRoot[] } | undefined

/**
 * All roots in order of precedence. A folder that belongs to two spaces, as when the project is the home
 * directory, is listed once, for the first: an item does not shadow itself.
 */
export function itemRoots(places: Places): readonly ItemRoot[] {
  const project = places.projectPath === undefined ? undefined : realPath(places.projectPath)
  const user = realPath(places.userSpace, '.ai')
  const system = realPath(places.systemRoot)
  const skills = SKILL_FOLDERS.map(segments => realPath(places.home, ...segments))
  const key = [project ?? '', user, system, ...skills].join('\0')
  if (last?.key !== key) last = { key, roots: makeRoots({ project, user, system, skills }) }
  return last.roots
}

interface Bases {
  readonly project: string | undefined
  readonly user: string
  readonly system: string
  /** The user's other skill folders. */
  readonly skills: readonly string[]
}

function makeRoots({ project, user, system, skills }: Bases): ItemRoot[] {
  const roots: ItemRoot[] = []
  for (const type of SIGNED_TYPES) {
    const folder = folderOf(type)
    if (project) roots.push({ type, space: 'project', base: project, segments: ['.ai', folder], folder: 0 })
    roots.push({ type, space: 'user', base: user, segments: [folder], folder: 0 })
    roots.push({ type, space: 'system', base: system, segments: [folder], folder: 0 })
  }
  SKILL_FOLDERS.forEach((segments, index) => {
    const other = { type: 'skill', folder: index + 1 } as const
    if (project) roots.push({ ...other, space: 'project', base: project, segments })
    roots.push({ ...other, space: 'user', base: skills[index]!, segments: [] })
  })
  return withoutRepeats(roots)
}

function withoutRepeats(roots: readonly ItemRoot[]): ItemRoot[] {
  const seen = new Set<string>()
  return roots.filter(root => {
    const path = rootPath(root)
    if (seen.has(path)) return false
    seen.add(path)
    return true
  })
}

/** The path with links resolved, or unchanged when nothing exists there yet. */
export function realPath(...parts: string[]): string {
  const path = resolve(...parts)
  try {
    // Often the path does not exist, and checking first is cheaper than an exception.
    return existsSync(path) ? realpathSync.native(path) : path
  } catch {
    return path
  }
}

/** The innermost root that holds a file, since one root may be inside another. */
export function rootAt(roots: readonly ItemRoot[], path: string): ItemRoot | undefined {
  return roots
    .filter(root => path.startsWith(`${rootPath(root)}/`))
    .sort((a, b) => rootPath(b).length - rootPath(a).length)[0]
}

export function rootPath({ base, segments }: ItemRoot): string {
  return [base, ...segments].join('/')
}
