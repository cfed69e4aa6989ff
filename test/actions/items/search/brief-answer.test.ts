// What an agent gets for each hit: enough to call the best one, and to choose among the others.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FullResult } from '../../../../src/actions/items/search/answer.ts'
import { briefAnswer } from '../../../../src/actions/items/search/brief-answer.ts'

const REST = {
  total: 40,
  weaker: 39,
  query: 'think step by step about a problem, and do not stop before it is solved',
  scope: 'tool',
  space: 'all',
  limit: 10,
  offset: 0,
  search_type: 'keyword',
} as const

function hit(at: number, more: Partial<FullResult> = {}): FullResult {
  return {
    id: `mcp/thinking/sequential-${at}`,
    name: `sequential-${at}`,
    title: `sequential-${at}`,
    description:
      'A detailed tool for dynamic and reflective problem-solving through thoughts, one after the other. '.repeat(
        3,
      ),
    category: 'mcp/thinking',
    score: 0.1234,
    type: 'tool',
    source: 'project',
    preview: 'What may be read in the text of the item, which is much longer than this. '.repeat(4),
    parameters: 'thought: string, nextThoughtNeeded: boolean, thoughtNumber: integer, totalThoughts: integer',
    signed: true,
    trust: { status: 'verified', format: 'v2', coverage: 'full', hash: '', signer: '', timestamp: '' },
    partial: true,
    ...more,
  }
}

const hits = (count: number) => Array.from({ length: count }, (_, at) => hit(at))
const sizeOf = (value: object) => Buffer.byteLength(JSON.stringify(value))

describe('a brief answer', () => {
  it('of one hit has parameters, also beside a hint', () => {
    const answer = briefAnswer({ ...REST, hint: 'nothing fits: try other words or `match: "any"`' }, hits(1))
    expect(answer.results[0]!.parameters).toMatch(/^thought: string, /)
    expect(sizeOf(answer)).toBeLessThanOrEqual(450)
  })

  it('of one hit that does not fit says what to do, whatever else there is to say', () => {
    const hint = 'nothing fits: try other words or `match: "any"`'
    const only = hit(0, {
      title: 'Think in sequence about what to do',
      parameters: 'a?: string = "*", b?: x',
    })
    expect(briefAnswer({ ...REST, hint }, [only])).toMatchObject({ hint })
  })

  it('tells the first three in full, and of the others enough to choose', () => {
    const { results } = briefAnswer(REST, hits(6))
    for (const { parameters } of results.slice(0, 3)) expect(parameters).toContain('totalThoughts: integer')
    for (const { parameters, description } of results.slice(3)) {
      expect(parameters).toBe('thought: string, …')
      expect(description.length).toBeGreaterThan(24)
      expect(description.length).toBeLessThanOrEqual(48)
    }
  })

  it('has a preview where there are no parameters', () => {
    const { parameters: _parameters, ...plain } = hit(1, { description: 'Short' })
    const [first, second] = briefAnswer(REST, [hit(0, { description: 'Short' }), plain]).results
    expect(first!.preview).toBe('')
    expect(second!.preview).toContain('What may be read')
  })

  it.each([0, 1, 2, 5, 10])('of %i hits keeps to its size', count => {
    const most = count === 0 ? 400 : 450 + 339 * (count - 1)
    expect(sizeOf(briefAnswer({ ...REST, hint: 'x '.repeat(300) }, hits(count)))).toBeLessThanOrEqual(most)
  })

  const trust = fc.constantFrom<FullResult['trust']>(
    hit(0).trust,
    { ...hit(0).trust, rolled_back_from: { version: '10.20.30', timestamp: '2026-01-01T00:00:00Z' } },
    { ...hit(0).trust, status: 'unsigned', format: null, signer: null, reason: 'there is no signature' },
    {
      ...hit(0).trust,
      status: 'untrusted',
      signer: '0123456789abcdef',
      reason: 'the key of the signer is trusted for other items, and for none of this project',
    },
  )
  const words = fc.string({ unit: 'grapheme', maxLength: 300 })
  const anyHit = fc.record({
    id: fc.stringMatching(/^[a-z]{1,10}\/[a-z]{1,8}\/[a-z-]{1,10}$/),
    title: words,
    description: words,
    preview: words,
    parameters: words,
    trust,
    shadows: fc.constantFrom(undefined, [{ space: 'system' as const }]),
  })

  it('of any hits keeps to its size, whatever they say', () => {
    const some = fc.array(anyHit, { maxLength: 10 })
    fc.assert(
      fc.property(some, words, words, fc.option(words, { nil: undefined }), (found, query, hint, warning) => {
        const full = found.map(({ id, shadows, ...more }) => {
          const [category, name] = [id.slice(0, id.lastIndexOf('/')), id.slice(id.lastIndexOf('/') + 1)]
          return hit(0, { id, name, category, ...(shadows && { shadows }), ...more })
        })
        const told = { ...REST, query, hint, ...(warning && { warning }) }
        const most = full.length === 0 ? 400 : 450 + 338 * (full.length - 1)
        const answer = briefAnswer(told, full)
        expect(sizeOf(answer)).toBeLessThanOrEqual(most)
        expect(answer.results.map(({ id }) => id)).toEqual(full.map(({ id }) => id))
        expect(answer.results.map(result => result.trust?.status ?? 'verified')).toEqual(
          full.map(result => result.trust.status),
        )
      }),
    )
  })

  it('keeps to it where most of it is needed for names, and the question is of wide letters', () => {
    const id = 'aaaaaaaaaa/aaaaaaaa/aaaaaaaaaa'
    const long = hit(0, {
      ...{ id, name: id.slice(20), category: id.slice(0, 19), title: '', description: '', preview: '' },
      shadows: [{ space: 'system' }],
      trust: {
        ...hit(0).trust,
        rolled_back_from: { version: '10.20.30', timestamp: '2026-01-01T00:00:00Z' },
      },
    })
    const answer = briefAnswer({ ...REST, query: '\u{10000}\u0800 '.repeat(20) }, [long])
    expect(sizeOf(answer)).toBeLessThanOrEqual(450)
    expect(answer.query).not.toBe('')
  })

  it('says that there are parameters, also where none fits', () => {
    const parameters = 'action: "create"|"rename"|"remove"|"describe"|"publish"|"withdraw", name?: string'
    const { results } = briefAnswer(
      REST,
      Array.from({ length: 5 }, (_, at) => hit(at, { parameters })),
    )
    expect(results.map(result => result.parameters)).toEqual([
      ...[parameters, parameters, parameters],
      ...['action: …', 'action: …'],
    ])
  })

  it('does not end the parameters inside of a value', () => {
    const parameters = 'a?: string = "one, two, three", second: integer, third: string, fourth: string[]'
    const { results } = briefAnswer(
      REST,
      Array.from({ length: 5 }, (_, at) => hit(at, { parameters })),
    )
    expect(results[4]!.parameters).toBe('a?: string = "one, two, three", …')
    const other = briefAnswer(
      REST,
      Array.from({ length: 5 }, (_, at) =>
        hit(at, { parameters: 'a: integer, b?: string = "one, two, three", second: integer' }),
      ),
    )
    expect(other.results[4]!.parameters).toBe('a: integer, …')
  })
})
