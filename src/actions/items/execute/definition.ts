// Runs a tool, or hands out the text of a directive, a knowledge entry or a skill.
import { defineAction } from '../../definition/action.ts'
import { EXECUTE_FIELDS } from './fields.ts'

export const execute = defineAction({
  name: 'execute',
  description: [
    'Use an item: a tool runs with its parameters, a directive answers with steps for you to follow, knowledge with its text,',
    'a skill with text, tools and files. `SKILL.TOOL` runs a tool of a skill, `skill:NAME/FILE` a script with {args, stdin}.',
  ].join(' '),
  effects: { readOnly: false, destructive: true, openWorld: true },
  fields: EXECUTE_FIELDS,
  run: async (context, input) => (await import('./execute-item.ts')).executeItem(context, input),
})
