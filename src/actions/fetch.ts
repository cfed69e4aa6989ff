// Both ways to an item: with an id it is `load`, with a query it is `search`; never both, never neither.
import { AppError } from '../base/index.ts'
import { defineAction } from './action.ts'
import { itemId } from './fields.ts'
import { LOAD_FIELDS } from './load.ts'
import { SEARCH_FIELDS } from './search.ts'

const { required: _required, ...optionalId } = itemId
const { item_type: _type, source: _source, ...searchFields } = SEARCH_FIELDS

export const fetch = defineAction({
  name: 'fetch',
  description:
    'Get one item by `item_id` (its source, after its signature is checked), or discover items with `query` and `scope`. One or the other.',
  effects: { readOnly: false, destructive: true, openWorld: false },
  fields: {
    item_id: optionalId,
    query: { type: 'string', about: 'question, words or exact query', flag: { value: 'Q' } },
    ...searchFields,
    ...LOAD_FIELDS,
    source: {
      type: 'string',
      about: 'where to look',
      values: ['project', 'user', 'system', 'local', 'registry', 'all'],
      flag: { value: 'S' },
    },
  },
  run: async (context, input) => {
    const { item_id, query, source, ...rest } = input
    if ((item_id === undefined) === (query === undefined)) {
      const got = item_id === undefined ? 'neither' : 'both'
      throw new AppError('INVALID_INPUT', `expected \`item_id\` or \`query\` with \`scope\`, got ${got}`, {
        hint: '`item_id` reads one item; `query` and `scope` discover items',
      })
    }
    refuseMixed(input, item_id === undefined ? 'query' : 'item_id')
    if (item_id !== undefined) {
      const { loadItem } = await import('./load-item.ts')
      return loadItem(context, { ...rest, item_id, ...(source && { source: idSource(source) }) })
    }
    if (rest.scope === undefined)
      throw new AppError(
        'INVALID_INPUT',
        '`scope` is required with `query`: such as `tool` or `tool.rye.core.*`',
      )
    const { searchItems } = await import('./search-items.ts')
    return searchItems(context, {
      ...rest,
      query: query!,
      item_type: rest.item_type ?? 'all',
      source: source ?? 'all',
    })
  },
})

const MODE_ONLY = {
  item_id: ['destination', 'overwrite', 'version'],
  query: ['scope', 'category', 'tags', 'date_from', 'date_to', 'fields', 'filters', 'fuzzy', 'proximity'],
} as const

/** A parameter of the other mode would be ignored in silence. Those with a default are there in both. */
function refuseMixed(input: object, mode: keyof typeof MODE_ONLY): void {
  const other = mode === 'query' ? 'item_id' : 'query'
  const stray = MODE_ONLY[other].find(name => Object.hasOwn(input, name))
  if (stray === undefined) return
  const [wanted, given] = mode === 'query' ? ['an `item_id`', 'a `query`'] : ['a `query`', 'an `item_id`']
  throw new AppError('INVALID_INPUT', `\`${stray}\` goes with ${wanted}, not with ${given}`)
}

function idSource(source: string): 'project' | 'user' | 'system' | 'registry' {
  if (source === 'project' || source === 'user' || source === 'system' || source === 'registry') return source
  throw new AppError(
    'INVALID_INPUT',
    `\`source\`: expected one of project, user, system, registry with an item_id, got \`${source}\``,
  )
}
