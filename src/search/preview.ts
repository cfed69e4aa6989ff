// A few words of the body around the match, for a reader and for a model: one line, bounded, nothing hidden in it.
import { escapeHidden, hasLetterOrDigit } from '../base/index.ts'
import { popCount } from './doc-set.ts'
import { withoutMetadata } from './metadata-lines.ts'

const PREVIEW_LENGTH = 240
/** How much of a body is searched for the best place. */
const SCANNED = 100_000
const MAX_WORDS = 16
const MAX_HITS = 32
/** Words that begin this close to each other are shown together. */
const TOGETHER = PREVIEW_LENGTH / 2

/** Letters and digits among the characters that are asked of nearly always. */
const IS_WORD = Array.from({ length: 128 }, (_, code) => /[0-9A-Za-z]/.test(String.fromCharCode(code)))
const SIGNATURE_LINE = /(?:rye|kiwi-mcp):(?:signed|validated|unsigned)\b/
/** What metadata cannot be written without. */
const MAY_HOLD_METADATA = /__|CONFIG|tags|keywords/

/** The text that previews are cut from: a body without lines that are signatures or metadata. It is kept: see ANALYSIS_VERSION. */
export function previewSource(body: string): string {
  const scanned = body.slice(0, SCANNED)
  if (!MAY_HOLD_METADATA.test(scanned) && !SIGNATURE_LINE.test(scanned)) return scanned
  const lines = scanned.split('\n')
  const kept = withoutMetadata(lines.filter(line => !SIGNATURE_LINE.test(line)))
  return kept.length === lines.length ? scanned : kept.join('\n')
}

/** The part of the text that has the most of the words, or its beginning. */
export function previewAround(source: string, words: readonly string[]): string {
  const start = bestStart(source, words.slice(0, MAX_WORDS))
  const from = start === 0 ? 0 : snapForward(source, start)
  const piece = source.slice(from, from + PREVIEW_LENGTH * 2)
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

function bestStart(source: string, words: readonly string[]): number {
  const lower = source.toLowerCase()
  // A few characters change their length when folded; offsets would then be wrong.
  const text = lower.length === source.length ? lower : source
  const best = firstTogether(text, words) ?? mostTogether(text, words)
  return best < PREVIEW_LENGTH / 3 ? 0 : best - Math.floor(PREVIEW_LENGTH / 4)
}

/** Where the first of the words stands, if all that occur do so close to it: no other place can have more of them. */
function firstTogether(text: string, words: readonly string[]): number | undefined {
  let first = text.length
  let last = 0
  for (const word of words) {
    const offset = findWord(text, word)
    if (offset === -1) continue
    first = Math.min(first, offset)
    last = Math.max(last, offset)
  }
  return last - first < TOGETHER ? Math.min(first, last) : undefined
}

/** Where the place begins that has the most of the words. */
function mostTogether(text: string, words: readonly string[]): number {
  const hits = words.flatMap((word, index) =>
    findWords(text, word).map(offset => ({ offset, bit: 1 << index })),
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

function findWords(text: string, word: string): number[] {
  const found: number[] = []
  let at = findWord(text, word)
  while (at !== -1 && found.length < MAX_HITS) {
    found.push(at)
    at = findWholeWord(text, word, at + word.length)
  }
  return found
}

/** Parts of identifiers stand inside words, `user` in `getUserName`: where the word never stands alone, that is the place. */
function findWord(text: string, word: string): number {
  const whole = findWholeWord(text, word, 0)
  return whole === -1 && word !== '' ? text.indexOf(word) : whole
}

function findWholeWord(text: string, word: string, from: number): number {
  if (word === '') return -1
  let at = text.indexOf(word, from)
  while (at !== -1 && (isWordCharacter(text, at - 1) || isWordCharacter(text, at + word.length)))
    at = text.indexOf(word, at + word.length)
  return at
}

function isWordCharacter(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 128) return IS_WORD[code]!
  return at >= 0 && at < text.length && hasLetterOrDigit(text[at]!)
}

function snapForward(source: string, start: number): number {
  const space = source.slice(start, start + PREVIEW_LENGTH / 4).search(/\s/)
  return space === -1 ? start : start + space + 1
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
