// The canonical records of the skills in a directory.
import { defineAction } from '../definition/action.ts'
import { directory, scanDirectory } from './scan-directory.ts'

export const skillsScan = defineAction({
  name: 'skills scan',
  description: 'Read the skills of a directory: metadata, tools, references and what is wrong with them.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: { directory },
  run: async (context, input) => {
    const { skills, diagnostics } = await scanDirectory(context, input.directory)
    return { skills: skills.map(({ payload }) => payload), diagnostics }
  },
})
