// What a synonyms file means, and what it may not contain.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinSynonyms, readSynonyms, SYNONYM_LIMITS } from '../../../src/search/text/synonyms.ts'

const read = (...lines: readonly unknown[]) => readSynonyms({ synonyms: lines as string[] })
const others = (...lines: readonly string[]) => {
  const { synonyms, problems } = read(...lines)
  expect(problems).toEqual([])
  return Object.fromEntries([...synonyms].map(([key, list]) => [key, list.map(words => words.join(' '))]))
}

describe('a line', () => {
  it.each<[string, Record<string, string[]>]>([
    ['k8s = kubernetes', { k8s: ['kubernetes'], kubernet: ['k8s'] }],
    ['Deploy => ship', { deploi: ['ship'] }],
    [
      'pr = pull request = merge-request',
      {
        pr: ['pull request', 'merge request'],
        'pull request': ['pr', 'merge request'],
        'merg request': ['pr', 'pull request'],
      },
    ],
    ['pos = point of sale', { po: ['point of sale'], 'point sale': ['pos'] }],
    ['  bild  =>  image ', { bild: ['image'] }],
    ['回滚 = rollback', { '回 滚': ['rollback'], rollback: ['回 滚'] }],
  ])('%s', (line, expected) => {
    expect(others(line)).toEqual(expected)
  })

  it.each([
    ['k8s', 'expected `word = word`, or `word => word` for one way, got `k8s`'],
    ['k8s =', 'expected `word = word`'],
    ['= kubernetes', 'expected `word = word`'],
    ['a1 => b1 => c1', 'expected `word = word`'],
    ['a1 => b1 = c1', 'expected `word = word`'],
    ['c++ = cpp', 'expected only letters and digits, not `+`, got `c++ = cpp`'],
    ['log* = journal', 'expected only letters and digits, not `*`'],
    ['pod = Pods', 'expected different words on each side'],
    ['how = manner', 'expected a word that search does not ignore, unlike `how`'],
    ['one two three four five = six', 'expected at most 4 words per side'],
    [`${'x'.repeat(65)} = y1`, 'expected at most 64 characters per side'],
    ['a1 = a2 = a3 = a4 = a5 = a6 = a7 = a8 = a9', 'expected at most 8 sides'],
    [7, 'expected a text, got `7`'],
    [null, 'expected a text'],
  ])('that says nothing is named: %s', (line, problem) => {
    const { synonyms, problems } = read('k8s = kubernetes', line, 'pg = postgres')
    expect(problems).toEqual([expect.stringContaining(`\`synonyms[1]\`: ${problem}`)])
    expect(synonyms.size).toBe(4)
  })
})

describe('a file', () => {
  it.each([
    undefined,
    null,
    'k8s = kubernetes',
    { synonyms: 'k8s = kubernetes' },
    { synonyms: { k8s: 'kubernetes' } },
    [],
  ])('without a list says nothing: %j', data => {
    const { synonyms, problems } = readSynonyms(data as string)
    expect(synonyms.size).toBe(0)
    expect(problems).toEqual(['`synonyms`: expected a list of lines such as `k8s = kubernetes`'])
  })

  it.each([Object.assign(Object.create(null), { k8s: 'kubernetes' }), [Object.create(null)], null, 5])(
    'that is no text is named: %j',
    line => {
      expect(read(line).problems).toEqual([
        `\`synonyms[0]\`: expected a text, got \`${JSON.stringify(line)}\``,
      ])
    },
  )

  it('has bounds: lines, and others for one word', () => {
    const { synonyms, problems } = read(...Array.from({ length: 2000 }, (_, at) => `word = other${at}`))
    expect(problems).toEqual([`\`synonyms\`: expected at most ${SYNONYM_LIMITS.lines} lines, got 2000`])
    expect(synonyms.get('word')).toHaveLength(SYNONYM_LIMITS.others)
  })

  it('of any lines never fails, and gives words that are looked for alone', () => {
    const piece = fc.constantFrom(
      'k8s',
      'kubernetes',
      '=',
      '=>',
      ' ',
      'pull request',
      '猫',
      '\ud800',
      '++',
      'é',
    )
    fc.assert(
      fc.property(
        fc.array(
          fc.array(piece, { maxLength: 6 }).map(pieces => pieces.join('')),
          { maxLength: 8 },
        ),
        lines => {
          const { synonyms, problems } = read(...lines)
          expect(problems.length).toBeLessThanOrEqual(lines.length)
          for (const list of synonyms.values())
            for (const words of list) expect(words.every(word => word !== '' && !/\s/.test(word))).toBe(true)
        },
      ),
    )
  })

  it('and another are joined', () => {
    const joined = joinSynonyms([
      read('k8s = kubernetes').synonyms,
      read('k8s => kube', 'k8s = kubernetes').synonyms,
    ])
    expect(joined.get('k8s')).toEqual([['kubernetes'], ['kube']])
  })
})
