// Copies verified skills into the folder of another client, or links to them. All are written aside before
// the first is put into place.
import { dirname } from 'node:path'
import { AppError } from '../../base/index.ts'
import type { ItemFile } from '../../scan/index.ts'
import { makeHome } from '../../user/index.ts'
import { homeOf } from '../../workspace/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { finishUse } from '../definition/finish-use.ts'
import { projectPath } from '../definition/shared-fields.ts'
import { clientFolder } from './client-folders.ts'
import { type FailedSkill, failedSkill } from './failed-skill.ts'
import { type Failure, findSources } from './install-sources.ts'
import { changeInstalled, installedSkills } from './installed-skills.ts'
import { openPlacer, sweepAside } from './place-skills.ts'
import { type InstalledSkill, prepareInstall } from './prepare-install.ts'
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

/** For several skills: what was asked for, the client's folder and the total of files. */
export interface SkillsInstallAnswer extends InstalledSkill {
  readonly to: SkillClient
  /** When several were asked for: each of them. */
  readonly skills?: readonly InstalledSkill[]
  /** The skills that were not installed, and why. */
  readonly failed?: readonly FailedSkill[]
  /** Set when a skill is older than what was used before, or when that is unknown. */
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
    const { library, signal } = context
    const home = homeOf(library.environment)
    const [base, elsewhere] = input.user ? [home, workspace.projectPath] : [workspace.projectPath, home]
    const folder = clientFolder(input.to, base, input.user ? 'user' : 'project')
    return changeInstalled({ states: library.states, base, signal }, async notes => {
      sweepAside({ base, folder })
      const copies = [notes, installedSkills(library.states, elsewhere)]
      const isCopy = (file: ItemFile) => copies.some(one => one.isRemembered(dirname(file.path)))
      const { sources, isMany, unknown } = findSources(workspace, input.item_id, isCopy)
      const isUsable = (source: (typeof sources)[number]) =>
        library.devMode || workspace.read(source).verdict.status === 'verified'
      const refused = refuseSharedNames(sources, { folder, isUsable, sourceOf: notes.sourceOf })
      const makeBase = () => (input.user ? makeHome(base) : undefined)
      const placer = openPlacer({ base, folder, notes })
      const place = { ...input, base, folder, makeBase, notes, placer }
      try {
        const { done, failed: refusals } = await installAll(sources, {
          install: async source => {
            const problem = refused.get(source.entry.id)
            if (problem) throw problem
            return prepareInstall(await workspace.use(workspace.read(source)), place)
          },
          finish: () => placer.finish(),
          signal,
        })
        const failed = [...unknown, ...refusals]
        const [first] = failed
        if (!isMany && first) throw first.problem
        const one = isMany ? summary(done, { asked: input.item_id, folder }) : done[0]!
        const { status, item_id, ...rest } = one
        return {
          ...{ status, item_id, to: input.to, ...rest },
          ...(isMany && { skills: done }),
          ...(failed.length > 0 && {
            failed: failed.map(({ id, problem }) => failedSkill(id, problem, context.caller)),
          }),
          ...(await finishUse(workspace)),
        }
      } finally {
        placer.close()
      }
    })
  },
  exitStatus: answer => (answer.failed ? 1 : 0),
})

interface Installing<Source> {
  install(source: Source): Promise<InstalledSkill>
  /** Skills that could not be put into place, by path. */
  finish(): ReadonlyMap<string, AppError>
  readonly signal: AbortSignal
}

/** If one fails, the others go on. */
async function installAll<Source extends { readonly entry: { readonly id: string } }>(
  sources: readonly Source[],
  { install, finish, signal }: Installing<Source>,
): Promise<{ readonly done: readonly InstalledSkill[]; readonly failed: readonly Failure[] }> {
  const prepared: InstalledSkill[] = []
  const failed: Failure[] = []
  for (const source of sources) {
    signal.throwIfAborted()
    try {
      prepared.push(await install(source))
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      failed.push({ id: source.entry.id, problem: thrown })
    }
  }
  const problems = finish()
  for (const { path, item_id } of prepared) {
    const problem = problems.get(path)
    if (problem) failed.push({ id: item_id, problem })
  }
  return { done: prepared.filter(({ path }) => !problems.has(path)), failed }
}

function summary(
  done: readonly InstalledSkill[],
  { asked, folder }: { asked: string; folder: string },
): InstalledSkill {
  const status = (['updated', 'installed'] as const).find(one => done.some(skill => skill.status === one))
  const files = done.reduce((sum, skill) => sum + skill.files, 0)
  return { status: status ?? 'unchanged', item_id: asked, path: folder, files }
}
