// Small libraries for tests of the index: items from given field texts, and searches with the usual settings.
import type { JsonObject } from '../../../src/base/json.ts'
import { nameOf } from '../../../src/item/item-id.ts'
import { ITEM_TYPES, type ItemType } from '../../../src/item/item-type.ts'
import { SEARCH_FIELDS, type SearchField } from '../../../src/query/fields.ts'
import { readFilters } from '../../../src/query/filters.ts'
import { parseQuery } from '../../../src/query/parse-query.ts'
import { parseScope } from '../../../src/query/scope.ts'
import type { SearchAnswer, SearchRequest } from '../../../src/search/answer/search-request.ts'
import { fieldWeights } from '../../../src/search/rank/field-weights.ts'
import type { IndexedItem } from '../../../src/search/sqlite/indexed-item.ts'
import type { SearchIndex } from '../../../src/search/sqlite/search-index.ts'
import type { SearchDocument } from '../../../src/search/text/document.ts'

export interface Draft {
  readonly id: string
  readonly type?: ItemType
  readonly fields?: Partial<Record<SearchField, readonly string[]>>
  readonly metadata?: JsonObject
  readonly date?: number | undefined
  readonly version?: string
}

export function documentOf(draft: Draft): SearchDocument {
  const { id, type = 'knowledge', fields = {}, metadata = {}, date, version = '' } = draft
  const name = nameOf(id)
  const whole = {
    ...Object.fromEntries(SEARCH_FIELDS.map(field => [field, []])),
    name: [name],
    ...fields,
  } as Record<SearchField, readonly string[]>
  return {
    type,
    id,
    name,
    title: whole.title.join(' ') || name,
    description: whole.description.join(' '),
    category: whole.category.join('/'),
    version,
    date,
    tags: whole.tags,
    parameters: '',
    metadata,
    fields: whole,
  }
}

/** An item as if it had just been read; the hash stands for the content. */
export function itemOf(
  draft: Draft,
  file: { readonly mtimeMs?: number; readonly hash?: string } = {},
): IndexedItem {
  const document = documentOf(draft)
  const hash = file.hash ?? JSON.stringify(document)
  const path = `${document.type}/${draft.id}.md`
  return {
    path,
    size: hash.length,
    mtimeMs: file.mtimeMs ?? 1,
    ctimeMs: 1,
    mayBeSigned: false,
    inode: 7,
    hash,
    extension: '.md',
    document,
  }
}

export const WEIGHTS = new Map(ITEM_TYPES.map(type => [type, fieldWeights(undefined)]))

export function requestOf(text: string, changes: Partial<SearchRequest> = {}): SearchRequest {
  return {
    query: parseQuery(text),
    text,
    match: 'auto',
    fuzzy: 0,
    proximity: undefined,
    fields: new Map(),
    filters: readFilters({}),
    scope: parseScope('*'),
    spaces: ['project', 'user', 'system'],
    sortBy: 'score',
    offset: 0,
    limit: 1000,
    weights: WEIGHTS,
    ...changes,
  }
}

export function searchFor(
  index: SearchIndex,
  text: string,
  changes: Partial<SearchRequest> = {},
): SearchAnswer {
  return index.search(requestOf(text, changes))
}

export function idsOf(answer: SearchAnswer): string[] {
  return answer.rows.map(row => row.id)
}
