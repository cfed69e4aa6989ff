// Documents in memory are found, scored, ordered and shown exactly like the same documents in SQLite.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../../src/base/index.ts'
import type { SearchField } from '../../../src/query/fields.ts'
import { readFilters } from '../../../src/query/filters.ts'
import type { Query } from '../../../src/query/types.ts'
import type { SearchAnswer } from '../../../src/search/answer/search-request.ts'
import type { LocalEmbedder } from '../../../src/search/meaning/embedder.ts'
import { MemorySpace } from '../../../src/search/memory/memory-space.ts'
import { DocumentReader } from '../../../src/search/memory/read-document.ts'
import { searchAlone } from '../../../src/search/memory/search-alone.ts'
import { MEMORY } from '../../../src/search/sqlite/database.ts'
import { openIndex } from '../../../src/search/sqlite/search-index.ts'
import { library, request, word } from '../random-searches.ts'
import { type Draft, itemOf, requestOf } from '../sqlite/library.ts'

/** Some direction for each text, and none for a text without words. */
const embedder: LocalEmbedder = {
  model: 'digest',
  dimensions: 32,
  embedQuestion: text => directionOf(text),
  embedItem: ({ title, description, body }) => directionOf(`${title} ${description} ${body}`),
}

function directionOf(text: string): Float32Array | undefined {
  const [first] = text.trim().split(/\s+/)
  if (!first) return undefined
  const bytes = Buffer.from(sha256Hex(first), 'hex')
  const values = Float32Array.from(bytes, byte => byte - 100)
  const length = Math.hypot(...values)
  return values.map(value => value / length)
}

const WITHOUT_WORDS = {
  fields: { title: ['', ''] },
  metadata: {},
  date: undefined,
  space: 'project' as const,
}

interface Both {
  readonly stored: SearchAnswer
  readonly inMemory: SearchAnswer
}

/** The reader is used again, as a server does: words of earlier libraries must not count. */
const reader = new DocumentReader()

async function searchBoth(
  drafts: readonly Draft[],
  requests: readonly ReturnType<typeof requestOf>[],
): Promise<Both[]> {
  const items = drafts.map(draft => itemOf(draft))
  const index = await openIndex(new Map([['project', MEMORY]]))
  try {
    index.apply('project', { upsert: items, remove: [] }, embedder)
    const held = items.map(item => ({ ...item, type: 'knowledge' as const }))
    const space = new MemorySpace(reader, held, embedder)
    return requests.map(asked => ({
      stored: index.search(asked),
      inMemory: searchAlone({ space: 'project', reader: space }, asked),
    }))
  } finally {
    index.close()
  }
}

/** All but the path, which names a file that candidates do not have. */
function told({ rows, ...rest }: SearchAnswer) {
  return { ...rest, rows: rows.map(({ path: _path, ...row }) => row) }
}

const named = (drafts: readonly Omit<Draft, 'id'>[]): Draft[] =>
  drafts.map((draft, number) => ({ ...draft, id: number % 3 === 0 ? `area/item${number}` : `item${number}` }))

describe('a space in memory', () => {
  it('answers every query as SQLite does', async () => {
    await fc.assert(
      fc.asyncProperty(
        library,
        fc.array(request, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('score', 'date', 'name'),
        async (drafts, requests, sortBy) => {
          const asked = requests.map(one => {
            const fields = new Map(Object.entries(one.fields) as [SearchField, Query][])
            return requestOf('', {
              ...one,
              fields,
              filters: readFilters(one.filters),
              sortBy: sortBy as 'score',
            })
          })
          for (const { stored, inMemory } of await searchBoth(named(drafts), asked))
            expect(told(inMemory)).toEqual(told(stored))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('answers every question as SQLite does, with meaning, names, scopes and previews', async () => {
    const question = fc.array(word, { minLength: 1, maxLength: 5 }).map(words => words.join(' '))
    const namespace = fc.constantFrom('', 'area')
    await fc.assert(
      fc.asyncProperty(library, question, namespace, async (drafts, text, below) => {
        const values = embedder.embedQuestion(text)
        const asked = requestOf(text, {
          scope: { type: 'all', namespace: below, self: true },
          ...(values && { vector: { model: embedder.model, values } }),
        })
        for (const text2 of [asked, { ...asked, text: 'item1' }])
          for (const { stored, inMemory } of await searchBoth(named(drafts), [text2]))
            expect(told(inMemory)).toEqual(told(stored))
      }),
      { numRuns: 60, examples: [[[WITHOUT_WORDS], 'file', '']] },
    )
  })

  it('has no vectors of a model that its embedder is not', () => {
    const space = new MemorySpace(
      new DocumentReader(),
      [{ ...itemOf({ id: 'one' }), type: 'knowledge' }],
      embedder,
    )
    expect(space.vectors('other', 32).isEmpty).toBe(true)
    expect(space.vectors('digest', 32).isEmpty).toBe(false)
  })

  it('reads a document of any length, and no more of it than is asked for', () => {
    const content = ['word '.repeat(200_000), 'last']
    const item = { ...itemOf({ id: 'long', fields: { content } }), type: 'knowledge' as const }
    const space = new MemorySpace(new DocumentReader(), [item], undefined)
    const answer = searchAlone({ space: 'shared', reader: space }, requestOf('word', { spaces: ['shared'] }))
    expect(answer.rows.map(row => row.id)).toEqual(['long'])
  })
})
