// Finds words in a text: the place to show in a preview.
import { popCount } from '../match/bits.ts'
import { FOLDED, isInWord, isLetterOrDigit } from '../text/characters.ts'
import { foldInPlace, foldWord } from '../text/fold.ts'

const MAX_WORDS = 16
const MAX_HITS = 32
/** After this many occurrences inside other words, a word is given up. */
const MAX_TRIES = 20_000

/** The offset where most of the words begin within `distance` of each other; 0 when there are none. */
export function findBestPlace(source: string, words: readonly string[], distance: number): number {
  const text = foldInPlace(source)
  const sought = words
    .slice(0, MAX_WORDS)
    .flatMap(word => splitIfAbsent(text, foldWord(word).split(' ')))
    .slice(0, MAX_WORDS)
  return firstTogether(text, sought, distance) ?? mostTogether(text, sought, distance)
}

/** A word, or consecutive words. */
type Sought = readonly string[]

/** A phrase may have matched parts of identifiers: its words are then looked for one by one. */
function splitIfAbsent(text: string, phrase: Sought): Sought[] {
  return phrase.length === 1 || findFirst(text, phrase) !== -1 ? [phrase] : phrase.map(word => [word])
}

/**
 * The first occurrence of any word, if all words that occur are close to it: no other place can have more of
 * them.
 */
function firstTogether(text: string, words: readonly Sought[], distance: number): number | undefined {
  let first = text.length
  let last = 0
  for (const word of words) {
    const offset = findFirst(text, word)
    if (offset === -1) continue
    first = Math.min(first, offset)
    last = Math.max(last, offset)
  }
  return last - first < distance ? Math.min(first, last) : undefined
}

/** The first occurrence of the group that has most of the words. */
function mostTogether(text: string, words: readonly Sought[], distance: number): number {
  const hits = words.flatMap((word, index) =>
    findAll(text, word).map(offset => ({ offset, bit: 1 << index })),
  )
  hits.sort((a, b) => a.offset - b.offset)
  let best = 0
  let bestCount = 0
  for (let first = 0; first < hits.length; first++) {
    let seen = 0
    for (
      let next = first;
      next < hits.length && hits[next]!.offset - hits[first]!.offset < distance;
      next++
    ) {
      seen |= hits[next]!.bit
    }
    if (popCount(seen) > bestCount) {
      bestCount = popCount(seen)
      best = hits[first]!.offset
    }
  }
  return best
}

function findAll(text: string, sought: Sought): number[] {
  const found: number[] = []
  let at = findFirst(text, sought)
  while (at !== -1 && found.length < MAX_HITS) {
    found.push(at)
    at = find(text, sought, { from: at + sought[0]!.length, isBoundary: isWordBoundary })
  }
  return found
}

/**
 * Whole words if there are any. Otherwise parts of words: `user` may have matched in `getUserName`, and
 * scripts without spaces have no word boundaries.
 */
function findFirst(text: string, sought: Sought): number {
  const from = text.indexOf(sought[0]!)
  if (from === -1) return -1
  const whole = find(text, sought, { from, isBoundary: isWordBoundary })
  return whole === -1 ? find(text, sought, { from, isBoundary: () => true }) : whole
}

interface FindOptions {
  readonly from: number
  /** Whether a word may begin or end at an offset. */
  readonly isBoundary: (text: string, at: number) => boolean
}

/** The first place where the words follow each other, with no part of a word between them. */
function find(text: string, [first = '', ...others]: Sought, { from, isBoundary }: FindOptions): number {
  if (first === '') return -1
  let at = text.indexOf(first, from)
  for (let tries = 0; at !== -1 && tries < MAX_TRIES; tries++) {
    let end = at + first.length
    if (isBoundary(text, at) && isBoundary(text, end)) {
      const follows = others.slice(0, MAX_WORDS).every(word => {
        end = nextWord(text, end)
        const isNext = text.startsWith(word, end)
        end += word.length
        return isNext && isBoundary(text, end)
      })
      if (follows) return at
    }
    at = text.indexOf(first, at + first.length)
  }
  return -1
}

function isWordBoundary(text: string, at: number): boolean {
  return !(isAt(text, at - 1, isInWord) && isAt(text, at, isInWord))
}

const ASCII_GAP = /[^0-9A-Za-z\x80-\uffff]+/y

/** Where the next word begins, or the end of the text. */
function nextWord(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    ASCII_GAP.lastIndex = at
    if (ASCII_GAP.test(text)) at = ASCII_GAP.lastIndex
    if (isAt(text, at, isLetterOrDigit)) return at
  }
  return text.length
}

/** Whether the character at an offset, which may be the second half of a surrogate pair, passes a test. */
function isAt(text: string, at: number, test: (codePoint: number) => boolean): boolean {
  const code = text.charCodeAt(at)
  if (code < 128) return FOLDED[code] !== 0
  if (at < 0 || at >= text.length) return false
  return test(text.codePointAt(isLowSurrogate(code) ? Math.max(0, at - 1) : at)!)
}

export function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
