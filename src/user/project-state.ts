// What this machine remembers about a project: the log of runs, locks, notes. It is kept in the user space
// and never in the project, where whoever made the project could have put anything. If the user space cannot
// be written it is kept in the cache; if that fails too, in a temporary folder while this process runs.
import { accessSync, constants, existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError, isRecord, sha256Hex, systemErrorCode } from '../base/index.ts'
import { atomicWrite, makeFolders, makePrivateFolder, readFile } from '../files/index.ts'

export interface StatePlaces {
  /** The folder that holds the user's `.ai/`. */
  readonly userSpace: string
  readonly cacheRoot: string
}

export interface StateFolder {
  readonly path: string
  readonly place: 'user' | 'cache' | 'process'
}

/** Projects are given by their path with links resolved. */
export interface ProjectStates {
  /** The folder of a project, made if missing. Throws `WRITE_FAILED`. */
  make(projectPath: string): StateFolder
  /** The folder of a project; undefined when there is none. */
  find(projectPath: string): StateFolder | undefined
  /** Paths of the projects (and of the user space) about which the user space remembers something. */
  list(): string[]
  /** The folder for private copies of tools, made if missing. Throws `WRITE_FAILED`. */
  makeCopies(): StateFolder
  /** Removes what was kept for this process only. */
  close(): void
}

/** Tells people which project the folder belongs to. */
const NOTE = 'project.json'
const NOTE_BYTES = 20_000
const COPIES = 'private-copies'

export function projectStates({ userSpace, cacheRoot }: StatePlaces): ProjectStates {
  let temporary: string | undefined
  let copies: StateFolder | undefined
  const inTemporary = (name: string): StateFolder => {
    temporary ??= makeTemporary()
    makePrivateFolder(join(temporary, name), temporary)
    return { path: join(temporary, name), place: 'process' }
  }
  const keep: readonly (StateFolder & { readonly root: string })[] = [
    { path: join(userStateFolder(userSpace), 'projects'), root: userSpace, place: 'user' },
    { path: join(cacheRoot, 'state', 'projects'), root: cacheRoot, place: 'cache' },
  ]
  return {
    make(projectPath) {
      const name = folderName(projectPath)
      for (const { path, root, place } of keep) {
        if (tryToMake(join(path, name), root, projectPath)) return { path: join(path, name), place }
      }
      return inTemporary(name)
    },
    find(projectPath) {
      const name = folderName(projectPath)
      const places = temporary ? [...keep, { path: temporary, place: 'process' as const }] : keep
      return places
        .map(({ path, place }) => ({ path: join(path, name), place }))
        .find(({ path }) => existsSync(path))
    },
    list: () => projectsIn(keep[0]!.path, userSpace),
    makeCopies() {
      const path = join(cacheRoot, COPIES)
      copies ??= canFill(path, cacheRoot) ? { path, place: 'cache' } : inTemporary(COPIES)
      return copies
    },
    close() {
      copies = undefined
      if (temporary) rmSync(temporary, { recursive: true, force: true })
      temporary = undefined
    },
  }
}

/** Files that are made on this machine and are useless on another. */
function userStateFolder(userSpace: string): string {
  return join(userSpace, '.ai', 'state')
}

function projectsIn(folder: string, root: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names.flatMap(name => {
    try {
      const text = readFile(join(folder, name, NOTE), { root, maxBytes: NOTE_BYTES })?.bytes.toString('utf8')
      const note: unknown = text === undefined ? undefined : JSON.parse(text)
      return isRecord(note) && typeof note.project === 'string' ? [note.project] : []
    } catch (thrown) {
      if (thrown instanceof AppError || thrown instanceof SyntaxError) return []
      throw thrown
    }
  })
}

function folderName(projectPath: string): string {
  return sha256Hex(projectPath).slice(0, 32)
}

function canFill(path: string, root: string): boolean {
  return isDone(() => {
    makeFolders(root, 0o700)
    makePrivateFolder(path, root)
    accessSync(path, constants.W_OK | constants.X_OK)
  })
}

/** False when it cannot be written. */
function tryToMake(path: string, root: string, projectPath: string): boolean {
  return isDone(() => {
    makeFolders(root, 0o700)
    makePrivateFolder(path, root)
    writeOnce(join(path, NOTE), `${JSON.stringify({ project: projectPath })}\n`, root)
    // The home directory may be a git repository.
    writeOnce(join(path, '..', '..', '.gitignore'), '*\n', root)
  })
}

function isDone(work: () => void): boolean {
  try {
    work()
    return true
  } catch (thrown) {
    if (thrown instanceof AppError || systemErrorCode(thrown) !== undefined) return false
    throw thrown
  }
}

function writeOnce(path: string, text: string, root: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })) atomicWrite(path, text, { root, mode: 0o600 })
}

function makeTemporary(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'rye-state-'))
  } catch (cause) {
    throw new AppError('WRITE_FAILED', `there is no folder that can be written: ${systemErrorCode(cause)}`, {
      cause,
    })
  }
}
