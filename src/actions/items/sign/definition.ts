// Validates an item, or all that a pattern matches, and writes its signature.
import { defineAction } from '../../definition/action.ts'
import { SIGN_FIELDS } from './fields.ts'

export const sign = defineAction({
  name: 'sign',
  description: 'Check and sign an item that you created or edited. Unsigned, it is neither loaded nor run.',
  effects: { readOnly: false, destructive: false, openWorld: false },
  fields: SIGN_FIELDS,
  run: async (context, input) => (await import('./sign-items.ts')).signItems(context, input),
  exitStatus: answer => (answer.status === 'completed' && answer.failed.length > 0 ? 1 : 0),
})
