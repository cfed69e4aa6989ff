// Reads the skills of a directory as canonical records.
import type { LinkedSkill, SkillDiagnostic } from '../../skills/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { directory, scanDirectory } from './scan-directory.ts'

const SCAN_FIELDS = {
  directory,
  details: {
    type: 'boolean',
    about: 'what the records were made from: manifest, layout, decorators and parameters',
    default: false,
  },
} as const satisfies Fields

export type SkillsScanInput = CallInput<typeof SCAN_FIELDS>

export interface SkillsScanAnswer {
  /** The folder that paths in the records are relative to. */
  readonly root: string
  readonly skills: readonly LinkedSkill['payload'][]
  readonly diagnostics: readonly SkillDiagnostic[]
  /** Present when asked for. */
  readonly details?: readonly LinkedSkill['details'][]
}

export const skillsScan = defineAction({
  name: 'skills scan',
  description: 'Read the skills of a directory: metadata, tools, references and what is wrong with them.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: SCAN_FIELDS,
  run: async (context, input): Promise<SkillsScanAnswer> => {
    const { root, skills, diagnostics } = await scanDirectory(context, input.directory)
    return {
      root,
      skills: skills.map(({ payload }) => payload),
      diagnostics,
      ...(input.details && { details: skills.map(({ details }) => details) }),
    }
  },
})
