// Decides whether AND, OR and NOT are operators, or words in capitals within a sentence: `make sure it does
// NOT restart`. Operators stand between operands of a word or two. A text is a sentence when it has longer
// runs of words, with words such as `the` among them, when it has punctuation or code, or when all of it is
// in capitals.
import type { Token } from './lexer.ts'

/**
 * A text with fewer words than this is a query. `wordsWithSentence` is for texts in which a run reads like a
 * sentence.
 */
const FEWEST = { words: 5, wordsWithSentence: 4 }
/**
 * This many words with no operator between them are a sentence; fewer are enough when one is a word such as
 * `the`.
 */
const LONG_RUN = 4
const SENTENCE_RUN = 3

const SENTENCE_WORDS = new Set(
  `an and are as at be because been but by can could did do does for from get had has have how if in into is it its just
  like me must my need not of on or our please should so than that the their them then there these they this those to us
  use want was we were what when where which while who why will with would you your`.split(/\s+/),
)

/**
 * `a,` or `done.` ends a part of a sentence. `deploy*?` does not match: a wildcard may end in a mark by
 * mistake.
 */
const PUNCTUATED = /[\p{L}\p{N}][,.;:!?]+$/u
/**
 * Found in code, JSON, commands and traces, but in no query: `==`, `{`, `=>`, `foo();`, `</a>`, `--flag`,
 * `|`.
 */
const CODE = /[{}[\]=<>;|`\\&$]|^--?[a-z]|::|^\/\/|\/>$/

const QUOTED = /"(?:[^"\\]|\\.)*"/gs
/** What comes before or after quotes in code: `["a"`, `path="a"`, `KeyError("release")`, `"error":`. */
const BEFORE_QUOTES = /(?:[{[=]|[\p{L}\p{N}_]\()$/u
const AFTER_QUOTES = /^[:}\]]/

/** Whether the quotes belong to code that someone pasted, rather than to phrases. */
export function quotesCode(text: string): boolean {
  return [...text.matchAll(QUOTED)].some(
    ({ index, 0: quoted }) =>
      BEFORE_QUOTES.test(text.slice(Math.max(0, index - 3), index)) ||
      AFTER_QUOTES.test(text.slice(index + quoted.length)),
  )
}

/** Whether a text is a sentence. It must have operators and parse as a query; `tokens` are all of it. */
export function isProse(text: string, tokens: readonly Token[]): boolean {
  const words = tokens.filter(token => token.kind === 'word').map(token => token.text)
  const runs = runsOf(tokens)
  if (words.length >= FEWEST.wordsWithSentence && runs.some(isSentence)) return true
  if (words.length < FEWEST.words) return false
  return (
    runs.some(run => run.length >= LONG_RUN) ||
    words.some(word => PUNCTUATED.test(word)) ||
    isInCapitals(words) ||
    text.split(/\s+/).some(piece => CODE.test(piece))
  )
}

/** Runs of words with nothing between them, not even a bracket. */
function runsOf(tokens: readonly Token[]): string[][] {
  const runs: string[][] = [[]]
  for (const { kind, text } of tokens) {
    if (kind === 'word') runs.at(-1)!.push(text)
    else runs.push([])
  }
  return runs
}

function isSentence(run: readonly string[]): boolean {
  return run.length >= SENTENCE_RUN && run.some(word => SENTENCE_WORDS.has(word.toLowerCase()))
}

function isInCapitals(words: readonly string[]): boolean {
  return words.every(word => word === word.toUpperCase()) && words.some(word => word !== word.toLowerCase())
}
