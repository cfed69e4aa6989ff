// Every skill of a directory, judged: whether we can use it, whether it follows the Agent Skills specification, whether it is served.
import { join } from 'node:path'
import {
  findSkillFolders,
  isUsualPart,
  mainFileOf,
  readAsSkill,
  type SkillDiagnostic,
  type SkillFolder,
  type SkillValidation,
  validateSkill,
} from '../../skills/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { resolvePath } from '../definition/resolve-path.ts'
import { loadObstacle } from './load-obstacle.ts'
import { refusedSkills } from './refused-skills.ts'
import { directory } from './scan-directory.ts'

const VALIDATE_FIELDS = { directory } as const satisfies Fields

export type SkillsValidateInput = CallInput<typeof VALIDATE_FIELDS>

export interface SkillsValidateAnswer {
  /** All conform. */
  readonly valid: boolean
  readonly summary: Readonly<Record<'skills' | 'load' | 'conform' | 'served', number>>
  readonly skills: readonly SkillValidation[]
  readonly diagnostics: readonly SkillDiagnostic[]
}

export const skillsValidate = defineAction({
  name: 'skills validate',
  description:
    'Check skills: whether they load, whether they conform to the Agent Skills specification, and whether they are served over MCP, with the reason for every finding.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: VALIDATE_FIELDS,
  run: async (context, input): Promise<SkillsValidateAnswer> => {
    const path = resolvePath(context, input.directory)
    const tree = findSkillFolders(path)
    const skills: SkillValidation[] = []
    const folders = tree.count > 0 ? tree.folders() : asSkill(path)
    const refused = await refusedSkills(context, path)
    const { read, sharedExtractors: extractors } = await context.library.openShared()
    for (const folder of folders) {
      context.signal.throwIfAborted()
      const judged = await withObstacle(await validateSkill(folder), () => {
        const unreachable = refused.unreachable(folder.path)
        return unreachable ?? loadObstacle({ read, extractors }, join(path, folder.path), mainFileOf(folder))
      })
      const reason = judged.loads.ok ? await refused.reasonFor(folder.path) : undefined
      skills.push(reason === undefined ? judged : withReason(judged, reason))
    }
    const diagnostics = [...tree.diagnostics]
    const many = (is: (skill: SkillValidation) => boolean) => skills.filter(is).length
    return {
      valid: skills.every(skill => skill.valid),
      summary: {
        skills: skills.length,
        load: many(({ loads }) => loads.ok),
        conform: many(({ conforms }) => conforms.ok),
        served: many(({ served }) => served.ok),
      },
      skills,
      diagnostics,
    }
  },
  exitStatus: answer => (answer.valid ? 0 : 1),
})

/** A folder without skills is taken for one that lacks its SKILL.md, unless nothing in it is what a skill has. */
function asSkill(path: string): SkillFolder[] {
  const folder = readAsSkill(path)
  return [...folder.files.keys()].some(isUsualPart) ? [folder] : []
}

/** What keeps it from being loaded keeps it from being served. */
async function withObstacle(
  judged: SkillValidation,
  find: () => string | undefined | Promise<string | undefined>,
): Promise<SkillValidation> {
  const obstacle = judged.loads.ok ? await find() : undefined
  if (obstacle === undefined) return judged
  const loads = { ok: false, reasons: [obstacle] }
  return { ...judged, loads, served: loads }
}

function withReason(judged: SkillValidation, reason: string): SkillValidation {
  return { ...judged, served: { ok: false, reasons: [...judged.served.reasons, reason] } }
}
