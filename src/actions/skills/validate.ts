// The Agent Skills specification, checked for every skill of a directory.
import {
  findSkillFolders,
  readAsSkill,
  type SkillDiagnostic,
  type SkillValidation,
  validateSkill,
} from '../../skills/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { resolvePath } from '../definition/resolve-path.ts'
import { directory } from './scan-directory.ts'

const VALIDATE_FIELDS = { directory } as const satisfies Fields

export type SkillsValidateInput = CallInput<typeof VALIDATE_FIELDS>

export interface SkillsValidateAnswer {
  readonly valid: boolean
  readonly skills: readonly SkillValidation[]
  readonly diagnostics: readonly SkillDiagnostic[]
}

export const skillsValidate = defineAction({
  name: 'skills validate',
  description: 'Check skills against the Agent Skills specification, with the reason for every finding.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: VALIDATE_FIELDS,
  run: async (context, input): Promise<SkillsValidateAnswer> => {
    const path = resolvePath(context, input.directory)
    const tree = findSkillFolders(path)
    const skills: SkillValidation[] = []
    const folders = tree.count > 0 ? tree.folders() : [readAsSkill(path)]
    for (const folder of folders) skills.push(await validateSkill(folder))
    const diagnostics = [...tree.diagnostics]
    return { valid: skills.every(skill => skill.valid), skills, diagnostics }
  },
  exitStatus: answer => (answer.valid ? 0 : 1),
})
