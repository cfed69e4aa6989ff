// Text to words. A word is a run of letters, digits and marks, folded; each takes one position, so that phrases and
// proximity count words as a reader does: `file-system` is two words, `GitHub` is one. Identifiers add more tokens at the
// position of their first word: the parts of `getUserName`, and `file-system` or `read_file.py` as written. In scripts without spaces
// each character is a word, and with the one after it a pair.
// Changing what is emitted, what is taken from an item (`document.ts`) or shown of it (`preview.ts`) changes every index:
// raise ANALYSIS_VERSION with it.
import { hasLetterOrDigit } from '../../base/index.ts'
import { ASCII, characterAt, FOLDED, isInWord, isUnspaced, OTHER, UPPER } from './characters.ts'
import { CompoundTracker } from './compounds.ts'
import { foldWord } from './fold.ts'
import { camelParts, cutWord, MAX_WORD, splitUnspaced, visitCamel } from './split-word.ts'

export const ANALYSIS_VERSION = 6

/** Raise with every change of tokens, stop words or stems of ASCII text. The built-in model has rows for such words of one version, and is off with others. */
export const WORDS_VERSION = 4

/** `word`: as written; `part`: a piece of a camelCase word; `compound`: words with their joints, `thread_directive`; `pair`: two
 * characters of a script without spaces, the first of which has the position. */
export type TokenKind = 'word' | 'part' | 'compound' | 'pair'

export type TokenVisitor = (text: string, position: number, kind: TokenKind) => void

/** A token in ASCII, as most are: it can be looked up without making a string of it. Letters of both cases are the same. */
export interface PlainToken {
  /** The text that it stands in. */
  readonly codes: Uint16Array
  start: number
  end: number
  /** Of its folded letters: equal tokens have equal hashes. */
  hash: number
}

export interface TokenSink {
  /** The object is reused for the next token. */
  plain(token: Readonly<PlainToken>, position: number, kind: TokenKind): void
  token(token: string, position: number, kind: TokenKind): void
}

/** Visits every token of a text; positions begin at `from`. Returns the position after the last word. */
export function visitTokens(text: string, visit: TokenVisitor, from = 0): number {
  const plain: TokenSink['plain'] = ({ start, end }, position, kind) =>
    visit(text.slice(start, end).toLowerCase(), position, kind)
  return scanTokens(text, { plain, token: visit }, from)
}

/** The same without making a string of every token. */
export function scanTokens(text: string, sink: TokenSink, from = 0): number {
  const codes = codesOf(text)
  const word: PlainWord = { codes, start: 0, end: 0, hash: 0, mayBeCamel: false }
  const inner: PlainToken = { codes, start: 0, end: 0, hash: 0 }
  const compounds = new CompoundTracker(codes, (start, end, position) => {
    if (hashPlain(start, end, inner)) sink.plain(inner, position, 'compound')
    else sink.token(foldWord(text.slice(start, end)), position, 'compound')
  })
  let position = from
  let at = 0
  while (at < codes.length) {
    const start = at
    const code = codes[at]!
    if (code < 128 ? ASCII[code] === OTHER : !hasLetterOrDigit(characterAt(text, at))) {
      at += code < 128 ? 1 : characterAt(text, at).length
      continue
    }
    if (readPlain(text, start, word)) {
      at = word.end
      compounds.add(start, at, position)
      sink.plain(word, position, 'word')
      if (word.mayBeCamel) {
        visitCamel(word, (partStart, partEnd) => {
          hashPlain(partStart, partEnd, inner)
          sink.plain(inner, position, 'part')
        })
      }
      position++
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
    const written = text.slice(start, at)
    sink.token(cutWord(foldWord(written)), position, 'word')
    for (const part of camelParts(written)) sink.token(part, position, 'part')
    position++
  }
  compounds.flush()
  return position
}

/** Reading a character of a text takes longer than reading a number. */
function codesOf(text: string): Uint16Array {
  const bytes = Buffer.from(text, 'utf16le')
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length)
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

const SMALL_S = 115

interface PlainWord extends PlainToken {
  mayBeCamel: boolean
}

/** Reads a word of ASCII letters and digits; false when it has other characters or is too long. */
function readPlain(text: string, start: number, word: PlainWord): boolean {
  const { codes } = word
  let hash = 0
  let capitals = 0
  let end = start
  while (end < codes.length) {
    const code = codes[end]!
    if (code > 127) {
      if (isInWord(characterAt(text, end))) return false
      break
    }
    const kind = ASCII[code]
    if (kind === OTHER) break
    if (kind === UPPER) capitals++
    hash = mixHash(hash, code)
    end++
  }
  word.start = start
  word.end = end
  word.hash = hash
  const others = end - start - capitals
  const isCapitalized = capitals === 1 && ASCII[codes[start]!] === UPPER
  // `APIs`, of which the parts are not `AP` and `Is`.
  const isPlural = others === 1 && codes[end - 1] === SMALL_S
  word.mayBeCamel = capitals > 0 && others > 0 && !isCapitalized && !isPlural
  return end - start <= MAX_WORD
}

/** The same of a token that was found; false when it has other characters than those of ASCII. */
function hashPlain(start: number, end: number, token: PlainToken): boolean {
  let hash = 0
  for (let at = start; at < end; at++) {
    const code = token.codes[at]!
    if (code > 127) return false
    hash = mixHash(hash, code)
  }
  token.start = start
  token.end = end
  token.hash = hash
  return true
}

function mixHash(hash: number, code: number): number {
  return Math.imul(hash ^ FOLDED[code]!, 0x9e3779b1)
}

interface Run {
  readonly end: number
  readonly hasUnspaced: boolean
}

function readRun(text: string, start: number): Run {
  let end = start
  let hasUnspaced = false
  while (end < text.length) {
    const code = text.charCodeAt(end)
    if (code < 128) {
      if (ASCII[code] === OTHER) break
      end++
      continue
    }
    const character = characterAt(text, end)
    if (!isInWord(character)) break
    if (isUnspaced(character)) hasUnspaced = true
    end += character.length
  }
  return { end, hasUnspaced }
}
