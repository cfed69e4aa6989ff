// Other words for what people ask for, as a library lists them: `k8s = kubernetes`, or one way: `deploy =>
// ship`. They are not transitive: a word has the synonyms that its own lines give, but not their synonyms.
import { hasLetterOrDigit, isRecord, type JsonValue, quoteText } from '../../base/index.ts'
import { stem } from './porter.ts'
import { isStopWord } from './stop-words.ts'
import { visitTokens } from './tokenize.ts'

/** What else is searched for, by `synonymKey`: each synonym as words in order. */
export type Synonyms = ReadonlyMap<string, readonly (readonly string[])[]>

/** Enough for a team's own words. It is not meant to hold a thesaurus. */
export const SYNONYM_LIMITS = { lines: 500, sides: 8, words: 4, characters: 64, others: 16 } as const

export interface ReadSynonyms {
  readonly synonyms: Synonyms
  /** Which lines are left out, and why. */
  readonly problems: readonly string[]
}

/**
 * Equal for forms of the same words. Words such as `of` count only when there are no others, since questions
 * are searched without them.
 */
export function synonymKey(words: readonly string[]): string {
  const significant = words.filter(word => !isStopWord(word))
  return (significant.length > 0 ? significant : words).map(stem).join(' ')
}

/** Reads `synonyms` of a parsed file. */
export function readSynonyms(data: JsonValue): ReadSynonyms {
  const lines = isRecord(data) ? data.synonyms : undefined
  if (!Array.isArray(lines))
    return {
      synonyms: new Map(),
      problems: ['`synonyms`: expected a list of lines such as `k8s = kubernetes`'],
    }
  const found = new Map<string, (readonly string[])[]>()
  const problems: string[] = []
  lines.slice(0, SYNONYM_LIMITS.lines).forEach((line, at) => {
    const problem = typeof line === 'string' ? addLine(line, found) : 'expected a text'
    if (problem !== undefined) problems.push(`\`synonyms[${at}]\`: ${problem}, got ${quoteText(line)}`)
  })
  if (lines.length > SYNONYM_LIMITS.lines)
    problems.push(`\`synonyms\`: expected at most ${SYNONYM_LIMITS.lines} lines, got ${lines.length}`)
  return { synonyms: found, problems }
}

/** Merges several sets of synonyms. */
export function joinSynonyms(all: readonly Synonyms[]): Synonyms {
  const joined = new Map<string, (readonly string[])[]>()
  for (const synonyms of all) {
    for (const [key, others] of synonyms) for (const other of others) add(joined, key, other)
  }
  return joined
}

const FORMS = 'expected `word = word`, or `word => word` for one way'

function addLine(line: string, found: Map<string, (readonly string[])[]>): string | undefined {
  const oneWay = line.split('=>')
  const sides = oneWay.length > 1 ? oneWay : line.split('=')
  if (sides.length < 2 || (oneWay.length > 1 && (oneWay.length > 2 || line.replace('=>', '').includes('='))))
    return FORMS
  if (sides.length > SYNONYM_LIMITS.sides) return `expected at most ${SYNONYM_LIMITS.sides} sides`
  const read = sides.map(readSide)
  const problem = read.find(side => typeof side === 'string')
  if (problem !== undefined) return problem
  // Every side is a list of words now: a text would have been a problem.
  const words = read as readonly (readonly string[])[]
  if (new Set(words.map(synonymKey)).size < words.length) return 'expected different words on each side'
  for (const [at, from] of words.entries()) {
    if (oneWay.length > 1 && at > 0) break
    for (const to of words) if (to !== from) add(found, synonymKey(from), to)
  }
  return undefined
}

function readSide(text: string): readonly string[] | string {
  const side = text.trim()
  if (side === '') return FORMS
  if (side.length > SYNONYM_LIMITS.characters)
    return `expected at most ${SYNONYM_LIMITS.characters} characters per side`
  // `c++` would be searched for as `c`.
  const sign = [...side].find(character => !hasLetterOrDigit(character) && !/[\p{M}\s_./-]/u.test(character))
  if (sign !== undefined) return `expected only letters and digits, not ${quoteText(sign, 8)}`
  const words: string[] = []
  visitTokens(side, (token, _, kind) => kind === 'word' && words.push(token))
  if (words.length === 0) return FORMS
  if (words.every(isStopWord))
    return `expected a word that search does not ignore, unlike ${quoteText(side, 40)}`
  return words.length <= SYNONYM_LIMITS.words
    ? words
    : `expected at most ${SYNONYM_LIMITS.words} words per side`
}

function add(found: Map<string, (readonly string[])[]>, key: string, other: readonly string[]): void {
  const others = found.get(key) ?? []
  if (others.length >= SYNONYM_LIMITS.others || others.some(one => one.join(' ') === other.join(' '))) return
  found.set(key, [...others, other])
}
