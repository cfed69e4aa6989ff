// Lists and reads the files of a directory that a caller names. Links are not followed, everything is bounded, and
// anything left out is reported.
import { statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { AppError } from '../../base/index.ts'
import { readFile } from '../../files/index.ts'
import {
  type SkippedPath,
  unreadable,
  WALK_LIMITS,
  type WalkedFile,
  type WalkLimits,
  walk,
} from '../../scan/index.ts'
import type { SkillDiagnostic } from '../read/records.ts'

export interface SkillLimits extends WalkLimits {
  /** Files read of one skill; the rest are listed only. */
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

export interface DirectoryListing {
  /** Absolute. */
  readonly root: string
  readonly files: readonly WalkedFile[]
  /** Paths of the folders that were entered. */
  readonly folders: readonly string[]
  /** The time before the first file was looked at. */
  readonly startedAt: number
  /** What was left out; reading the files adds to it. */
  readonly diagnostics: SkillDiagnostic[]
}

/** Folders such as `node_modules` and `.git` are left out in any checkout, which is not worth a warning. */
const UNREPORTED = new Set(['skipped-name'])

/**
 * Throws `INVALID_INPUT` when there is no such directory. With `below`, only that folder is walked; paths
 * still start at the directory.
 */
export function walkDirectory(directory: string, limits: WalkLimits, below = '.'): DirectoryListing {
  const root = requireDirectory(directory)
  const inside = below === '.' ? '' : `${below}/`
  const walked = walk(join(root, below), { ...limits, root, underscored: 'take' })
  const reported = walked.skipped.filter(({ reason }) => !UNREPORTED.has(reason))
  return {
    root,
    files: inside ? walked.files.map(file => ({ ...file, path: inside + file.path })) : walked.files,
    folders: walked.folders.map(({ path }) => inside + path),
    startedAt: walked.startedAt,
    diagnostics: reported.map(one => describe(root, one)),
  }
}

/** Returns its absolute path. Throws `INVALID_INPUT` when there is no such directory. */
export function requireDirectory(directory: string): string {
  const root = resolve(directory)
  const stats = statSync(root, { throwIfNoEntry: false })
  if (stats?.isDirectory()) return root
  const found = stats ? 'a file' : 'nothing'
  const isSkill = stats !== undefined && basename(root).toLowerCase() === 'skill.md'
  throw new AppError('INVALID_INPUT', `expected a directory at \`${root}\`, got ${found}`, {
    ...(isSkill && { hint: `a skill is named by its folder: \`${dirname(root)}\`` }),
  })
}

/** Undefined, with a diagnostic, for a file that cannot be read. */
export function readListed(
  { root, diagnostics }: DirectoryListing,
  path: string,
  maxBytes: number,
): Uint8Array | undefined {
  try {
    const read = readFile(`${root}/${path}`, { maxBytes, root })
    if (!read) diagnostics.push(warningAt(path, 'unreadable', 'the file was removed while it was being read'))
    return read?.bytes
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    diagnostics.push(describe(root, unreadable(`${root}/${path}`, thrown.cause)))
    return undefined
  }
}

export function warningAt(path: string, code: string, message: string): SkillDiagnostic {
  return { path, severity: 'warning', code, message, line: 1, column: 1 }
}

function describe(root: string, { path, reason, message }: SkippedPath): SkillDiagnostic {
  return warningAt(path.slice(root.length + 1), reason, message)
}
