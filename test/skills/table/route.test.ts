import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RouteCandidate, routeTools } from '../../../src/skills/table/route.ts'

function candidate(
  id: string,
  description: string,
  keywords: string[] = [],
  intents: string[] = [],
): RouteCandidate {
  return { id, description, metadata: { tool_name: id, category: '', intents, routing_keywords: keywords } }
}

const TOOLS = [
  candidate('git.commit', 'Make a git commit'),
  candidate('git.status', 'Show the git tree'),
  candidate('git.diff', 'Compare in git'),
  candidate('filesystem.read', 'Read a text'),
]

describe('routing', () => {
  it('gives the numbers of the reference for a request in two words', () => {
    const routed = routeTools({
      query: 'git commit',
      candidates: TOOLS,
      keywordHits: ['git.commit', 'git.status', 'git.diff'].map(id => ({ id, score: 1 })),
      vectorHits: ['git.commit', 'git.status', 'filesystem.read'].map(id => ({ id, score: 0.1 })),
    })
    expect(routed.map(one => [one.candidate.id, Number(one.score.toFixed(6))])).toEqual([
      ['git.commit', 0.887273],
      ['git.status', 0.538333],
      ['git.diff', 0.445385],
      ['filesystem.read', 0.076923],
    ])
    expect(routed.map(one => one.confidence)).toEqual(['high', 'medium', 'low', 'low'])
  })

  it('counts the whole request once, beside its words', () => {
    const hit = { keywordHits: [{ id: 'git.commit', score: 1 }], vectorHits: [] }
    const [literal] = routeTools({ query: 'git.commit', candidates: [TOOLS[0]!], ...hit })
    // 1.5/11 + two words of the name + the phrase + two words of the description, over one.
    expect(literal!.score).toBe(1)
    const [repeated] = routeTools({ query: 'commit commit commit', candidates: [TOOLS[0]!], ...hit })
    expect(repeated!.score).toBeCloseTo(1.5 / 11 + 0.3 + 0.03, 6)
  })

  it('does not take a part of a word for a name', () => {
    const scoreOf = (query: string, id: string) =>
      routeTools({
        query,
        candidates: [candidate(id, 'Sums')],
        keywordHits: [{ id, score: 1 }],
        vectorHits: [],
      })[0]!.score
    expect(scoreOf('git', 'digit.sum')).toBeCloseTo(1.5 / 11, 6)
    // The name's single word, and the whole request.
    expect(scoreOf('git', 'digit.git')).toBeCloseTo(1.5 / 11 + 0.3 + 0.5, 6)
  })

  it('raises a clear leader to high', () => {
    const routed = routeTools({
      query: 'commit changes',
      candidates: [candidate('git.commit', '', ['commit'], ['commit changes']), candidate('x.y', '')],
      keywordHits: [
        { id: 'git.commit', score: 9 },
        { id: 'x.y', score: 1 },
      ],
      vectorHits: [],
    })
    expect(routed.map(one => one.confidence)).toEqual(['high', 'low'])
    expect(routed[0]!.finalScore).toBeCloseTo(0.9 + 0.05 * routed[0]!.score, 6)
  })

  it('keeps scores from 0 to 1 and an order that does not depend on the candidates', () => {
    const words = fc.constantFrom('git', 'commit', 'status', 'read', 'the', 'web page', 'x.y')
    const tool = fc.record({
      id: fc.constantFrom('git.commit', 'web.page', 'a.b', 'c.d'),
      keywords: fc.array(words),
    })
    fc.assert(
      fc.property(
        fc.array(words, { minLength: 1 }),
        fc.uniqueArray(tool, { selector: one => one.id }),
        (query, tools) => {
          const candidates = tools.map(one =>
            candidate(one.id, one.keywords.join(' '), one.keywords, one.keywords),
          )
          const hits = candidates.map(({ id }, index) => ({ id, score: 1 / (index + 1) }))
          const request = { query: query.join(' '), keywordHits: hits, vectorHits: hits }
          const routed = routeTools({ ...request, candidates })
          expect(
            routed.every(
              one => one.score >= 0 && one.score <= 1 && one.finalScore >= 0.1 && one.finalScore < 1,
            ),
          ).toBe(true)
          expect(routeTools({ ...request, candidates: [...candidates].reverse() })).toEqual(routed)
        },
      ),
    )
  })
})
