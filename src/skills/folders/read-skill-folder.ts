// The files of one skill: all of them are listed, and only those that make its records are opened.
import { basename } from 'node:path'
import { countOf } from '../../base/index.ts'
import type { WalkedFile } from '../../scan/index.ts'
import { isLicenseFile } from '../read/compliance.ts'
import type { SkillFolder } from '../read/records.ts'
import { SNIFFER_FILE } from '../read/sniffer-rules.ts'
import { isMainFile } from '../read/structure.ts'
import {
  type DirectoryListing,
  readListed,
  SKILL_LIMITS,
  type SkillLimits,
  walkDirectory,
  warningAt,
} from './walk-directory.ts'

/** The directory itself as a skill, even without a SKILL.md. */
export function readAsSkill(directory: string): SkillFolder {
  const listing = walkDirectory(directory, SKILL_LIMITS)
  return readSkillFolder(listing, { path: '.', files: listing.files, limits: SKILL_LIMITS })
}

export interface ListedSkill {
  /** From the root of the listing; `.` is the root itself. */
  readonly path: string
  readonly files: readonly WalkedFile[]
  readonly limits: SkillLimits
}

export function readSkillFolder(
  listing: DirectoryListing,
  { path, files: listed, limits }: ListedSkill,
): SkillFolder {
  const files = new Map<string, Uint8Array | undefined>()
  const prefix = path === '.' ? 0 : path.length + 1
  let bytesLeft = limits.skillBytes
  let filesLeft = limits.skillFiles
  let unread = 0
  for (const file of listed) {
    const inside = file.path.slice(prefix)
    const isWanted = isOpened(inside)
    const fits = filesLeft > 0 && file.size <= bytesLeft
    if (isWanted && !fits) unread++
    const bytes = isWanted && fits ? readListed(listing, file.path, limits.fileBytes) : undefined
    if (bytes) {
      filesLeft--
      bytesLeft -= bytes.length
    }
    files.set(inside, bytes)
  }
  if (unread > 0) {
    const most = `${limits.skillFiles} files and ${limits.skillBytes} bytes`
    const message = `at most ${most} of a skill are read; not read: ${countOf(unread, 'file')}`
    listing.diagnostics.push(warningAt(path, 'too-many', message))
  }
  return { name: basename(path === '.' ? listing.root : path), path, files }
}

function isOpened(path: string): boolean {
  return (
    isMainFile(path) ||
    isLicenseFile(path) ||
    path === SNIFFER_FILE ||
    /^(?:scripts\/.*\.py|references\/.*\.md)$/.test(path)
  )
}
