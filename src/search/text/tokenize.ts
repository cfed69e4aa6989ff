// Text to words. A word is a run of letters, digits and marks, folded; each takes one position, so that phrases and
// proximity count words as a reader does: `file-system` is two words, `GitHub` is one. Identifiers add more tokens at the
// position of their first word: the parts of `getUserName`, and `file-system` or `read_file.py` as written. In scripts without spaces
// each character is a word, and with the one after it a pair.
// Changing what is emitted, what is taken from an item (`document.ts`) or shown of it (`preview.ts`) changes every index:
// raise ANALYSIS_VERSION with it.
import { hasLetterOrDigit } from '../../base/index.ts'
import { ASCII, characterAt, isInWord, isUnspaced, OTHER, UPPER } from './characters.ts'
import { CompoundTracker } from './compounds.ts'
import { foldWord } from './fold.ts'
import { camelParts, cutWord, MAX_WORD, splitUnspaced } from './split-word.ts'

export const ANALYSIS_VERSION = 6

/** Raise with every change of tokens, stop words or stems of ASCII text. The built-in model has rows for such words of one version, and is off with others. */
export const WORDS_VERSION = 4

/** `word`: as written; `part`: a piece of a camelCase word; `compound`: words with their joints, `thread_directive`; `pair`: two
 * characters of a script without spaces, the first of which has the position. */
export type TokenKind = 'word' | 'part' | 'compound' | 'pair'

export type TokenVisitor = (text: string, position: number, kind: TokenKind) => void

/** A word that needs no folding, as most do: it can be looked up in its text, without making a string of it. */
export interface PlainWord {
  start: number
  end: number
  /** Of its letters: equal words have equal hashes. */
  hash: number
}

export interface TokenSink {
  /** The object is reused for the next word. */
  plain(word: Readonly<PlainWord>, position: number): void
  token(token: string, position: number, kind: TokenKind): void
}

/** Visits every token of a text; positions begin at `from`. Returns the position after the last word. */
export function visitTokens(text: string, visit: TokenVisitor, from = 0): number {
  const plain: TokenSink['plain'] = ({ start, end }, position) =>
    visit(text.slice(start, end), position, 'word')
  return scanTokens(text, { plain, token: visit }, from)
}

/** The same without making a string of every word. */
export function scanTokens(text: string, sink: TokenSink, from = 0): number {
  const compounds = new CompoundTracker(text, (compound, position) =>
    sink.token(compound, position, 'compound'),
  )
  const plain: PlainWord = { start: 0, end: 0, hash: 0 }
  let position = from
  let at = 0
  while (at < text.length) {
    const start = at
    const code = text.charCodeAt(at)
    if (code < 128 ? ASCII[code] === OTHER : !hasLetterOrDigit(characterAt(text, at))) {
      at += code < 128 ? 1 : characterAt(text, at).length
      continue
    }
    if (readPlain(text, start, plain)) {
      at = plain.end
      compounds.add(start, at, position)
      sink.plain(plain, position++)
      continue
    }
    const run = readRun(text, start)
    at = run.end
    if (run.hasUnspaced) {
      compounds.flush()
      position = emitUnspaced(foldWord(text.slice(start, at)), sink, position)
      continue
    }
    compounds.add(start, at, position)
    sink.token(foldRun(text, start, run), position, 'word')
    if (run.mayBeCamel) {
      for (const part of camelParts(text.slice(start, at), run.isAscii)) sink.token(part, position, 'part')
    }
    position++
  }
  compounds.flush()
  return position
}

function emitUnspaced(run: string, sink: TokenSink, from: number): number {
  const units = splitUnspaced(run)
  units.forEach(({ text, isUnspaced: isOwn }, at) => {
    sink.token(text, from + at, 'word')
    const next = units[at + 1]
    if (isOwn && next?.isUnspaced) sink.token(cutWord(text + next.text), from + at, 'pair')
  })
  return from + units.length
}

/** Reads a word of ASCII digits and lower-case letters; false when it has other characters or is too long. */
function readPlain(text: string, start: number, word: PlainWord): boolean {
  let hash = 0
  let end = start
  while (end < text.length) {
    const code = text.charCodeAt(end)
    const kind = code < 128 ? ASCII[code] : UPPER
    if (kind === OTHER) break
    if (kind === UPPER) return false
    hash = Math.imul(hash ^ code, 0x9e3779b1)
    end++
  }
  word.start = start
  word.end = end
  word.hash = hash
  return end - start <= MAX_WORD
}

interface Run {
  readonly end: number
  readonly isFolded: boolean
  readonly isAscii: boolean
  readonly mayBeCamel: boolean
  readonly hasUnspaced: boolean
}

function readRun(text: string, start: number): Run {
  let end = start
  let isFolded = true
  let isAscii = true
  let mayBeCamel = false
  let hasUnspaced = false
  while (end < text.length) {
    const code = text.charCodeAt(end)
    if (code < 128) {
      const kind = ASCII[code]
      if (kind === OTHER) break
      if (kind === UPPER) {
        isFolded = false
        if (end > start) mayBeCamel = true
      }
      end++
      continue
    }
    const character = characterAt(text, end)
    if (!isInWord(character)) break
    if (isUnspaced(character)) hasUnspaced = true
    isFolded = false
    isAscii = false
    mayBeCamel = true
    end += character.length
  }
  return { end, isFolded, isAscii, mayBeCamel, hasUnspaced }
}

function foldRun(text: string, start: number, run: Run): string {
  const written = text.slice(start, run.end)
  const word = run.isFolded ? written : run.isAscii ? written.toLowerCase() : foldWord(written)
  return cutWord(word)
}
