// What `search` takes.
import type { CallInput, Fields } from '../../definition/field-spec.ts'
import { projectPath } from '../../definition/shared-fields.ts'

/** The fields that `fetch` takes too. Its `query` is optional, and it has no `why`. */
export const FILTER_FIELDS = {
  item_type: {
    type: 'string',
    about: 'only items of this type',
    listed: '',
    values: ['all', 'directive', 'tool', 'knowledge', 'skill'],
    default: 'all',
    flag: { name: 'type', value: 'T' },
  },
  project_path: projectPath,
  source: {
    type: 'string',
    about:
      'space to look in: `local` is all three, `all` the registry, too; without it, all but the registry',
    listed: '',
    values: ['all', 'project', 'user', 'system', 'local', 'registry'],
    unlisted: ['shared'],
    flag: { value: 'S' },
  },
  limit: {
    type: 'integer',
    about: 'most results',
    listed: '',
    minimum: 1,
    maximum: 100,
    default: 10,
    flag: { value: 'N' },
  },
  offset: {
    type: 'integer',
    about: 'results to skip',
    listed: '',
    minimum: 0,
    maximum: 1_000_000,
    default: 0,
    flag: { value: 'N' },
  },
  sort_by: {
    type: 'string',
    about: 'order: the best, the newest, or by name',
    listed: '',
    values: ['score', 'date', 'name'],
    default: 'score',
    flag: { name: 'sort', value: 'F' },
  },
  category: {
    type: 'string',
    about: 'directory part of the id, such as `rye/core`',
    listed: '',
    flag: { value: 'C' },
  },
  tags: { type: 'strings', about: 'any of these', listed: '', flag: { name: 'tag', value: 'T' } },
  date_from: {
    type: 'string',
    about: 'not before this day, YYYY-MM-DD',
    listed: 'YYYY-MM-DD',
    flag: { value: 'DATE' },
  },
  date_to: {
    type: 'string',
    about: 'not after this day, YYYY-MM-DD',
    listed: '',
    flag: { value: 'DATE' },
  },
  fields: {
    type: 'object',
    about: 'query for one field, such as `title` and `deploy*`',
    listed: '{"title": "deploy*"}',
    flag: { name: 'field', form: 'conditions', value: 'NAME=QUERY' },
  },
  filters: {
    type: 'object',
    about: 'test of metadata, such as `version` and `>=1.2.0`, or `author` and `!bot`',
    listed: '{"version": ">=1.2.0"}',
    flag: { name: 'filter', form: 'conditions', value: 'NAME=TEST' },
  },
  fuzzy: {
    type: 'any',
    about: 'typos allowed per word: 0-4, or {enabled, max_distance}',
    listed: 'typos per word: 1-3',
    flag: { value: 'N' },
  },
  proximity: {
    type: 'any',
    about: 'most words between terms',
    listed: 'words between terms',
    flag: { value: 'N' },
  },
  scope: {
    type: 'string',
    about: 'type and namespace: `tool.rye.core.*`',
    listed: '`tool.rye.core.*`',
    flag: { value: 'S' },
  },
  match: {
    type: 'string',
    about: 'what bare words mean: `auto` puts items with all of them first, then those with some',
    listed: '',
    values: ['auto', 'all', 'any'],
    default: 'auto',
    flag: { value: 'M' },
  },
  trusted: {
    type: 'boolean',
    about: 'only items that could be loaded: signed by a key that you trust, and unchanged since',
    listed: '',
    default: false,
    flag: {},
  },
  detail: {
    type: 'string',
    about: '`full`: verdicts and matched words too',
    listed: '',
    values: ['brief', 'full'],
    flag: { value: 'D' },
  },
} as const satisfies Fields

export const SEARCH_FIELDS = {
  query: {
    type: 'string',
    about: 'question, words or exact query; `*` finds everything',
    listed: '`*` finds everything',
    required: true,
    flag: { position: 'rest', value: 'QUERY' },
  },
  ...FILTER_FIELDS,
  why: {
    type: 'boolean',
    about: 'say of each hit what its score is made of: words, fields, meaning, tier',
    forPeople: true,
  },
} as const satisfies Fields

export type SearchInput = CallInput<typeof SEARCH_FIELDS>
