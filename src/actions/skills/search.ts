// Routing search: which tool of the indexed skills a request means.
import { defineAction } from '../definition/action.ts'
import { openSkills } from './open-table.ts'
import { lanceUri } from './scan-directory.ts'

export const skillsSearch = defineAction({
  name: 'skills search',
  description: 'Find the tools of indexed skills that fit a request.',
  effects: { readOnly: true, destructive: false, openWorld: true },
  fields: {
    query: {
      type: 'string',
      about: 'the request, in plain words',
      required: true,
      flag: { position: 'rest', value: 'QUERY' },
    },
    lance: { ...lanceUri, required: true },
    limit: {
      type: 'integer',
      about: 'how many at most',
      minimum: 1,
      maximum: 100,
      default: 10,
      flag: { value: 'N' },
    },
    category: { type: 'string', about: 'only this category', flag: { value: 'C' } },
    skill: { type: 'string', about: 'only tools of this skill', flag: { value: 'NAME' } },
    threshold: {
      type: 'number',
      about: 'leave out results below this score',
      minimum: 0,
      maximum: 1,
      default: 0,
      flag: { value: 'S' },
    },
    confidence: {
      type: 'string',
      about: 'leave out results below this confidence',
      values: ['low', 'medium', 'high'],
      default: 'low',
      flag: { value: 'LEVEL' },
    },
  },
  run: async (context, input) => {
    const { query, lance, category, skill, ...rest } = input
    // Kept open with the library: a server that is asked again does not open the table again. Other embeddings, as the
    // user may set up meanwhile, are another table.
    const { embeddings } = await context.library.policy()
    const name = JSON.stringify(['skills', lance, embeddings])
    const table = await context.library.keep(name, () => openSkills(context, lance, 'search'))
    const options = {
      ...rest,
      ...(category !== undefined && { category }),
      ...(skill !== undefined && { skill }),
    }
    return { query, ...(await table.search(query, options)) }
  },
})
