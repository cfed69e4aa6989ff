// The directories of skills that a caller names: the label of each, and whether `execute` searches it.
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { isSpace, precedenceOf } from '../../item/index.ts'
import { type ItemRoot, realPath, rootPath } from '../../scan/index.ts'
import { isMainFile } from '../../skills/index.ts'
import { findProject, homeOf, rootsOf } from '../../workspace/index.ts'
import type { ActionContext } from '../definition/action.ts'
import type { SkillSource, SkillSpace } from './name-skills.ts'

export interface SkillSources {
  readonly sources: readonly ShownSource[]
  /** See `nameSkills`. */
  elsewhere(id: string, path: string): readonly SkillSpace[]
}

export interface ShownSource extends SkillSource {
  /** The directory itself, in the form of a label. */
  readonly shown: string
}

/**
 * Matches a folder of skills of any project or user; `prefix` is the part of the path that belongs to ids.
 */
export const FOLDER = /^(?<base>.*?)(?<folder>\/\.(?:ai|claude|agents)\/skills)(?:\/(?<prefix>.*))?$/

export function skillSources(context: ActionContext, directories: readonly string[]): SkillSources {
  const { library, directory } = context
  const { environment } = library
  const project = directory === undefined ? undefined : realPath(findProject(environment, directory).path)
  const roots = rootsOf(library, project).filter(root => root.type === 'skill')
  const home = realPath(homeOf(environment))
  const sources = directories.map((path): ShownSource => {
    const root = realPath(path)
    const known = roots.find(one => isBelow(root, rootPath(one)))
    const { base = root, folder = '', prefix = '' } = FOLDER.exec(root)?.groups ?? {}
    const top = known ? rootPath(known) : `${base}${folder}`
    return {
      root,
      name: basename(path),
      label: labelOf(top, project, home),
      shown: labelOf(root, project, home),
      prefix: known ? root.slice(top.length + 1) : prefix,
      space: known && spaceOf(known),
    }
  })
  const named = new Set(sources.filter(({ prefix }) => prefix === '').map(({ root }) => root))
  const others = roots
    .filter(root => !named.has(rootPath(root)))
    .map(readNames)
    .filter(({ isEmpty }) => !isEmpty)
  return {
    sources,
    elsewhere: (id, path) => others.filter(other => other.has(id, path)).map(({ space }) => space),
  }
}

/** Counts a folder that is named twice only once. */
export function distinctFolders(paths: readonly string[]): string[] {
  const byRoot = new Map<string, string>()
  for (const path of paths) if (!byRoot.has(realPath(path))) byRoot.set(realPath(path), path)
  return [...byRoot.values()]
}

/**
 * Shows where a skill came from: the path relative to the project or to the home directory, or else the full
 * path.
 */
function labelOf(path: string, project: string | undefined, home: string): string {
  if (path === project) return '.'
  if (project !== undefined && isBelow(path, project)) {
    const short = path.slice(project.length + 1)
    return isSpace(short) ? `./${short}` : short
  }
  return isBelow(path, home) ? `~${path.slice(home.length)}` : path
}

function spaceOf({ space, folder }: ItemRoot): SkillSpace {
  return { name: space, rank: 10 * precedenceOf(space) + folder }
}

interface OtherFolder {
  readonly space: SkillSpace
  readonly isEmpty: boolean
  has(id: string, path: string): boolean
}

/** Lists the folder once, which is enough to rule out nearly all ids. */
function readNames(root: ItemRoot): OtherFolder {
  const top = rootPath(root)
  const names = new Set(namesIn(top))
  return {
    space: spaceOf(root),
    isEmpty: names.size === 0,
    has(id, path) {
      const slash = id.indexOf('/')
      if (!names.has(slash === -1 ? id : id.slice(0, slash)) || `${top}/${id}` === path) return false
      return namesIn(`${top}/${id}`).some(isMainFile)
    },
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}
