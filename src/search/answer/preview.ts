// A few words of the body around the match, for a reader and for a model: one line, bounded, nothing hidden in it.
import { escapeHidden, hasLetterOrDigit } from '../../base/index.ts'
import { popCount } from '../match/doc-set.ts'
import { MAX_TEXT } from '../match/place.ts'
import { foldCase, isInWord } from '../text/tokenize.ts'

const PREVIEW_LENGTH = 240
/** What stands before the match takes no more of it. */
const LEAD = PREVIEW_LENGTH / 3
const MAX_WORDS = 16
const MAX_HITS = 32
/** A word that stands inside of so many others is not looked for any further. */
const MAX_TRIES = 20_000
/** Words that begin this close to each other are shown together. */
const TOGETHER = PREVIEW_LENGTH / 2

/** Letters and digits among the characters that are asked of nearly always. */
const IS_WORD = Array.from({ length: 128 }, (_, code) => /[0-9A-Za-z]/.test(String.fromCharCode(code)))
const SIGNATURE_LINE = /(?:rye|kiwi-mcp):(?:signed|validated|unsigned)\b/

/**
 * The text that previews are cut from: what an item says, without lines that are signatures, in the form in which words are
 * indexed. It is kept: see ANALYSIS_VERSION.
 */
export function previewSource(text: string): string {
  const composed = text.slice(0, MAX_TEXT).normalize('NFC')
  if (!SIGNATURE_LINE.test(composed)) return composed
  return composed
    .split('\n')
    .filter(line => !SIGNATURE_LINE.test(line))
    .join('\n')
}

/** The part of the text that has the most of the words, or its beginning. A word with spaces in it is a phrase. */
export function previewAround(source: string, words: readonly string[]): string {
  const best = bestPlace(source, words.slice(0, MAX_WORDS))
  const from = startBefore(source, best)
  const end = from + PREVIEW_LENGTH * 2
  const piece = source.slice(from, isSecondHalf(source.charCodeAt(end)) ? end - 1 : end)
  const line = visibleLine(piece)
  const cut = cutAt(line, PREVIEW_LENGTH)
  const ends = cut.length === line.length && from + piece.length >= source.trimEnd().length
  return `${from > 0 ? '… ' : ''}${cut}${ends ? '' : ' …'}`
}

/** White space that is not one space alone. */
const UNEVEN = /[^\S ]\s*| \s+/g

function visibleLine(piece: string): string {
  return escapeHidden(piece.replace(UNEVEN, ' ').trim(), { oneLine: true })
}

/** Where a preview begins that shows a place. Escapes may be so long that nothing else fits before it. */
function startBefore(source: string, place: number): number {
  const start = place < LEAD ? 0 : snapForward(source, place - PREVIEW_LENGTH / 4)
  return visibleLine(source.slice(start, place)).length > LEAD ? place : start
}

function bestPlace(source: string, words: readonly string[]): number {
  const text = fold(source)
  const sought = words.flatMap(word => seek(text, fold(foldCase(word)).split(' '))).slice(0, MAX_WORDS)
  let best = firstTogether(text, sought) ?? mostTogether(text, sought)
  // The one character that grows when it is folded, by one: offsets behind it are of the folded text.
  for (let at = source.indexOf('İ'); at !== -1 && at < best; at = source.indexOf('İ', at + 1)) best--
  return best
}

/** Folded alone a word may end in another sigma than in its text. */
function fold(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}

/** A word, or words one after another. */
type Sought = readonly string[]

/** A phrase may be found where its words are parts of identifiers: they are then looked for one by one. */
function seek(text: string, phrase: Sought): Sought[] {
  return phrase.length === 1 || findFirst(text, phrase) !== -1 ? [phrase] : phrase.map(word => [word])
}

/** Where the first of the words stands, if all that occur do so close to it: no other place can have more of them. */
function firstTogether(text: string, words: readonly Sought[]): number | undefined {
  let first = text.length
  let last = 0
  for (const word of words) {
    const offset = findFirst(text, word)
    if (offset === -1) continue
    first = Math.min(first, offset)
    last = Math.max(last, offset)
  }
  return last - first < TOGETHER ? Math.min(first, last) : undefined
}

/** Where the place begins that has the most of the words. */
function mostTogether(text: string, words: readonly Sought[]): number {
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
      next < hits.length && hits[next]!.offset - hits[first]!.offset < TOGETHER;
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
    at = find(text, sought, { from: at + sought[0]!.length, isEnd: isWordEnd })
  }
  return found
}

/**
 * Parts of identifiers stand inside words, `user` in `getUserName`, and scripts without spaces have no ends of words: where the
 * words never stand alone, that is the place.
 */
function findFirst(text: string, sought: Sought): number {
  const from = text.indexOf(sought[0]!)
  if (from === -1) return -1
  const alone = find(text, sought, { from, isEnd: isWordEnd })
  return alone === -1 ? find(text, sought, { from, isEnd: () => true }) : alone
}

interface FindOptions {
  readonly from: number
  /** Whether a word may begin or end between two characters, the second of which stands at the offset. */
  readonly isEnd: (text: string, at: number) => boolean
}

/** Where the words stand one after another, with nothing between them that is part of a word. */
function find(text: string, [first = '', ...others]: Sought, { from, isEnd }: FindOptions): number {
  if (first === '') return -1
  let at = text.indexOf(first, from)
  for (let tries = 0; at !== -1 && tries < MAX_TRIES; tries++) {
    let end = at + first.length
    if (isEnd(text, at) && isEnd(text, end)) {
      const follows = others.slice(0, MAX_WORDS).every(word => {
        end = nextWord(text, end)
        const isNext = text.startsWith(word, end)
        end += word.length
        return isNext && isEnd(text, end)
      })
      if (follows) return at
    }
    at = text.indexOf(first, at + first.length)
  }
  return -1
}

function isWordEnd(text: string, at: number): boolean {
  return !(isPartOf(text, at - 1, isInWord) && isPartOf(text, at, isInWord))
}

const ASCII_GAP = /[^0-9A-Za-z\x80-\uffff]+/y

/** Where the next word begins, or the end. */
function nextWord(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    ASCII_GAP.lastIndex = at
    if (ASCII_GAP.test(text)) at = ASCII_GAP.lastIndex
    if (isPartOf(text, at, hasLetterOrDigit)) return at
  }
  return text.length
}

function isPartOf(text: string, at: number, isPart: (character: string) => boolean): boolean {
  const code = text.charCodeAt(at)
  if (code < 128) return IS_WORD[code]!
  if (at < 0 || at >= text.length) return false
  return isPart(String.fromCodePoint(text.codePointAt(isSecondHalf(code) ? Math.max(0, at - 1) : at)!))
}

/** Of a character that takes two units. */
function isSecondHalf(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

function snapForward(source: string, start: number): number {
  const space = source.slice(start, start + PREVIEW_LENGTH / 4).search(/\s/)
  if (space !== -1) return start + space + 1
  return isSecondHalf(source.charCodeAt(start)) ? start + 1 : start
}

/** Cuts at a space where there is one near, and never through an escape or a surrogate pair. */
function cutAt(line: string, length: number): string {
  if (line.length <= length) return line
  const space = line.lastIndexOf(' ', length)
  const end = space > length / 2 ? space : length
  return line
    .slice(0, end)
    .replace(/\\(?:u(?:\{[0-9a-f]{0,6})?)?$/, '')
    .replace(/[\uD800-\uDBFF]$/, '')
}
