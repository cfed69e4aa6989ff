// Decides whether a skill may be put into the folder of a client, and prepares it. What is there is replaced
// only if nobody has edited it, which means that it equals the skill or is exactly what was installed before.
import { dirname, join } from 'node:path'
import { AppError } from '../../base/index.ts'
import { isExecutable } from '../../files/index.ts'
import { nameOf } from '../../item/index.ts'
import { SKILL_SIGNATURE } from '../../trust/index.ts'
import type { OpenedItem } from '../../workspace/index.ts'
import { folderProblem } from './client-folders.ts'
import type { InstalledNotes } from './installed-skills.ts'
import { checkLinkable, linkedFolder } from './link-skill.ts'
import type { Placer } from './place-skills.ts'
import { digestOf, type Files, fingerprintAt, fingerprintOf, readCopy } from './skill-copy.ts'

export interface InstalledSkill {
  readonly status: 'installed' | 'updated' | 'unchanged'
  readonly item_id: string
  readonly path: string
  /** Number of files. */
  readonly files: number
  /** Set for a link to the skill's own folder. */
  readonly linked?: true
  /** Set when a copy replaced a link, or a link a copy. */
  readonly replaced?: 'link' | 'copy'
}

export interface InstallPlace {
  readonly base: string
  readonly folder: string
  readonly overwrite: boolean
  readonly link: boolean
  /** Creates the home directory if it is missing. */
  makeBase(): void
  readonly notes: InstalledNotes
  readonly placer: Placer
}

/** Returns the answer for when it is in place. Throws if it may not be put there. */
export function prepareInstall(item: OpenedItem, place: InstallPlace): InstalledSkill {
  const { base, overwrite, notes, placer } = place
  const { id } = item.file
  const name = nameOf(id)
  const target = join(place.folder, name)
  const source = dirname(item.file.path)
  const files = filesOfCopy(item, name)
  const answer = { item_id: id, path: target, files: files.size }
  const linked = linkedFolder(target)
  if (target === source) return { status: 'unchanged', ...answer }
  if (place.link) checkLinkable(source, base)
  if (linked === source && place.link) return { status: 'unchanged', ...answer, linked: true }
  if (linked !== undefined && linked !== source && !overwrite) throw linkedElsewhere(target, linked)
  if (linked === undefined) refuseOther(target, base)
  const present = linked === undefined ? readCopy(target, base) : NO_FILES
  const known = knownCopy(present, { target, name, notes })
  if (known.id !== undefined && known.id !== id && !overwrite) throw copyOfAnother(target, known.id, id)
  const isAlike = isSame(present, files)
  if (!place.link && isAlike && !lacksPrograms(target, source, files)) {
    if (notes.sourceOf(target) !== id || !known.isAsInstalled)
      notes.remember(target, { digest: digestOf(files), item_id: id })
    return { status: 'unchanged', ...answer }
  }
  const isOwn = (known.id === id && known.isAsInstalled) || isAlike
  if (present.size > 0 && !overwrite && !isOwn) throw edited(target, present, files)
  const status = present.size > 0 || linked !== undefined ? 'updated' : 'installed'
  place.makeBase()
  const before = linked === undefined ? fingerprintOf(present) : fingerprintAt(target, base)
  if (place.link) {
    placer.link({ target, before, source })
    return { status, ...answer, linked: true, ...(present.size > 0 && { replaced: 'copy' }) }
  }
  placer.copy({ target, before, id, files, source })
  return { status, ...answer, ...(linked !== undefined && { replaced: 'link' }) }
}

const NO_FILES: Files = new Map()

interface KnownCopy {
  /** Id of the skill that it is a copy of. */
  readonly id: string | undefined
  readonly isAsInstalled: boolean
}

function knownCopy(
  present: Files,
  { target, name, notes }: { target: string; name: string; notes: InstalledNotes },
): KnownCopy {
  if (present.size === 0) return { id: undefined, isAsInstalled: false }
  const isAsInstalled = notes.isAsInstalled(target, present)
  // Notes of earlier versions have no id. A copy has a signature only if its folder name is its whole id.
  const signed = isAsInstalled && present.has(SKILL_SIGNATURE) ? name : undefined
  return { id: notes.sourceOf(target) ?? signed, isAsInstalled }
}

/**
 * The files of a copy. The signature names the id and would not verify under another, so it is then left out.
 */
export function filesOfCopy(item: OpenedItem, name: string): Files {
  const files = new Map(item.parts)
  if (item.detached && item.file.id === name) files.set(SKILL_SIGNATURE, item.detached)
  return files
}

export function isSame(present: Files, wanted: Files): boolean {
  return present.size === wanted.size && changedPaths(present, wanted).length === 0
}

/** Whether a file is executable in the skill but not in the copy. */
function lacksPrograms(target: string, source: string, files: Files): boolean {
  return [...files.keys()].some(path => isExecutable(join(source, path)) && !isExecutable(join(target, path)))
}

function changedPaths(present: Files, wanted: Files): string[] {
  return [...present.keys()].filter(path => {
    const other = wanted.get(path)
    return !other || Buffer.compare(other, present.get(path)!) !== 0
  })
}

/** A file would be replaced by a link, and an unreadable folder by a copy; either may be somebody's work. */
function refuseOther(target: string, base: string): void {
  const problem = folderProblem(target, base)
  if (problem === undefined) return
  const { message, hint } = problem
  throw new AppError('ITEM_EXISTS', message, { ...(hint && { hint }) })
}

function linkedElsewhere(target: string, to: string): AppError {
  return new AppError('ITEM_EXISTS', `\`${target}\` is a link to \`${to}\``, {
    hint: 'replace it with --overwrite; what it leads to stays',
  })
}

function copyOfAnother(target: string, copied: string, id: string): AppError {
  return new AppError(
    'ITEM_EXISTS',
    `\`${target}\` is a copy of \`skill:${copied}\`, and \`skill:${id}\` would have the same folder`,
    { hint: 'replace it with --overwrite, or give one of them another last name with `rye mv`' },
  )
}

function edited(target: string, present: Files, wanted: Files): AppError {
  const changed = changedPaths(present, wanted)
  const missing = [...wanted.keys()].filter(path => !present.has(path))
  const some = (paths: readonly string[]) =>
    paths
      .slice(0, 5)
      .map(path => `\`${path}\``)
      .join(', ')
  const shown = changed.length > 0 ? some(changed) : `it lacks ${some(missing)}`
  return new AppError('ITEM_EXISTS', `\`${target}\` was edited, or is another version: ${shown}`, {
    hint: 'compare them, then replace what is there with --overwrite',
    details: { changed, ...(missing.length > 0 && { missing }) },
  })
}
