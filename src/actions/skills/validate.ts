// The Agent Skills specification, checked for every skill of a directory.
import { findSkillFolders, readAsSkill, type SkillValidation, validateSkill } from '../../skills/index.ts'
import { defineAction } from '../definition/action.ts'
import { directory } from './scan-directory.ts'

export const skillsValidate = defineAction({
  name: 'skills validate',
  description: 'Check skills against the Agent Skills specification, with the reason for every finding.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: { directory },
  run: async (_context, input) => {
    const tree = findSkillFolders(input.directory)
    const skills: SkillValidation[] = []
    const folders = tree.count > 0 ? tree.folders() : [readAsSkill(input.directory)]
    for (const folder of folders) skills.push(await validateSkill(folder))
    const diagnostics = [...tree.diagnostics]
    return { valid: skills.every(skill => skill.valid), skills, diagnostics }
  },
  // The shape that `run` returns above.
  exitStatus: answer => ((answer as { valid: boolean }).valid ? 0 : 1),
})
