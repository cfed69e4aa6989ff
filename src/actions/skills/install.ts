// Copies a verified skill into the folder of another client, or links to it.
// Files that are already there are replaced only if nobody has
// edited them: they are the same, or exactly what was installed before.
import { dirname, join } from 'node:path'
import { AppError } from '../../base/index.ts'
import { atomicWrite, removeFile } from '../../files/index.ts'
import { nameOf } from '../../item/index.ts'
import type { ItemFile } from '../../scan/index.ts'
import { SKILL_SIGNATURE } from '../../trust/index.ts'
import { makeHome } from '../../user/index.ts'
import { homeOf, type OpenedItem } from '../../workspace/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { finishUse } from '../definition/finish-use.ts'
import { projectPath } from '../definition/shared-fields.ts'
import { clientFolder, readCopy, removeCopy } from './client-folders.ts'
import { type FailedSkill, failedSkill } from './failed-skill.ts'
import { findSources } from './install-sources.ts'
import { type Files, type InstalledSkills, installedSkills } from './installed-skills.ts'
import { checkLinkable, linkedFolder, linkSkill } from './link-skill.ts'
import { refuseSharedNames } from './shared-names.ts'
import { SKILL_CLIENT_NAMES, type SkillClient } from './skill-clients.ts'

const INSTALL_FIELDS = {
  item_id: {
    type: 'string',
    about: 'id of the skill; several with blanks between them, or a pattern such as `*`',
    required: true,
    flag: { position: 'rest', value: 'NAME' },
  },
  to: {
    type: 'string',
    about: 'the client',
    required: true,
    values: SKILL_CLIENT_NAMES,
    flag: { value: 'CLIENT' },
  },
  user: { type: 'boolean', about: "into the client's folder for all projects", default: false },
  overwrite: { type: 'boolean', about: 'replace what is there, even if it was edited', default: false },
  link: {
    type: 'boolean',
    about: 'a link to the folder of the skill in place of a copy: it follows later edits',
    default: false,
  },
  project_path: projectPath,
} as const satisfies Fields

export type SkillsInstallInput = CallInput<typeof INSTALL_FIELDS>

interface InstalledSkill {
  readonly status: 'installed' | 'updated' | 'unchanged'
  readonly item_id: string
  readonly path: string
  /** How many. */
  readonly files: number
  /** It is a link to the skill's own folder. */
  readonly linked?: true
  /** What it stands in the place of, where that was of the other kind. */
  readonly replaced?: 'link' | 'copy'
}

/** Of several, what was asked for, the folder of the client and all files together. */
export interface SkillsInstallAnswer extends InstalledSkill {
  readonly to: SkillClient
  /** Where several were asked for: each of them. */
  readonly skills?: readonly InstalledSkill[]
  /** Those that were not installed, and why. */
  readonly failed?: readonly FailedSkill[]
  /** It is older than what was used before, or what was used before is not known. */
  readonly warning?: string
}

export const skillsInstall = defineAction({
  name: 'skills install',
  description:
    "Copy verified skills into another client's folder, and bring up to date what was copied before.",
  effects: { readOnly: false, destructive: false, openWorld: false },
  fields: INSTALL_FIELDS,
  run: async (context, input): Promise<SkillsInstallAnswer> => {
    const workspace = await context.library.open(input.project_path)
    const { library } = context
    const home = homeOf(library.environment)
    const base = input.user ? home : workspace.projectPath
    const folder = clientFolder(input.to, base, input.user ? 'user' : 'project')
    const place = {
      base,
      folder,
      overwrite: input.overwrite,
      link: input.link,
      makeBase: () => (input.user ? makeHome(base) : undefined),
      installed: installedSkills(library.states, base),
    }
    const copies = [workspace.projectPath, home].map(one => installedSkills(library.states, one))
    const isCopy = (file: ItemFile) => copies.some(one => one.isRemembered(dirname(file.path)))
    const { sources, isMany } = findSources(workspace, input.item_id, isCopy)
    if (!isMany) {
      const done = installOne(await workspace.use(workspace.read(sources[0]!)), place)
      const { status, item_id, ...rest } = done
      return { status, item_id, to: input.to, ...rest, ...(await finishUse(workspace)) }
    }
    refuseSharedNames(
      sources,
      folder,
      source => library.devMode || workspace.read(source).verdict.status === 'verified',
    )
    const skills: InstalledSkill[] = []
    const failed: FailedSkill[] = []
    for (const source of sources) {
      context.signal.throwIfAborted()
      try {
        skills.push(installOne(await workspace.use(workspace.read(source)), place))
      } catch (thrown) {
        if (!(thrown instanceof AppError)) throw thrown
        failed.push(failedSkill(source.entry.id, thrown, context.caller))
      }
    }
    const status = (['updated', 'installed'] as const).find(one => skills.some(done => done.status === one))
    return {
      status: status ?? 'unchanged',
      item_id: input.item_id,
      to: input.to,
      path: folder,
      files: skills.reduce((sum, done) => sum + done.files, 0),
      skills,
      ...(failed.length > 0 && { failed }),
      ...(await finishUse(workspace)),
    }
  },
  exitStatus: answer => (answer.failed ? 1 : 0),
})

