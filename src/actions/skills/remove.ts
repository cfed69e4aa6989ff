// `rye skills remove`: takes copies and links out of the folder of a client. A copy that was edited is
// somebody's work, and is removed only on request; a pattern never matches what rye did not install. The
// skill in the library stays.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, type Caller, matchesStars, nearest, quoteText } from '../../base/index.ts'
import { removeFile } from '../../files/index.ts'
import { checkId, nameOf } from '../../item/index.ts'
import { homeOf } from '../../workspace/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { projectPath } from '../definition/shared-fields.ts'
import {
  type ClientFolder,
  clientFolder,
  clientFolders,
  folderProblem,
  isSkillFolder,
  namesIn,
} from './client-folders.ts'
import { type FailedSkill, failedSkill } from './failed-skill.ts'
import { splitNames } from './install-sources.ts'
import { changeInstalled, type InstalledNotes } from './installed-skills.ts'
import { isLibraryLink, isSkillLink, type LinkPlace, linkedFolder } from './link-skill.ts'
import { sweepAside } from './place-skills.ts'
import { type ClientName, clientName, SKILL_CLIENT_NAMES, type SkillClient } from './skill-clients.ts'
import { isSkill, readCopy } from './skill-copy.ts'
import { openRemover, type Remover } from './take-out.ts'

const REMOVE_FIELDS = {
  item_id: {
    type: 'string',
    about:
      'name of the skill; several with blanks between them, or a pattern such as `*` for what rye installed',
    required: true,
    flag: { position: 'rest', value: 'NAME' },
  },
  from: {
    type: 'string',
    about: 'the client',
    required: true,
    values: SKILL_CLIENT_NAMES,
    flag: { value: 'CLIENT' },
  },
  user: { type: 'boolean', about: "from the client's folder for all projects", default: false },
  edited: { type: 'boolean', about: 'also if it is not what was installed there', default: false },
  project_path: projectPath,
} as const satisfies Fields

export type SkillsRemoveInput = CallInput<typeof REMOVE_FIELDS>

interface RemovedSkill {
  readonly item_id: string
  readonly path: string
  /** Number of files; 0 for a link. */
  readonly files: number
  /** Set for a link; its target stays. */
  readonly linked?: true
}

/** For several skills: what was asked for, the client's folder and the total of files. */
export interface SkillsRemoveAnswer extends RemovedSkill {
  /** `unchanged`: several were asked for, and none was removed. */
  readonly status: 'removed' | 'unchanged'
  readonly from: SkillClient
  /** Other clients that read the same folder, for which it is gone too. */
  readonly shared_with?: readonly ClientName[]
  /** When several were asked for: each of them. */
  readonly skills?: readonly RemovedSkill[]
  /** The skills that were not removed, and why. */
  readonly failed?: readonly FailedSkill[]
  /** Skills there that match a pattern but were not installed by rye. */
  readonly kept?: readonly string[]
}

export const skillsRemove = defineAction({
  name: 'skills remove',
  description: "Remove installed skills from a client's folder.",
  effects: { readOnly: false, destructive: true, openWorld: false },
  forPeople: true,
  fields: REMOVE_FIELDS,
  run: async (context, input): Promise<SkillsRemoveAnswer> => {
    const workspace = await context.library.open(input.project_path)
    const { library, caller, signal } = context
    const [base, scope] = input.user
      ? ([homeOf(library.environment), 'user'] as const)
      : ([workspace.projectPath, 'project'] as const)
    const folder = clientFolder(input.from, base, scope)
    const folders = clientFolders(base, scope)
    const readers = folders.find(({ path }) => path === folder)?.clients ?? []
    const others = readers.filter(name => name !== clientName(input.from))
    const shared = others.length > 0 && { shared_with: others }
    const words = splitNames(input.item_id)
    return changeInstalled({ states: library.states, base, signal }, async installed => {
      sweepAside({ base, folder })
      const remover = openRemover({ base, folder, notes: installed })
      const { userSpace } = library
      const place = { base, userSpace, folder, folders, installed, remover, edited: input.edited }
      try {
        if (words.length < 2 && !input.item_id.includes('*')) {
          const done = removeOne(nameAsked(words[0] ?? '', place), place)
          return { status: 'removed', ...done, item_id: input.item_id, from: input.from, ...shared }
        }
        const { skills, failed, kept } = removeMany(words, place, { caller, signal })
        return {
          status: skills.length > 0 ? 'removed' : 'unchanged',
          item_id: input.item_id,
          from: input.from,
          path: folder,
          files: skills.reduce((sum, done) => sum + done.files, 0),
          skills,
          ...(failed.length > 0 && { failed }),
          ...(kept.length > 0 && { kept }),
          ...(skills.length > 0 && shared),
        }
      } finally {
        remover.close()
      }
    })
  },
  exitStatus: answer => (answer.failed ? 1 : 0),
})

interface Place extends LinkPlace {
  readonly folder: string
  /** The folders of all clients in the same scope. */
  readonly folders: readonly ClientFolder[]
  readonly installed: InstalledNotes
  readonly remover: Remover
  readonly edited: boolean
}

