// A few words of the text around the match, for people and models: one line, bounded, with hidden characters
// escaped.
import { escapeHidden } from '../../base/index.ts'
import { MAX_TEXT } from '../match/postings/place.ts'
import { findBestPlace, isLowSurrogate } from './find-words.ts'

const PREVIEW_LENGTH = 160
/** Room for the ellipses before and after it. */
const MARKS = 4
/** How much of it may come before the match. */
const LEAD = PREVIEW_LENGTH / 3
/** Words that begin this close to each other are shown together. */
const TOGETHER = PREVIEW_LENGTH / 2

const SIGNATURE_LINE = /(?:rye|kiwi-mcp):(?:signed|validated|unsigned)\b/

/**
 * The text for previews: without signature lines, and normalised as words are. It is stored, so a change to
 * it needs a new ANALYSIS_VERSION.
 */
export function previewSource(text: string): string {
  const composed = text.slice(0, MAX_TEXT).normalize('NFC')
  if (!SIGNATURE_LINE.test(composed)) return composed
  return composed
    .split('\n')
    .filter(line => !SIGNATURE_LINE.test(line))
    .join('\n')
}

/** A preview that says more than the description beside it; empty if it would not. */
export function previewBeside(description: string, source: string, words: readonly string[]): string {
  const preview = previewAround(source, words)
  return repeats(preview, description) ? '' : preview
}

/** Whether most words of a text are words of the other one. */
function repeats(text: string, other: string): boolean {
  const said = new Set(other.toLowerCase().match(WORDS))
  const words = text.toLowerCase().match(WORDS) ?? []
  return words.filter(word => !said.has(word)).length <= words.length * NEW_WORDS
}

// Without Unicode classes, which take milliseconds to compile.
const WORDS = /[^\s!-/:-@[-`{-~]+/g
/** The share of new words that makes a preview worth its room. */
const NEW_WORDS = 0.3

/** The part of the text with most of the words, or its beginning. A word with spaces in it is a phrase. */
export function previewAround(source: string, words: readonly string[]): string {
  const from = startBefore(source, findBestPlace(source, words, TOGETHER))
  const end = from + PREVIEW_LENGTH * 2
  const piece = source.slice(from, isLowSurrogate(source.charCodeAt(end)) ? end - 1 : end)
  const line = visibleLine(piece)
  const cut = cutAt(line, PREVIEW_LENGTH - MARKS)
  const ends = cut.length === line.length && from + piece.length >= source.trimEnd().length
  return `${from > 0 ? '… ' : ''}${cut}${ends ? '' : ' …'}`
}

/** White space other than a single space. */
const UNEVEN = /[^\S ]\s*| \s+/g

function visibleLine(piece: string): string {
  return escapeHidden(piece.replace(UNEVEN, ' ').trim(), { oneLine: true })
}

/**
 * Where a preview of a place begins. It begins at the place itself when the text before it is long once
 * escaped.
 */
function startBefore(source: string, place: number): number {
  const start = place < LEAD ? 0 : snapForward(source, place - PREVIEW_LENGTH / 4)
  return visibleLine(source.slice(start, place)).length > LEAD ? place : start
}

function snapForward(source: string, start: number): number {
  const space = source.slice(start, start + PREVIEW_LENGTH / 4).search(/\s/)
  if (space !== -1) return start + space + 1
  return isLowSurrogate(source.charCodeAt(start)) ? start + 1 : start
}

/** Cuts at a space if there is one nearby, and never inside an escape or a surrogate pair. */
function cutAt(line: string, length: number): string {
  if (line.length <= length) return line
  const space = line.lastIndexOf(' ', length)
  const end = space > length / 2 ? space : length
  return line
    .slice(0, end)
    .replace(/\\(?:u(?:\{[0-9a-f]{0,6})?)?$/, '')
    .replace(/[\uD800-\uDBFF]$/, '')
}
