// Routing search: finds the tool of the indexed skills that fits a request.
import type { SkillTable } from '../../skills/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { openSkills, resolveUri } from './open-table.ts'
import { lanceUri } from './scan-directory.ts'

const SEARCH_FIELDS = {
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
  skill: { type: 'string', about: 'only this skill and its tools', flag: { value: 'NAME' } },
  type: {
    type: 'string',
    about: 'only functions, or only skills as a whole',
    values: ['command', 'skill'],
    flag: { value: 'TYPE' },
  },
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
} as const satisfies Fields

export type SkillsSearchInput = CallInput<typeof SEARCH_FIELDS>

export type SkillsSearchAnswer = { readonly query: string } & Awaited<ReturnType<SkillTable['search']>>

export const skillsSearch = defineAction({
  name: 'skills search',
  description: 'Find the skills of a table, and their functions, that fit a request.',
  effects: { readOnly: true, destructive: false, openWorld: true },
  fields: SEARCH_FIELDS,
  run: async (context, input): Promise<SkillsSearchAnswer> => {
    const { query, lance, category, skill, type, ...rest } = input
    // The library keeps the table open, so that a server does not open it for every search. The key includes
    // the embeddings, because the user may change them in the meantime.
    const { embeddings, search } = await context.library.policy()
    const name = JSON.stringify(['skills', resolveUri(context, lance), embeddings, search.meaning])
    const table = await context.library.keep(name, () => openSkills(context, lance, { use: 'search' }))
    const options = {
      ...rest,
      ...(category !== undefined && { category }),
      ...(skill !== undefined && { skill }),
      ...(type !== undefined && { type }),
    }
    return { query, ...(await table.search(query, options)) }
  },
})
