// Judges every skill of a directory: whether we can use it, whether it follows the Agent Skills
// specification, and whether it is served.
import { basename, dirname, join } from 'node:path'
import {
  findSkillFolders,
  isUnseen,
  isUsualPart,
  mainFileOf,
  readAsSkill,
  type SkillDiagnostic,
  type SkillFolder,
  type SkillTree,
  type SkillValidation,
  unusableSkill,
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
  /** Whether all of them conform. */
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
    const skills = tree.unusable.map(fault => judgeUnusable(tree, fault))
    const folders = tree.count + skills.length > 0 ? tree.folders() : asSkill(path)
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
    skills.sort((a, b) => (a.path < b.path ? -1 : 1))
    const diagnostics = tree.diagnostics.filter(one => !tree.unusable.includes(one))
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
  exitStatus: ({ valid, diagnostics }) => (valid && !diagnostics.some(isUnseen) ? 0 : 1),
})

function judgeUnusable({ root }: SkillTree, fault: SkillDiagnostic): SkillValidation {
  const path = dirname(fault.path)
  return unusableSkill({ name: basename(join(root, path)), path }, fault)
}

/**
 * A folder without skills counts as a skill that lacks its SKILL.md, unless it contains nothing that a skill
 * usually has.
 */
function asSkill(path: string): SkillFolder[] {
  const folder = readAsSkill(path)
  return [...folder.files.keys()].some(isUsualPart) ? [folder] : []
}

/** An obstacle to loading a skill also keeps it from being served. */
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
