// What an agent is told of the hits: enough to call the best, enough to choose among the others.
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
    const answer = briefAnswer(
      { ...REST, hint: 'nothing fits well: try other words, or more of them' },
      hits(1),
    )
    expect(answer.results[0]!.parameters).toMatch(/^thought: string, /)
    expect(sizeOf(answer)).toBeLessThanOrEqual(450)
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
})