interface Place {
  readonly base: string
  readonly folder: string
  readonly overwrite: boolean
  readonly link: boolean
  /** A home may be missing. */
  makeBase(): void
  readonly installed: InstalledSkills
}

function installOne(item: OpenedItem, place: Place): InstalledSkill {
  const { base, folder, overwrite, makeBase, installed } = place
  const { id } = item.file
  const name = nameOf(id)
  const target = join(folder, name)
  const source = dirname(item.file.path)
  const wanted = filesOf(item, name)
  const answer = { item_id: id, path: target, files: wanted.size }
  const linked = linkedFolder(target)
  if (target === source) return { status: 'unchanged', ...answer }
  if (place.link) checkLinkable(source, base)
  if (linked === source && place.link) return { status: 'unchanged', ...answer, linked: true }
  if (linked !== undefined) {
    if (linked !== source && !overwrite) throw linkedElsewhere(target, linked)
    removeFile(target, { root: base })
  }
  const present = readCopy(target, base)
  const asInstalled = installed.isAsInstalled(target, present)
  const noted = installed.sourceOf(target)
  // Notes of earlier versions have no id; a copy has a signature only if its name is all of the id.
  const signed = asInstalled && present.has(SKILL_SIGNATURE) ? name : undefined
  const copied = present.size === 0 ? undefined : (noted ?? signed)
  if (copied !== undefined && copied !== id && !overwrite) throw copyOfAnother(target, copied, id)
  if (!place.link && isSame(present, wanted)) {
    if (noted !== id || !asInstalled) installed.remember(target, id, wanted)
    return { status: 'unchanged', ...answer }
  }
  const isOwn = (copied === id && asInstalled) || isSame(present, wanted)
  if (present.size > 0 && !overwrite && !isOwn) throw edited(target, present, wanted)
  const status = present.size > 0 || linked !== undefined ? 'updated' : 'installed'
  makeBase()
  if (place.link) {
    removeCopy(target, present, { base, keep: folder })
    linkSkill(target, source, base)
    installed.forget(target)
    return { status, ...answer, linked: true, ...(present.size > 0 && { replaced: 'copy' }) }
  }
  write(base, target, wanted, present)
  installed.remember(target, id, wanted)
  return { status, ...answer, ...(linked !== undefined && { replaced: 'link' }) }
}

/** A signature names the id. Under another id it would not verify, so it is left out. */
function filesOf(item: OpenedItem, name: string): Files {
  const files = new Map(item.parts)
  if (item.detached && item.file.id === name) files.set(SKILL_SIGNATURE, item.detached)
  return files
}

function isSame(present: Files, wanted: Files): boolean {
  return present.size === wanted.size && changedPaths(present, wanted).length === 0
}

function changedPaths(present: Files, wanted: Files): string[] {
  return [...present.keys()].filter(path => {
    const other = wanted.get(path)
    return !other || Buffer.compare(other, present.get(path)!) !== 0
  })
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
  const shown = changed.slice(0, 5).map(path => `\`${path}\``)
  return new AppError('ITEM_EXISTS', `\`${target}\` was edited, or is another version: ${shown.join(', ')}`, {
    hint: 'compare them, then replace what is there with --overwrite',
    details: { changed },
  })
}

/** The signature is written last, so that an unfinished copy does not verify. */
function write(base: string, target: string, wanted: Files, present: Files): void {
  const swept = new Set<string>()
  for (const path of present.keys()) if (!wanted.has(path)) removeFile(join(target, path), { root: base })
  const ordered = [...wanted].sort(
    ([a], [b]) => Number(a === SKILL_SIGNATURE) - Number(b === SKILL_SIGNATURE),
  )
  for (const [path, bytes] of ordered) atomicWrite(join(target, path), bytes, { root: base, swept })
}
