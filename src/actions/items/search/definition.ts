// Finds items by a question, words, or an exact query; and, without words, by type, place, tags and dates.
import { defineAction } from '../../definition/action.ts'
import { SEARCH_FIELDS } from './fields.ts'

export const search = defineAction({
  name: 'search',
  description: [
    'Find items by a plain question, by words, or exactly: `AND OR NOT ( ) "phrase" wild*card`.',
    'A hit has id and parameters for `execute`; one with `trust` must be signed first.',
  ].join(' '),
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: SEARCH_FIELDS,
  run: async (context, input) => (await import('./search-items.ts')).searchItems(context, input),
})
