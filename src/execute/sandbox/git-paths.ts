// What a tool must not change in a project's repository. Git runs the programs that its configuration names,
// so all of `.git` is read-only except what a commit writes. The directory itself stays writable, because git
// makes a lock file beside each file that it replaces. So files that are absent and would be obeyed are
// guarded.
import { readdirSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { readFile } from '../../files/index.ts'
import { isOurs, statOf } from './mount-point.ts'
import { examine } from './protect-paths.ts'
import type { ProtectedPath } from './protected-paths.ts'

/** Objects, references and their history; files that git replaces as a whole; locks. */
const WRITTEN_BY_COMMITS =
  /^(?:objects|refs|logs|lfs|index(?:\..*)?|sharedindex\..*|packed-refs|shallow|gc\.(?:pid|log)|[A-Z][A-Z_]*|.*\.lock)$/

const MAX_BYTES = 1_048_576

/** Obeyed by git, or by whoever clones from here. */
const OBEYED = ['hooks', 'info', 'modules', 'worktrees', 'branches', 'remotes', 'objects/info']

/**
 * The rows for a `.git` that is a directory of the project's own. None where it is a file, a mount point of
 * ours, or absent.
 */
export function gitPaths(projectPath: string): ProtectedPath[] {
  const git = `${projectPath}/.git`
  const stat = statOf(git)
  if (!stat?.isDirectory() || isOurs(stat)) return []
  const guarded = obeyedPaths(git)
  const named = new Set(guarded.map(({ path }) => path))
  const present = listNames(git)
    .filter(name => !WRITTEN_BY_COMMITS.test(name) && !name.startsWith('.rye-'))
    .map((name): ProtectedPath => ({ path: `${git}/${name}`, mode: 'read-only', absent: 'open' }))
  return [...guarded, ...present.filter(({ path }) => !named.has(path))]
}

/** What git obeys in the directory of a repository, present or absent. */
function obeyedPaths(git: string): ProtectedPath[] {
  const rows: (readonly [string, ProtectedPath['absent']])[] = [
    ...OBEYED.map(name => [name, 'guard'] as const),
    ['config', { text: '' }],
    // If this file names another directory, git takes that one for the repository. A dot names the directory
    // of the file.
    ['commondir', { text: '.\n' }],
    // Git reads this file only if the configuration of the repository says that there is one.
    ['config.worktree', readsWorktreeConfig(git) ? { text: '' } : 'guard'],
  ]
  return rows.map(([name, absent]) => ({ path: `${git}/${name}`, mode: 'read-only', absent }))
}

/** A directory that lacks one of these is not a repository. */
const PARTS = ['refs', 'objects']

/**
 * The rows that keep the project folder itself from becoming a repository, which git would obey where `.git`
 * is absent or damaged. A file `commondir` would tell git to look for the parts elsewhere. Whatever another
 * run guards is guarded here, too, or it could be removed.
 * If the project is a repository, or was one until a tool removed a part of it, what git obeys is closed as
 * well.
 */
export function bareRepositoryPaths(projectPath: string): ProtectedPath[] {
  const stats = new Map([...PARTS, 'HEAD'].map(name => [name, statOf(`${projectPath}/${name}`)]))
  const isGuarded = (name: string) => {
    const stat = stats.get(name)
    return stat !== undefined && isOurs(stat)
  }
  const parts = PARTS.filter(name => stats.get(name) === undefined || isGuarded(name))
  // Avoided where possible: beside a file of this name, `git diff HEAD` is ambiguous.
  const isHeadNeeded = isGuarded('HEAD') || (parts.length === 0 && stats.get('HEAD') === undefined)
  const names = [...parts, ...(isHeadNeeded ? ['HEAD'] : [])]
  const isClosed = isRepository(projectPath)
  const guards = names.length > 0 && !isClosed ? [...names, 'commondir'] : names
  return [
    ...guards.map(
      (name): ProtectedPath => ({
        path: `${projectPath}/${name}`,
        mode: 'read-only',
        absent: 'socket',
      }),
    ),
    ...(isClosed ? obeyedPaths(projectPath) : []).filter(({ path }) => !isBelow(path, guards, projectPath)),
  ]
}

/**
 * Whether a folder is a repository itself (a bare one, or one that a `.git` file names), or was one until a
 * tool removed a part of it.
 */
export function isRepository(folder: string): boolean {
  const isThere = (name: string) => {
    const stat = statOf(`${folder}/${name}`)
    return stat !== undefined && !isOurs(stat)
  }
  return [...PARTS, 'HEAD'].every(isThere) || isGitConfig(`${folder}/config`)
}

/** Whether git keeps something under this name in a repository. */
export function isNameOfGit(name: string): boolean {
  return [...PARTS, ...OBEYED, 'logs'].includes(name)
}

/** Tools can remove parts of a repository, but not this file, so it tells what the project was before. */
function isGitConfig(path: string): boolean {
  return /^[ \t]*\[core\]/im.test(readText(path))
}

function isBelow(path: string, names: readonly string[], folder: string): boolean {
  return names.some(name => path.startsWith(`${folder}/${name}/`))
}

/**
 * The repository that the `.git` file of a linked worktree names, if the repository names the worktree, too.
 * Whoever writes in a project can make both files, so they count only if the one directory lies where git
 * puts it in the other.
 */
export function linkedRepository(projectPath: string): string[] {
  const file = `${projectPath}/.git`
  const directory = /^gitdir: (?<path>\/.+)$/m.exec(readText(file))?.groups?.path
  if (directory === undefined || readText(`${directory}/gitdir`).trim() !== file) return []
  const named = readText(`${directory}/commondir`).trim()
  const common = isAbsolute(named) ? named : join(directory, named)
  const [inner, outer] = [examine(directory)?.path, examine(common)?.path]
  return inner && outer && dirname(inner) === join(outer, 'worktrees') ? [directory, common] : []
}

function listNames(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

function readsWorktreeConfig(git: string): boolean {
  return /worktreeconfig/i.test(readText(`${git}/config`))
}

/** Empty if it cannot be read. */
function readText(path: string): string {
  try {
    return readFile(path, { maxBytes: MAX_BYTES })?.bytes.toString('utf8') ?? ''
  } catch {
    return ''
  }
}
