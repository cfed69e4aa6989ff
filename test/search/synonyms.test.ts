// A question with one word finds text with another that means the same, where the library says so.
import { describe, expect, it } from 'vitest'
import type { SearchRequest } from '../../src/search/answer/search-request.ts'
import { readSynonyms } from '../../src/search/text/synonyms.ts'
import { useMemoryLibrary } from './memory-library.ts'

const library = useMemoryLibrary()
const { synonyms } = readSynonyms({
  synonyms: [
    'k8s = kubernetes',
    'kubernetes = kube',
    'deploy => ship',
    'pr = pull request',
    'pos = point of sale',
  ],
})
const note = (id: string, text: string) => ({ id, fields: { description: [text] } })
const found = (text: string, changes: Partial<SearchRequest> = {}) =>
  library.search(text, { synonyms, ...changes }).rows.map(row => row.id)

describe('synonyms', () => {
  it('count in both directions, or in one', () => {
    library.fill(
      'project',
      note('a', 'restart kubernetes pods'),
      note('b', 'ship the release'),
      note('c', 'deploy the parcel'),
    )
    expect(found('k8s pods')).toEqual(['a'])
    expect(found('deploy').sort()).toEqual(['b', 'c'])
    expect(found('ship')).toEqual(['b'])
    expect(library.search('k8s').total).toBe(0)
  })

  it('are exact: what is said of another word does not follow', () => {
    library.fill('project', note('a', 'kube proxy'), note('b', 'kubernetes proxy'))
    expect(found('k8s')).toEqual(['b'])
    expect(found('kubernetes').sort()).toEqual(['a', 'b'])
  })

  it('count as the word: such an item is a full match, of the same worth', () => {
    library.fill('project', note('a', 'restart k8s pods'), note('b', 'restart kubernetes pods'))
    const { rows } = library.search('restart the k8s pods', { synonyms })
    expect(rows.map(({ id, partial, score }) => ({ id, partial, score }))).toEqual([
      { id: 'a', partial: false, score: rows[0]!.score },
      { id: 'b', partial: false, score: rows[0]!.score },
    ])
    expect(rows.map(row => row.matched.description)).toEqual([
      ['restart', 'k8s', 'pods'],
      ['restart', 'kubernetes', 'pods'],
    ])
  })

  it('may have several words on a side', () => {
    library.fill(
      'project',
      note('a', 'review a pull request'),
      note('b', 'review a pr'),
      note('c', 'request a review'),
    )
    expect(found('review pr').slice(0, 2).sort()).toEqual(['a', 'b'])
    expect(found('review my pull requests').slice(0, 2).sort()).toEqual(['a', 'b'])
    expect(found('review pull-request').slice(0, 2).sort()).toEqual(['a', 'b'])
    expect(found('pull request', { match: 'all' }).sort()).toEqual(['a', 'b'])
    expect(found('pr AND review').sort()).toEqual(['a', 'b'])
    expect(found('review NOT pr')).toEqual(['c'])
  })

  it('are worth as much as all words of the other side', () => {
    library.fill(
      'project',
      note('a', 'look at a pr'),
      note('b', 'pull the rope'),
      note('c', 'request a holiday'),
      ...Array.from({ length: 20 }, (_, at) => note(`other-${at}`, 'look at something else')),
    )
    const { rows } = library.search('pull request', { synonyms })
    expect(rows.map(row => row.id)).toEqual(['a', 'b', 'c'])
    expect(rows[0]!.score).toBeGreaterThan(1.5 * rows[1]!.score)
    expect(rows[0]!.matched).toEqual({ description: ['pr'] })
  })

  it('leave words such as `of` out of a question', () => {
    library.fill('project', note('a', 'pos terminal'), note('b', 'terminal at the point of sale'))
    expect(found('terminal for the point of sale').sort()).toEqual(['a', 'b'])
    expect(found('pos terminal').sort()).toEqual(['a', 'b'])
  })

  it('are not asked for in phrases, wildcards, fields and words with tolerance', () => {
    library.fill('project', note('a', 'kubernetes pods'))
    expect(found('"k8s"')).toEqual([])
    expect(found('k8s*')).toEqual([])
    expect(found('k8s', { fuzzy: 1 })).toEqual([])
    expect(found('k8s pods', { proximity: 3 })).toEqual([])
  })

  it('of a hundred words cost a bounded number of lists', () => {
    const many = readSynonyms({
      synonyms: Array.from(
        { length: 500 },
        (_, at) => `w${at % 100} = x${at} = y${at} = z${at} = u${at} = v${at} = s${at} = t${at}`,
      ),
    })
    expect(many.problems).toEqual([])
    library.fill('project', note('a', 'x499'))
    const question = Array.from({ length: 100 }, (_, at) => `w${at}`).join(' ')
    expect(found(question, { synonyms: many.synonyms })).toEqual([])
    expect(found('w5', { synonyms: readSynonyms({ synonyms: ['w5 = x499'] }).synonyms })).toEqual(['a'])
  })
})
