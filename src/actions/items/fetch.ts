// `load` and `search` in one action: it takes either an id, to load, or a query, to search.
import { AppError, isRecord } from '../../base/index.ts'
import { ITEM_TYPES } from '../../item/index.ts'
import { type ActionContext, defineAction } from '../definition/action.ts'
import type { CallInput, Fields, InputOf } from '../definition/field-spec.ts'
import { itemType } from '../definition/shared-fields.ts'
import { type AnyLoadAnswer, COPY_FIELDS, LOAD_FIELDS } from './load/fields.ts'
import type { SearchAnswer } from './search/answer.ts'
import { FILTER_FIELDS } from './search/fields.ts'

const { required: _required, ...optionalId } = LOAD_FIELDS.item_id
const { item_type: _type, source: _source, ...filterFields } = FILTER_FIELDS
const { project_path: _project, offset: _offset, limit: _limit, ...queryOnly } = filterFields
const ID_SOURCES = ['project', 'user', 'system', 'registry'] as const

const FETCH_FIELDS = {
  item_id: optionalId,
  query: { type: 'string', about: 'question, words or exact query', flag: { value: 'Q' } },
  ...filterFields,
  // Results of a query, or bytes of an item: the wider bounds here, the narrower ones once the mode is known.
  limit: {
    ...FILTER_FIELDS.limit,
    about: 'most results, up to 100; with an id, bytes',
    listed: 'with an id: bytes',
    maximum: LOAD_FIELDS.limit.maximum,
  },
  offset: {
    ...FILTER_FIELDS.offset,
    about: 'results to skip; with an id, bytes',
    maximum: LOAD_FIELDS.offset.maximum,
  },
  ...COPY_FIELDS,
  item_type: { ...itemType, values: [...ITEM_TYPES, 'all'] },
  source: {
    type: 'string',
    about: 'where to look',
    values: ['project', 'user', 'system', 'local', 'registry', 'all'],
    unlisted: ['shared'],
    flag: { value: 'S' },
  },
} as const satisfies Fields

export type FetchInput = CallInput<typeof FETCH_FIELDS>
export type FetchAnswer = AnyLoadAnswer | SearchAnswer

type Input = InputOf<typeof FETCH_FIELDS>

export const fetch = defineAction({
  name: 'fetch',
  description:
    'Get one item by `item_id` (its source, after its signature is checked), or discover items with `query` and `scope`. One or the other.',
  effects: { readOnly: false, destructive: true, openWorld: false },
  fields: FETCH_FIELDS,
  run: async (context, input): Promise<FetchAnswer> => {
    const { item_id, query } = input
    if ((item_id === undefined) === (query === undefined)) {
      const got = item_id === undefined ? 'neither' : 'both'
      throw new AppError('INVALID_INPUT', `expected \`item_id\` or \`query\` with \`scope\`, got ${got}`, {
        hint: '`item_id` reads one item; `query` and `scope` discover items',
      })
    }
    if (item_id !== undefined) return fetchById(context, { ...input, item_id })
    return fetchByQuery(context, { ...input, query: query! })
  },
})

async function fetchById(context: ActionContext, input: Input & { item_id: string }): Promise<AnyLoadAnswer> {
  refuseMixed(input, 'item_id')
  const { item_type: type, source, offset, limit, ...rest } = input
  const { loadItem, loadOutput } = await import('./load/load-item.ts')
  const read = input.item_id.startsWith('output:') ? loadOutput : loadItem
  return read(context, {
    ...rest,
    ...(type && { item_type: oneOf(ITEM_TYPES, 'item_type', type) }),
    ...(source && { source: source === 'shared' ? source : oneOf(ID_SOURCES, 'source', source) }),
    // These defaults are those of a query. With an id they mean nothing, even if a caller spells them out.
    ...(offset !== FILTER_FIELDS.offset.default && { offset }),
    ...(limit !== FILTER_FIELDS.limit.default && { limit }),
  })
}

async function fetchByQuery(context: ActionContext, input: Input & { query: string }): Promise<SearchAnswer> {
  refuseMixed(input, 'query')
  const { item_type = 'all', ...rest } = input
  if (rest.scope === undefined)
    throw new AppError(
      'INVALID_INPUT',
      '`scope` is required with `query`: such as `tool` or `tool.rye.core.*`',
    )
  for (const name of ['limit', 'offset'] as const) {
    const { minimum, maximum } = FILTER_FIELDS[name]
    if (rest[name] > maximum)
      throw new AppError(
        'INVALID_INPUT',
        `\`${name}\`: expected a whole number from ${minimum} to ${maximum}, got \`${rest[name]}\``,
      )
  }
  const { searchItems } = await import('./search/search-items.ts')
  return searchItems(context, { ...rest, item_type })
}

/** Fields of one mode, which the other would silently ignore. */
const MODE_ONLY: Readonly<Record<'item_id' | 'query', Fields>> = {
  item_id: {
    destination: COPY_FIELDS.destination,
    overwrite: COPY_FIELDS.overwrite,
    version: COPY_FIELDS.version,
    view: COPY_FIELDS.view,
  },
  query: queryOnly,
}

function refuseMixed(input: Readonly<Record<string, unknown>>, mode: keyof typeof MODE_ONLY): void {
  const other = mode === 'query' ? 'item_id' : 'query'
  const stray = Object.entries(MODE_ONLY[other]).find(
    ([name, field]) => !isDefault(input[name], field.default),
  )
  if (stray === undefined) return
  const [wanted, given] = mode === 'query' ? ['an `item_id`', 'a `query`'] : ['a `query`', 'an `item_id`']
  throw new AppError('INVALID_INPUT', `\`${stray[0]}\` goes with ${wanted}, not with ${given}`)
}

/** Whether a value asks for nothing: it is the default, or `{}` or false, which older callers spell out. */
function isDefault(value: unknown, fallback: unknown): boolean {
  if (value === undefined || value === fallback || value === false) return true
  return isRecord(value) && Object.keys(value).length === 0
}

function oneOf<const T extends string>(values: readonly T[], name: string, value: string): T {
  const known = values.find(candidate => candidate === value)
  if (known !== undefined) return known
  throw new AppError(
    'INVALID_INPUT',
    `\`${name}\`: expected one of ${values.join(', ')} with an item_id, got \`${value}\``,
  )
}
