// The data carried per document is bounded, and so is what one search reads of many.
import { describe, expect, it } from 'vitest'
import type { ParsedItem } from '../../../src/extract/index.ts'
import { type SearchDocument, searchDocument } from '../../../src/search/text/document.ts'
import { boundDocuments, carriedDocument, isCarriable } from '../../../src/search/text/document-bounds.ts'

function documentOf(metadata: object, body: string): SearchDocument {
  const named = { type: 'knowledge', id: 'ops/x', name: 'x' }
  return searchDocument({ ...named, metadata, body, aside: '' } as unknown as ParsedItem)
}

const WORDS = 'words without an end '.repeat(100_000)
const read = (documents: readonly SearchDocument[]) =>
  documents.reduce((sum, { fields, prose = '' }) => sum + fields.content.join('').length + prose.length, 0)

describe('a document', () => {
  it.each([
    ['of a plain item', { title: 'X', tags: ['a'], status: 'open' }, 'A text.'],
    [
      'whose texts are all too long',
      { title: WORDS, description: WORDS, tags: WORDS, version: WORDS },
      WORDS,
    ],
    [
      'with a schema without an end',
      { config_schema: { properties: { [WORDS]: { description: WORDS } } } },
      '',
    ],
    ['that is all data', { env: Array(1000).fill(WORDS.slice(0, 2000)), tags: Array(5000).fill('tag') }, ''],
  ])('%s can be carried, once it is cut', (_what, metadata, body) => {
    expect(isCarriable(carriedDocument(documentOf(metadata, body)))).toBe(true)
  })

  it('is carried as it is where it is no longer than any', () => {
    const document = documentOf({ title: 'X' }, 'A text.')
    expect(carriedDocument(document)).toBe(document)
  })

  it('that was not cut is not carried', () => {
    expect(isCarriable(documentOf({}, WORDS))).toBe(false)
  })
})

describe('documents of one search', () => {
  const short = documentOf({}, 'A text.')

  it('are read whole while they are short together', () => {
    const documents = [short, documentOf({}, 'Another.')]
    expect(boundDocuments(documents, 1000)).toBe(documents)
  })

  it('are cut where they are long, and only those', () => {
    const bounded = boundDocuments([short, ...Array(20).fill(documentOf({}, WORDS))], 100_000)
    expect(bounded[0]).toBe(short)
    expect(read(bounded)).toBeLessThanOrEqual(100_000)
    expect(bounded[1]!.fields.content[0]).toMatch(/^words without/)
  })
})
