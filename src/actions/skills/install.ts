// Copies a verified skill into the folder of another client. Files that are already there are replaced only if nobody has
// edited them: they are the same, or exactly what was installed before.
import { join } from 'node:path'
import { AppError } from '../../base/index.ts'
import { atomicWrite, removeFile } from '../../files/index.ts'
import { nameOf, parseRef } from '../../item/index.ts'
import { SKILL_SIGNATURE } from '../../trust/index.ts'
import { homeOf, joinRef, type OpenedItem } from '../../workspace/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { finishUse } from '../definition/finish-use.ts'
import { projectPath } from '../definition/shared-fields.ts'
import { readCopy } from './client-folders.ts'
import { type Files, installedSkills } from './installed-skills.ts'
import { SKILL_CLIENT_NAMES, SKILL_CLIENTS, type SkillClient } from './skill-clients.ts'

const INSTALL_FIELDS = {
  item_id: {
    type: 'string',
    about: 'id of the skill',
    required: true,
    flag: { position: 'first', value: 'NAME' },
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
  project_path: projectPath,
} as const satisfies Fields

export type SkillsInstallInput = CallInput<typeof INSTALL_FIELDS>

export interface SkillsInstallAnswer {
  readonly status: 'installed' | 'updated' | 'unchanged'
  readonly item_id: string
  readonly to: SkillClient
  readonly path: string
  /** How many. */
  readonly files: number
  /** It is older than what was used before, or what was used before is not known. */
  readonly warning?: string
}

export const skillsInstall = defineAction({
  name: 'skills install',
  description: "Copy a verified skill into another client's folder.",
  effects: { readOnly: false, destructive: false, openWorld: false },
  fields: INSTALL_FIELDS,
  run: async (context, input): Promise<SkillsInstallAnswer> => {
    const workspace = await context.library.open(input.project_path)
    const item = await workspace.open(joinRef(parseRef(input.item_id), 'skill', undefined))
    const client = SKILL_CLIENTS[input.to]
    const base = input.user ? homeOf(context.library.environment) : workspace.projectPath
    const name = nameOf(item.file.id)
    const target = join(base, input.user ? client.user : client.project, name)
    const wanted = filesOf(item, name)
    const present = readCopy(target, base)
    const answer = { item_id: item.file.id, to: input.to, path: target, ...(await finishUse(workspace)) }
    const installed = installedSkills(context.library.states, base)
    if (isSame(present, wanted)) {
      if (!installed.isAsInstalled(target, present)) installed.remember(target, wanted)
      return { status: 'unchanged', ...answer, files: wanted.size }
    }
    if (present.size > 0 && !input.overwrite && !installed.isAsInstalled(target, present))
      throw edited(target, present, wanted)
    write(base, target, wanted, present)
    installed.remember(target, wanted)
    return { status: present.size > 0 ? 'updated' : 'installed', ...answer, files: wanted.size }
  },
})

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
