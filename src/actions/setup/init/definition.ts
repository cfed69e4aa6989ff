// `rye init`: sets up a project, without changing anything that is already there. It may create a signing
// key, so it is for people.
import { defineAction } from '../../definition/action.ts'
import { INIT_FIELDS } from './fields.ts'

export const init = defineAction({
  name: 'init',
  description: 'Set up a project: folders, key, first items, settings for clients.',
  effects: { readOnly: false, destructive: false, openWorld: false },
  forPeople: true,
  fields: INIT_FIELDS,
  run: async (context, input) => (await import('./make-project.ts')).makeProject(context, input),
})
