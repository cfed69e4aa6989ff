// Skill folders and knowledge documents below a directory that a caller names. Nothing in it is followed, every
// dimension is bounded, and what is skipped is told. Only files that the scanner reads are opened.
import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { AppError } from '../../base/index.ts'
import { readFile } from '../../files/index.ts'
import {
  type SkippedPath,
  stampWalk,
  unreadable,
  WALK_LIMITS,
  type WalkedFile,
  type WalkLimits,
  walk,
} from '../../scan/index.ts'
import { SKILL_FILE, SNIFFER_FILE } from '../read/structure.ts'
import type { SkillDiagnostic, SkillFolder } from '../read/types.ts'

export interface SkillLimits extends WalkLimits {
  /** Files of one skill; the others of that skill are listed, not read. */
  readonly skillFiles: number
  /** Bytes read of one skill. */
  readonly skillBytes: number
}

export const SKILL_LIMITS: SkillLimits = {
  ...WALK_LIMITS,
  depth: 32,
  entries: 200_000,
  skillFiles: 5_000,
  skillBytes: 16_000_000,
}

export interface SkillTree {
  readonly root: string
  /** The same as long as no file below the root is touched; undefined while that cannot be told. */
  readonly stamp: string | undefined
  /** Folders that hold a SKILL.md, by path; each is read when it is reached. */
  folders(): Generator<SkillFolder>
  readonly count: number
  /** Complete once the folders have been read. */
  readonly diagnostics: readonly SkillDiagnostic[]
}

/** Names that are noise in any checkout, skipped without a word. */
const QUIET = new Set(['skipped-name'])

export function findSkillFolders(directory: string, limits: SkillLimits = SKILL_LIMITS): SkillTree {
  const root = checkDirectory(directory)
  const walked = walk(root, { ...limits, underscored: 'take' })
  const { files, skipped } = walked
  const diagnostics = skipped.filter(one => !QUIET.has(one.reason)).map(one => describe(root, one))
  const groups = groupBySkill(files)
  for (const path of foldersWithoutSkill(files, groups)) {
    diagnostics.push(
      note(`${path}/${SKILL_FILE}`, 'skill-structure', `\`${path}\` has scripts, but no \`${SKILL_FILE}\``),
    )
  }
  return {
    root,
    stamp: stampWalk(root, walked),
    count: groups.size,
    diagnostics,
    *folders() {
      for (const [path, own] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1)))
        yield readFolder(root, path, own, limits, diagnostics)
    },
  }
}

/** The directory itself as a skill, whatever it lacks. */
export function readAsSkill(directory: string, limits: SkillLimits = SKILL_LIMITS): SkillFolder {
  const root = checkDirectory(directory)
  const { files } = walk(root, { ...limits, underscored: 'take' })
  return readFolder(root, '.', files, limits, [])
}

export interface KnowledgeFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export interface KnowledgeTree {
  files(): Generator<KnowledgeFile>
  readonly count: number
  readonly diagnostics: readonly SkillDiagnostic[]
}

/** Every `.md` file below a directory, by path. */
export function findKnowledgeFiles(directory: string, limits: WalkLimits = SKILL_LIMITS): KnowledgeTree {
  const root = checkDirectory(directory)
  const { files, skipped } = walk(root, { ...limits, underscored: 'take' })
  const documents = files.filter(file => file.path.endsWith('.md')).sort((a, b) => (a.path < b.path ? -1 : 1))
  const diagnostics = skipped.filter(one => !QUIET.has(one.reason)).map(one => describe(root, one))
  return {
    count: documents.length,
    diagnostics,
    *files() {
      for (const { path } of documents) {
        const bytes = readQuietly(root, path, limits.fileBytes, diagnostics)
        if (bytes) yield { path, bytes }
      }
    },
  }
}

function checkDirectory(directory: string): string {
  const root = resolve(directory)
  const stats = statSync(root, { throwIfNoEntry: false })
  if (stats?.isDirectory()) return root
  const found = stats ? 'a file' : 'nothing'
  throw new AppError('INVALID_INPUT', `expected a directory at \`${root}\`, got ${found}`)
}

/** A skill is the topmost folder that holds a SKILL.md; `.` is the root itself. */
function groupBySkill(files: readonly WalkedFile[]): Map<string, WalkedFile[]> {
  const marked = new Set(
    files.filter(file => nameIn(file.path) === SKILL_FILE).map(file => folderIn(file.path)),
  )
  const groups = new Map<string, WalkedFile[]>()
  for (const file of files) {
    const folder = topmost(file.path, marked)
    if (folder === undefined) continue
    const own = groups.get(folder)
    if (own) own.push(file)
    else groups.set(folder, [file])
  }
  return groups
}

function topmost(path: string, marked: ReadonlySet<string>): string | undefined {
  if (marked.has('.')) return '.'
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    if (marked.has(path.slice(0, slash))) return path.slice(0, slash)
  }
  return undefined
}

/** Folders directly below the root that look like skills, but for the one file that makes them so. */
function foldersWithoutSkill(
  files: readonly WalkedFile[],
  groups: ReadonlyMap<string, unknown>,
): Set<string> {
  const found = new Set<string>()
  for (const { path } of files) {
    const [folder, next] = path.split('/', 2)
    if (next === 'scripts' && path.endsWith('.py') && !groups.has('.') && !groups.has(folder!))
      found.add(folder!)
  }
  return found
}

function readFolder(
  root: string,
  path: string,
  own: readonly WalkedFile[],
  limits: SkillLimits,
  diagnostics: SkillDiagnostic[],
): SkillFolder {
  const files = new Map<string, Uint8Array | undefined>()
  const prefix = path === '.' ? 0 : path.length + 1
  let bytesLeft = limits.skillBytes
  let filesLeft = limits.skillFiles
  let unread = 0
  for (const file of own) {
    const inside = file.path.slice(prefix)
    const isWanted = isRead(inside)
    const fits = filesLeft > 0 && file.size <= bytesLeft
    if (isWanted && !fits) unread++
    const bytes = isWanted && fits ? readQuietly(root, file.path, limits.fileBytes, diagnostics) : undefined
    if (bytes) {
      filesLeft--
      bytesLeft -= bytes.length
    }
    files.set(inside, bytes)
  }
  if (unread > 0) {
    const most = `${limits.skillFiles} files and ${limits.skillBytes} bytes`
    diagnostics.push(note(path, 'too-many', `at most ${most} of a skill are read; ${unread} files are not`))
  }
  return { name: basename(path === '.' ? root : path), path, files }
}

function isRead(path: string): boolean {
  return path === SKILL_FILE || path === SNIFFER_FILE || /^(?:scripts\/.*\.py|references\/.*\.md)$/.test(path)
}

function readQuietly(
  root: string,
  path: string,
  maxBytes: number,
  diagnostics: SkillDiagnostic[],
): Uint8Array | undefined {
  try {
    const read = readFile(`${root}/${path}`, { maxBytes })
    if (!read) diagnostics.push(note(path, 'unreadable', 'the file vanished while it was read'))
    return read?.bytes
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    diagnostics.push(describe(root, unreadable(`${root}/${path}`, thrown.cause)))
    return undefined
  }
}

function describe(root: string, { path, reason, message }: SkippedPath): SkillDiagnostic {
  return note(path.slice(root.length + 1), reason, message)
}

function note(path: string, code: string, message: string): SkillDiagnostic {
  return { path, severity: 'warning', code, message, line: 1, column: 1 }
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function folderIn(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '.' : path.slice(0, slash)
}
