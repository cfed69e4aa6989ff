// Puts copies and links into the folder of a client. A copy is written aside completely and renamed into
// place, so that the client sees either the old one or the new one. A rename cannot replace a folder that has
// files, so the old copy is moved aside first, and for a moment there is none. A note covers that moment: if
// the run is killed then, the next one puts the old copy back.
import { lstatSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { AppError } from '../../base/index.ts'
import {
  makeAside,
  move,
  removeTree,
  staleAsides,
  sweepFolders,
  syncMoves,
  writeTree,
} from '../../files/index.ts'
import type { InstalledNotes } from './installed-skills.ts'
import { linkSkill } from './link-skill.ts'
import { digestOf, type Files, fingerprintAt, modeOfCopy } from './skill-copy.ts'
import { clearPlacing, type InstalledNote, oldPlace, writePlacing } from './unfinished-placing.ts'

export interface SkillPlace {
  /** The project, or the user's home. */
  readonly base: string
  /** The folder of the client. */
  readonly folder: string
  readonly notes: InstalledNotes
}

interface NewSkill {
  readonly target: string
  /** Fingerprint of what is there now and may be replaced. */
  readonly before: string | undefined
}

interface NewCopy extends NewSkill {
  readonly id: string
  readonly files: Files
  /** The skill's own folder. */
  readonly source: string
}

export interface Placer {
  /** Writes a copy aside. Throws `WRITE_FAILED`. */
  copy(skill: NewCopy): void
  link(skill: NewSkill & { readonly source: string }): void
  /**
   * Puts everything into place and writes the notes. Returns the targets that stayed as they were, and why.
   */
  finish(): ReadonlyMap<string, AppError>
  /** Removes the files that were written aside. */
  close(): void
}

interface Change extends NewSkill {
  readonly after?: InstalledNote
  put(): void
}

export function openPlacer(place: SkillPlace): Placer {
  const { base, folder, notes } = place
  const root = { root: base }
  const changes: Change[] = []
  let made: string | undefined
  let isUnfinished = false
  const aside = () => {
    made ??= makeAside(folder, root)
    return made
  }
  return {
    copy({ target, before, id, files, source }) {
      const staged = join(aside(), 'new', basename(target))
      const modeFor = (path: string) => modeOfCopy(join(target, path), join(source, path))
      writeTree(staged, files, { root: base, modeFor })
      const after = { digest: digestOf(files), item_id: id }
      changes.push({ target, before, after, put: () => move(staged, target, root) })
    },
    link({ target, before, source }) {
      changes.push({ target, before, put: () => linkSkill(target, source, base) })
    },
    finish() {
      const failed = new Map<string, AppError>()
      if (changes.length > 0) {
        writePlacing(notes.state, {
          aside: below(base, aside()),
          skills: changes.map(one => noted(one, base)),
        })
        isUnfinished = true
        for (const change of changes) {
          const problem = putIntoPlace(change, aside(), base)
          if (problem) failed.set(change.target, problem)
          else if (change.after) notes.remember(change.target, change.after)
          else notes.forget(change.target)
        }
        syncMoves([folder], root)
      }
      notes.save()
      if (isUnfinished) clearPlacing(notes.state)
      isUnfinished = false
      return failed
    },
    close() {
      // If the change is unfinished, they stay: the next run finds the note.
      if (made !== undefined && !isUnfinished) removeTree(made, root)
    },
  }
}

/** Removes what killed runs left in and beside the folder of a client. */
export function sweepAside({ base, folder }: Pick<SkillPlace, 'base' | 'folder'>): void {
  for (const path of staleAsides(folder, { root: base })) removeTree(path, { root: base })
  sweepFolders([join(folder, 'any')], base)
}

/** Restores the old state if it fails; throws if that fails too. */
function putIntoPlace({ target, before, put }: Change, aside: string, base: string): AppError | undefined {
  const old = oldPlace(aside, target)
  const isThere = isFolderOrLink(target)
  try {
    if (isThere) move(target, old, { root: base })
  } catch (thrown) {
    return asFailure(thrown)
  }
  try {
    if (isThere && fingerprintAt(old, base) !== before) throw editedMeanwhile(target)
    put()
    return undefined
  } catch (thrown) {
    if (isThere) move(old, target, { root: base })
    return asFailure(thrown)
  }
}

function asFailure(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  throw thrown
}

function editedMeanwhile(target: string): AppError {
  return new AppError('ITEM_EXISTS', `\`${target}\` was changed while it was about to be replaced`, {
    hint: 'it is as it was; look at it, then run the command again',
  })
}

/** Anything else is not moved: renaming a folder over it fails, so it stays. */
function isFolderOrLink(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat !== undefined && (stat.isDirectory() || stat.isSymbolicLink())
}

function noted({ target, before, after }: Change, base: string) {
  return { path: below(base, target), ...(before !== undefined && { before }), ...(after && { after }) }
}

function below(base: string, path: string): string {
  return relative(base, path).replaceAll('\\', '/')
}
