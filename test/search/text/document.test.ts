import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Extractor, ParsedItem } from '../../../src/extract/types.ts'
import { parseMoment } from '../../../src/query/date.ts'
import { fieldWeights, searchDocument } from '../../../src/search/text/document.ts'

// Only the weights of an extractor matter to search.
const extractor = {
  searchFields: new Map([
    ['title', 5],
    ['content', 0],
  ]),
} as unknown as Extractor

function itemOf(metadata: ParsedItem['metadata'], body = '', aside = ''): ParsedItem {
  return {
    type: 'tool',
    id: 'rye/web/fetch',
    name: 'fetch',
    extension: '.py',
    parser: 'python/ast',
    metadata,
    body,
    aside,
    diagnostics: [],
  }
}

describe('the document of an item', () => {
  it('has all that is written: prose before the metadata, steps of a process, the body', () => {
    const { fields } = searchDocument(itemOf({ config: { command: 'ls' } }, 'the body', 'a heading'))
    expect(fields.content).toEqual(['a heading', 'the body'])
  })

  it('has what a tool of data alone says besides its fields', () => {
    const metadata = {
      description: 'Lists',
      tags: ['files'],
      config_schema: { properties: { path: { type: 'string' } } },
      notes: 'at night',
      config: { command: 'ls -l', steps: [{ run: 'sort' }, 7, true, null], empty: '' },
    }
    expect(searchDocument(itemOf(metadata)).fields.content).toEqual(['at night', 'ls -l', 'sort'])
  })

  it('takes names and descriptions of parameters from a schema, nested ones too', () => {
    const schema = {
      type: 'object',
      properties: {
        url: { type: 'string', description: 'where to look' },
        options: { type: 'object', properties: { retries: { type: 'integer' } } },
      },
    }
    expect(searchDocument(itemOf({ config_schema: schema })).fields.parameters).toEqual([
      'url',
      'where to look',
      'options',
      'retries',
    ])
  })

  it('takes them from inputs of a directive', () => {
    const inputs = [{ name: 'target', type: 'string', description: 'what to deploy' }, 'junk', null]
    expect(searchDocument(itemOf({ inputs })).fields.parameters).toEqual(['target', 'what to deploy'])
  })

  it('has the directory as category when the item names none, and the name as title', () => {
    expect(searchDocument(itemOf({}))).toMatchObject({
      category: 'rye/web',
      title: 'fetch',
      description: '',
    })
  })

  it('reads tags as a list or as words with commas, and dates as moments', () => {
    const document = searchDocument(itemOf({ tags: 'web, http', created_at: '2024-05-01' }))
    expect(document.tags).toEqual(['web', 'http'])
    expect(document.date).toBe(Date.UTC(2024, 4, 1))
  })

  it('has the date that a filter reads in the same text, in whatever time zone', () => {
    const zone = process.env.TZ
    onTestFinished(() => {
      if (zone === undefined) delete process.env.TZ
      else process.env.TZ = zone
    })
    const moments = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    const written = fc
      .tuple(moments, fc.constantFrom(10, 16, 19, 23, 24), fc.constantFrom('T', ' '))
      .map(([moment, length, joint]) => moment.toISOString().slice(0, length).replace('T', joint))
    for (const place of ['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati']) {
      process.env.TZ = place
      fc.assert(
        fc.property(fc.oneof(written, fc.string()), text => {
          const { date } = searchDocument(itemOf({ created: text }))
          expect(date).toBe(parseMoment(text)?.first)
        }),
      )
    }
  })

  it.each(['yesterday', 'chapter 3', 'version 2', '2024', '15.06.2024', 'May 5', '2024-02-30', '', 12, true])(
    'has no date when it says %j, and the next one that it says',
    date => {
      expect(searchDocument(itemOf({ date })).date).toBeUndefined()
      const document = searchDocument(itemOf({ date, created: '2024-06-15 23:30:00' }))
      expect(document.date).toBe(Date.UTC(2024, 5, 15, 23, 30))
    },
  )

  it('keeps plain metadata for filters, and nothing that could reach a prototype', () => {
    const metadata = JSON.parse(
      '{"__proto__": "x", "author": "me", "nested": {"a": 1}, "list": [1, "two"], "long": ""}',
    )
    metadata.long = 'x'.repeat(10_000)
    const kept = searchDocument(itemOf(metadata)).metadata
    expect(Object.getPrototypeOf(kept)).toBeNull()
    expect(Object.keys(kept).sort()).toEqual(['__proto__', 'author', 'list'])
  })

  it('survives metadata of any shape', () => {
    const odd = {
      title: 7,
      description: ['x'],
      tags: { a: 1 },
      config_schema: 'text',
      inputs: 3,
      version: null,
    } as never
    expect(searchDocument(itemOf(odd))).toMatchObject({
      title: '7',
      description: '',
      tags: [],
      version: '',
    })
  })
})

describe('the weights of fields', () => {
  it('are those of the extractor, and the usual ones where it is silent', () => {
    expect(fieldWeights(extractor)).toEqual([5, 3, 2, 1.5, 0, 1, 1.5, 2])
    expect(
      fieldWeights({
        searchFields: new Map([
          ['title', Number.NaN],
          ['name', -1],
        ]),
      }),
    ).toEqual([3, 3, 2, 1.5, 1, 1, 1.5, 2])
  })
})
