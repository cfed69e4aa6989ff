// `rye skills list`: lists skills of the library and those in the folders of clients, and whether these are
// still as they were installed.
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { AppError, type Caller, printHint } from '../../base/index.ts'
import { nameOf, type Space } from '../../item/index.ts'
import type { ItemFile } from '../../scan/index.ts'
import { homeOf, type Workspace } from '../../workspace/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { projectPath } from '../definition/shared-fields.ts'
import { clientFolders, folderProblem, isSkillFolder, namesIn } from './client-folders.ts'
import { withoutCopies } from './install-sources.ts'
import { type InstalledSkills, installedSkills } from './installed-skills.ts'
import { linkedFolder } from './link-skill.ts'
import { filesOfCopy, isSame } from './prepare-install.ts'
import type { ClientName } from './skill-clients.ts'
import { type Files, isSkill, readCopy } from './skill-copy.ts'

const LIST_FIELDS = { project_path: projectPath } as const satisfies Fields

export type SkillsListInput = CallInput<typeof LIST_FIELDS>

export interface ListedSkill {
  readonly name: string
  /**
   * `library`: an item in `.ai/skills`. `installed`: an unchanged copy. `linked`: a link to a skill. `other`:
   * an edited copy, or a skill that rye did not install.
   */
  readonly state: 'library' | 'installed' | 'linked' | 'other'
  /**
   * `edited`: the copy was changed after rye installed it; its state is `other`. `outdated`: its source has
   * changed since. `dangling`: the target of the link no longer exists.
   */
  readonly remark?: 'edited' | 'outdated' | 'dangling'
  readonly space: Space
  /** The clients that read it there; empty for the library. */
  readonly clients: readonly ClientName[]
  readonly path: string
}

export interface SkillsListAnswer {
  readonly skills: readonly ListedSkill[]
  /** Folders of clients, and folders in them, that cannot be read. */
  readonly unreadable?: readonly UnreadableFolder[]
}

export interface UnreadableFolder extends Pick<ListedSkill, 'space' | 'clients' | 'path'> {
  readonly error: string
  /** What to do about it. */
  readonly hint: string
}

export const skillsList = defineAction({
  name: 'skills list',
  description: 'List skills of the library, and copies in the folders of clients.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: LIST_FIELDS,
  run: async (context, input): Promise<SkillsListAnswer> => {
    const workspace = await context.library.open(input.project_path)
    const { items } = workspace.list(['skill'])
    const library = items
      .filter(({ entry }) => entry.path.includes('/.ai/skills/'))
      .map(({ entry }): ListedSkill => {
        const path = entry.path.replace(/\/[^/]+$/, '')
        return { name: entry.id, state: 'library', space: entry.space, clients: [], path }
      })
    const { states, environment } = context.library
    const places = (
      [
        ['project', workspace.projectPath],
        ['user', homeOf(environment)],
      ] as const
    ).map(([space, base]) => ({ space, base, installed: installedSkills(states, base) }))
    const isCopy = (file: ItemFile) =>
      places.some(({ installed }) => installed.isRemembered(dirname(file.path)))
    const wanted = wantedFiles(workspace, items, isCopy)
    const looks = places.flatMap(({ space, ...place }) =>
      clientFolders(place.base, space).map(folder => {
        const { skills, problems } = lookIn(folder.path, { ...place, wanted })
        const { clients } = folder
        return {
          skills: skills.map(({ name, path, ...look }) => ({ name, ...look, space, clients, path })),
          unreadable: problems.map(([path, problem]) => ({
            space,
            clients,
            path,
            ...described(problem, context.caller),
          })),
        }
      }),
    )
    const unreadable = looks.flatMap(look => look.unreadable)
    return {
      skills: [...library, ...looks.flatMap(look => look.skills)],
      ...(unreadable.length > 0 && { unreadable }),
    }
  },
})

function described(
  { message, hint = '' }: AppError,
  caller: Caller,
): Pick<UnreadableFolder, 'error' | 'hint'> {
  return { error: message, hint: printHint(hint, caller) }
}

type Look = Pick<ListedSkill, 'state' | 'remark'>

interface Places {
  readonly base: string
  readonly installed: InstalledSkills
  /**
   * The files that a new copy of a skill would have; undefined when there is no such skill, or it could not
   * be installed.
   */
  wanted(id: string): Files | undefined
}

type FoundSkill = Look & Pick<ListedSkill, 'name' | 'path'>

/** Finds the skills in the folder of a client, and the paths that cannot be read. */
function lookIn(
  folder: string,
  places: Places,
): { readonly skills: readonly FoundSkill[]; readonly problems: readonly (readonly [string, AppError])[] } {
  const { base } = places
  const problem = folderProblem(folder, base)
  // A folder that is not hidden, such as `data`, may serve another purpose: its problems are not reported.
  if (problem)
    return { skills: [], problems: relative(base, folder).startsWith('.') ? [[folder, problem]] : [] }
  const problems: [string, AppError][] = []
  const skills = namesIn(folder).flatMap((name): FoundSkill[] => {
    const path = join(folder, name)
    const closed = linkedFolder(path) === undefined ? folderProblem(path, base) : undefined
    if (closed) problems.push([path, closed])
    const found = closed ? undefined : lookAt(path, places)
    return found ? [{ name, ...found, path }] : []
  })
  return { skills, problems }
}

/** Undefined if it is not a skill. */
function lookAt(path: string, { base, installed, wanted }: Places): Look | undefined {
  const linked = linkedFolder(path)
  if (linked !== undefined) {
    if (isSkillFolder(linked)) return { state: 'linked' }
    return existsSync(path) ? undefined : { state: 'linked', remark: 'dangling' }
  }
  // Installed copies contain only regular files, but a client also finds a skill that contains links or
  // unreadable folders.
  const files = quietly(() => readCopy(path, base))
  if (!(files ? isSkill(files) : isSkillFolder(path))) return undefined
  if (!files || !installed.isAsInstalled(path, files))
    return { state: 'other', ...(installed.isRemembered(path) && { remark: 'edited' }) }
  const id = installed.sourceOf(path)
  const now = id === undefined ? undefined : wanted(id)
  return { state: 'installed', ...(now && !isSame(files, now) && { remark: 'outdated' }) }
}

function wantedFiles(
  workspace: Workspace,
  items: ReturnType<Workspace['list']>['items'],
  isCopy: (file: ItemFile) => boolean,
): Places['wanted'] {
  const skills = new Map(
    items.filter(({ shadowedBy }) => shadowedBy === null).map(item => [item.entry.id, item]),
  )
  return id => {
    const found = skills.get(id)
    const source = found && withoutCopies(found, isCopy)
    const item = source && quietly(() => workspace.read(source))
    const isInstallable = workspace.library.devMode || item?.verdict.status === 'verified'
    return item && isInstallable ? filesOfCopy(item, nameOf(id)) : undefined
  }
}

/** Undefined when reading fails. */
function quietly<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return undefined
  }
}