/** If one cannot be removed, the others go on. */
function removeMany(
  words: readonly string[],
  place: Place,
  { caller, signal }: { caller: Caller; signal: AbortSignal },
): { skills: readonly RemovedSkill[]; failed: readonly FailedSkill[]; kept: readonly string[] } {
  const { names, kept, failed: unknown } = findNames(words, place, caller)
  const skills: RemovedSkill[] = []
  const failed: FailedSkill[] = [...unknown]
  for (const name of names) {
    signal.throwIfAborted()
    try {
      skills.push(removeOne(name, place))
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      failed.push(failedSkill(name, thrown, caller))
    }
  }
  return { skills, failed, kept }
}

interface FoundNames {
  readonly names: ReadonlySet<string>
  readonly kept: readonly string[]
  readonly failed: readonly FailedSkill[]
}

/** Returns folder names. Throws if nothing matches any of the words. */
function findNames(words: readonly string[], place: Place, caller: Caller): FoundNames {
  const names = new Set<string>()
  const kept = new Set<string>()
  const failed: FailedSkill[] = []
  for (const word of words) {
    if (word.includes('*')) {
      for (const name of matchingNames(word, place)) (isInstalled(name, place) ? names : kept).add(name)
      continue
    }
    try {
      names.add(nameAsked(word, place))
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      failed.push(failedSkill(word, thrown, caller))
    }
  }
  if (names.size === 0 && failed.length === 0) throw nothingFits(words, kept, place)
  return { names, kept: [...kept].filter(name => !names.has(name)), failed }
}

/** The folder name of a skill. An id with a category means only that skill, not others with the same name. */
function nameAsked(word: string, { folder, installed }: Place): string {
  const id = checkId(word.replace(/^skill:/, ''))
  const name = nameOf(id)
  const path = join(folder, name)
  const copied = installed.sourceOf(path)
  if (id !== name && copied !== undefined && copied !== id && existsSync(path))
    throw new AppError(
      'ITEM_NOT_FOUND',
      `\`${path}\` is a copy of \`skill:${copied}\`, not of \`skill:${id}\``,
      {
        hint: `to remove it, name \`${copied}\``,
      },
    )
  return name
}

function matchingNames(pattern: string, { folder, installed }: Place): string[] {
  const text = pattern.replace(/^skill:/, '')
  return namesIn(folder).filter(name => {
    const path = join(folder, name)
    if (linkedFolder(path) === undefined && !isSkillFolder(path)) return false
    const id = installed.sourceOf(path)
    return matchesStars(text, name) || (id !== undefined && matchesStars(text, id))
  })
}

/**
 * Whether it is a copy made by rye, edited or not, or a link to a skill in `.ai/skills`. Links to other
 * folders may come from another installer.
 */
function isInstalled(name: string, place: Place): boolean {
  const path = join(place.folder, name)
  if (linkedFolder(path) === undefined) return place.installed.isRemembered(path)
  return isLibraryLink(path, place)
}

function removeOne(name: string, place: Place): RemovedSkill {
  const { base, folder, installed, remover } = place
  const path = join(folder, name)
  const linked = linkedFolder(path)
  if (linked !== undefined && !place.edited && !isSkillLink(path, place)) throw foreignLink(path, linked)
  // Removes only the link, not its target.
  if (linked !== undefined && removeFile(path, { root: base }))
    return { item_id: name, path, files: 0, linked: true }
  const files = readCopy(path, base)
  if (!isSkill(files)) throw folderProblem(path, base) ?? notThere(name, place)
  if (!place.edited && !installed.isAsInstalled(path, files))
    throw new AppError('POLICY_DENIED', `\`${path}\` was edited, or not installed by rye`, {
      hint: 'look at it; --edited removes it all the same',
    })
  const item_id = installed.sourceOf(path) ?? name
  remover.take(path)
  return { item_id, path, files: files.size }
}

function foreignLink(path: string, linked: string): AppError {
  return new AppError('POLICY_DENIED', `\`${path}\` is a link to \`${linked}\`, which rye did not make`, {
    hint: '--edited removes the link all the same; what it leads to stays',
  })
}

function notThere(name: string, { folder, folders }: Place): AppError {
  const close = nearest(
    name,
    namesIn(folder).filter(other => other !== name),
  )[0]
  const elsewhere = folders.find(({ path }) => isSkillFolder(join(path, name)))
  const hints = [
    ...(close === undefined ? [] : [`did you mean ${quoteText(close)}?`]),
    ...(elsewhere ? [`\`${elsewhere.path}\` has it: --from ${elsewhere.clients[0]}`] : []),
  ]
  return new AppError('ITEM_NOT_FOUND', `no skill at \`${join(folder, name)}\``, {
    hint: hints.length > 0 ? hints.join('; ') : '`rye skills list` shows where skills are',
  })
}

function nothingFits(words: readonly string[], kept: ReadonlySet<string>, { folder }: Place): AppError {
  const asked = words.map(word => quoteText(word)).join(', ')
  const others = [...kept].slice(0, 5).map(name => quoteText(name))
  return new AppError('ITEM_NOT_FOUND', `rye installed nothing in \`${folder}\` that fits ${asked}`, {
    hint:
      others.length > 0
        ? `${others.join(', ')} not installed by rye: name it to remove it`
        : '`rye skills list` shows where skills are',
  })
}
