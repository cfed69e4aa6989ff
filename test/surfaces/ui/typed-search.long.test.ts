// Search while typing, over a real library: one exchange brings the hits, the counts, and completions of the
// unfinished word.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { facetedSearch, type SearchAnswer } from '../../../src/actions/index.ts'
import { runPageAction } from '../../../src/surfaces/ui/call-action.ts'
import { completeWord } from '../../../src/surfaces/ui/complete-word.ts'
import { statusesIn } from '../../../src/surfaces/ui/count-statuses.ts'
import type { Typed } from '../../../src/surfaces/ui/search-types.ts'
import { summarize } from '../../../src/surfaces/ui/summarize.ts'
import type { StatusOf } from '../../../src/surfaces/ui/summary-types.ts'
import { readChosen, searchTyped } from '../../../src/surfaces/ui/typed-search.ts'
import { type Library, openLibrary } from '../../../src/workspace/index.ts'
import { type LibrarySession, openSession } from '../../fixtures/library-session.ts'

const note = (id: string) =>
  `---\nid: ${id}\ntitle: ${id}\nversion: "1.0.0"\nentry_type: guide\ncategory: notes\n---\n\nA zeppelin over ${id}.\n`

const NEVER = new AbortController().signal
let session: LibrarySession
let library: Library
let statusOf: StatusOf

beforeAll(async () => {
  session = await openSession({ signing: true })
  for (let at = 0; at < 130; at++) session.write(`.ai/knowledge/notes/n${at}.md`, note(`n${at}`))
  for (const id of ['n1', 'n2'])
    await session.call('sign', { item_id: `notes/${id}`, item_type: 'knowledge' })
  library = openLibrary({ environment: session.environment, caller: 'person', watches: true })
  statusOf = statusesIn(await summarize(await library.open(session.project), NEVER))
}, 60_000)
afterAll(async () => {
  await library?.close()
  await session?.close()
})

const search = async (
  input: Record<string, unknown>,
  { chosen = {}, most = 12, hints = true, isSwept = true } = {},
) =>
  (await searchTyped(
    library,
    session.project,
    {
      input: { limit: 5, ...input },
      chosen,
      most,
      hints,
      isPatient: false,
      statusOf: isSwept ? statusOf : undefined,
    },
    { signal: NEVER },
  )) as SearchAnswer & Typed

it('counts all hits, by trust too', async () => {
  const { total, facets } = await search({ query: 'zeppelin' })
  expect(total).toBe(130)
  expect(facets).toEqual({
    type: { values: [['knowledge', 130]], others: 0 },
    space: { values: [['project', 130]], others: 0 },
    category: { values: [['notes', 130]], others: 0 },
    trust: {
      values: [
        ['unsigned', 128],
        ['verified', 2],
      ],
      others: 0,
    },
  })
})

it('finds all of one status, however far down they are', async () => {
  const { total, results } = await search({ query: 'zeppelin' }, { chosen: { trust: 'verified' } })
  expect([total, results.map(({ id }) => id).sort()]).toEqual([2, ['notes/n1', 'notes/n2']])
})

it('does not count trust before it is known', async () => {
  const { facets } = await search({ query: 'zeppelin' }, { isSwept: false })
  expect(Object.keys(facets)).toEqual(['type', 'space', 'category'])
})

it('tells as many values as it is asked for, and how many more there are', async () => {
  const { facets } = await search({ query: 'zeppelin' }, { most: 1 })
  expect(facets.trust).toEqual({ values: [['unsigned', 128]], others: 1 })
})

describe('an unfinished word', () => {
  it('finds what it begins', async () => {
    expect(await search({ query: 'zeppe' })).toMatchObject({ query: 'zeppe', asked: 'zeppe*', total: 130 })
    expect(await search({ query: 'zeppelin' })).toMatchObject({ query: 'zeppelin', asked: 'zeppelin' })
  })

  it('is no other one on a later page', async () => {
    expect(await search({ query: 'zeppe', offset: 5 })).toMatchObject({ asked: 'zeppe' })
    const { results } = await search({ query: 'zeppe*', offset: 125 })
    expect(results).toHaveLength(5)
  })
})

it('answers any query as if it were searched for as typed, then with its last word completed', async () => {
  const plain = async (query: string) => {
    const action = facetedSearch({
      ...{ facets: [], hints: true, needsAllWords: false, isPatient: false },
      onLate: () => {},
    })
    const input = { query, limit: 5 }
    return (await runPageAction(library, session.project, action, input, { signal: NEVER })) as SearchAnswer
  }
  const expected = async (query: string) => {
    const typed = await plain(query)
    const begun = completeWord(query)
    if (begun === undefined || (typed.results[0] && !typed.results[0].partial)) return typed
    const { warning: _, ...more } = await plain(begun)
    return more.results.length > 0 ? more : typed
  }
  const word = fc
    .tuple(
      fc.constantFrom('zeppelin', 'over', 'n12', 'notes', 'nothing', 'guide', 'the'),
      fc.integer({ min: 1, max: 8 }),
    )
    .map(([text, length]) => text.slice(0, length))
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 3 }), async words => {
      const query = words.join(' ')
      const told = { query, asked: expect.any(String), facets: expect.anything() }
      expect(await search({ query })).toEqual({ ...(await expected(query)), ...told })
    }),
    { numRuns: 60 },
  )
}, 60_000)

it.each([
  ['an unfinished word', 'zepelin'],
  ['a finished one', 'zepelin '],
])('says what else might be asked where %s finds nothing, once it is asked to', async (_, query) => {
  const nothing = { total: 0, results: [], asked: query }
  expect(await search({ query })).toMatchObject({ ...nothing, hint: expect.stringContaining('`zeppelin`') })
  const bare = await search({ query }, { hints: false })
  expect(bare).toMatchObject(nothing)
  expect(bare).not.toHaveProperty('hint')
})

it('a slip of the query is the answer of the action', async () => {
  expect(await search({ query: 'zeppelin AND' })).toMatchObject({ status: 'error', offset: 12 })
})

it.each([
  [undefined, {}],
  ['type', {}],
  [{ type: 'tool', space: '', trust: 7, category: null }, { type: 'tool' }],
])('what is chosen is read from %j', (raw, chosen) => {
  expect(readChosen(raw)).toEqual(chosen)
})
