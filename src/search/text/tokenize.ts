// Text to words. A word is a run of letters, digits and marks, case-folded; each takes one position, so phrases and
// proximity count words as a reader does, whatever their case or joints (`file-system` is two words, `GitHub` is one).
// Identifiers add more tokens at the position of their first word: the parts of `getUserName`, and `file-system` or
// `read_file.py` as written. Changing what is emitted, what is taken from an item (`document.ts`) or shown of it
// (`preview.ts`) changes every index: raise ANALYSIS_VERSION with it.
import { hasLetterOrDigit, lazy } from '../../base/index.ts'

export const ANALYSIS_VERSION = 4

/** `word`: as written; `part`: a piece of a camelCase word; `compound`: words with their joints, `thread_directive`. */
export type TokenKind = 'word' | 'part' | 'compound'

export type TokenVisitor = (text: string, position: number, kind: TokenKind) => void

/** A word that stands in its text just as it is indexed. Most do, and need not be cut out of it to be known. */
export interface PlainWord {
  start: number
  end: number
  /** Of its letters: equal words have equal ones. */
  hash: number
}

/** Takes the tokens of a text as they are found. */
export interface TokenSink {
  /** The word is only lent. */
  plain(word: Readonly<PlainWord>, position: number): void
  token(token: string, position: number, kind: TokenKind): void
}

/** Longer words are cut: nobody types them, and base64 text would fill the dictionary. */
const MAX_WORD = 64

// Made when a text first needs them: `hasLetterOrDigit` says why.
const mark = lazy(() => /\p{M}/u)
/** Scripts written without spaces: each character is a word, so that a word is found as a phrase of its characters. */
const unspacedScript = lazy(
  () =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u,
)
const camelBoundary = lazy(() => /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
/** `APIs`, `URLs`: a plural, not `AP` and `Is`. */
const pluralAcronym = lazy(() => /^\p{Lu}{2,}s$/u)
const ASCII_PLURAL_ACRONYM = /^[A-Z]{2,}s$/

const OTHER = 0
const LOWER = 1
const UPPER = 2
const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) return LOWER
  return code >= 65 && code <= 90 ? UPPER : OTHER
})

/** Visits every token of a text; positions begin at `from`. Returns the position after the last word. */
export function visitTokens(text: string, visit: TokenVisitor, from = 0): number {
  const plain: TokenSink['plain'] = ({ start, end }, position) =>
    visit(text.slice(start, end), position, 'word')
  return scanTokens(text, { plain, token: visit }, from)
}

/** The same without making a string of every word. */
export function scanTokens(text: string, sink: TokenSink, from = 0): number {
  const compounds = new CompoundTracker(text, sink)
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
    if (run.unspaced) {
      compounds.flush()
      for (const word of splitUnspaced(text.slice(start, at))) sink.token(word, position++, 'word')
      continue
    }
    compounds.add(start, at, position)
    sink.token(foldWord(text, start, run), position, 'word')
    if (run.camel) {
      for (const part of camelParts(text.slice(start, at), run.ascii)) sink.token(part, position, 'part')
    }
    position++
  }
  compounds.flush()
  return position
}

/** One spelling for all spellings of a name: `readFile`, `read_file` and `Read file` are `read file`. */
export function nameKey(name: string): string {
  const words: string[] = []
  let camel = false
  visitTokens(name, (token, _position, kind) => {
    if (kind === 'compound') return
    // The parts of a word come right after it, and stand for it.
    if (kind === 'part' && !camel) words.pop()
    camel = kind === 'part'
    words.push(token)
  })
  return words.join(' ')
}

/** Case-folds a pattern the way words are folded. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** Whether a character can stand in a word; one begins with a letter or a digit. */
export function isInWord(character: string): boolean {
  return hasLetterOrDigit(character) || mark().test(character)
}

/** Reads a word of lower letters and digits of ASCII, if it is one to its end and not too long. */
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
  readonly folded: boolean
  readonly ascii: boolean
  readonly camel: boolean
  readonly unspaced: boolean
}

function readRun(text: string, start: number): Run {
  let end = start
  let folded = true
  let ascii = true
  let camel = false
  let unspaced = false
  while (end < text.length) {
    const code = text.charCodeAt(end)
    if (code < 128) {
      const kind = ASCII[code]
      if (kind === OTHER) break
      if (kind === UPPER) {
        folded = false
        if (end > start) camel = true
      }
      end++
      continue
    }
    const character = characterAt(text, end)
    if (!isInWord(character)) break
    if (unspacedScript().test(character)) unspaced = true
    folded = false
    ascii = false
    camel = true
    end += character.length
  }
  return { end, folded, ascii, camel, unspaced }
}

function foldWord(text: string, start: number, run: Run): string {
  const written = text.slice(start, run.end)
  const word = run.folded ? written : run.ascii ? written.toLowerCase() : foldCase(written)
  return cut(word)
}

function camelParts(written: string, ascii: boolean): string[] {
  if ((ascii ? ASCII_PLURAL_ACRONYM : pluralAcronym()).test(written)) return []
  const parts = ascii ? splitCamel(written) : written.split(camelBoundary())
  return parts.length === 1 ? [] : parts.map(part => cut(ascii ? part.toLowerCase() : foldCase(part)))
}

/** What `camelBoundary` does, for ASCII and ten times as fast: before an upper letter that follows a lower one or a digit,
 * or that a lower letter follows. */
function splitCamel(written: string): string[] {
  const parts: string[] = []
  let start = 0
  for (let at = 1; at < written.length; at++) {
    if (ASCII[written.charCodeAt(at)] !== UPPER) continue
    const followed = written.charCodeAt(at + 1)
    if (ASCII[written.charCodeAt(at - 1)] === UPPER && !(followed >= 97 && followed <= 122)) continue
    parts.push(written.slice(start, at))
    start = at
  }
  parts.push(written.slice(start))
  return parts
}

/** Splits a run that holds unspaced scripts: their characters one by one, the rest in runs. */
function splitUnspaced(run: string): string[] {
  const words: string[] = []
  let rest = ''
  for (const character of run) {
    if (!unspacedScript().test(character)) {
      rest += character
      continue
    }
    if (rest !== '') words.push(cut(foldCase(rest)))
    rest = ''
    words.push(character)
  }
  if (rest !== '') words.push(cut(foldCase(rest)))
  return words
}

function cut(word: string): string {
  return word.length <= MAX_WORD ? word : word.slice(0, MAX_WORD)
}

/** The character at an offset; a lone surrogate is itself. */
function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at)!)
}

/** Follows words joined by single `_`, `-` or `.`, and emits `a_b` and `a_b.c` as written when they end. */
class CompoundTracker {
  readonly #text: string
  readonly #sink: TokenSink
  #innerStart = -1
  #innerPosition = 0
  #innerWords = 0
  #outerStart = -1
  #outerPosition = 0
  #dotted = false
  #end = -1

  constructor(text: string, sink: TokenSink) {
    this.#text = text
    this.#sink = sink
  }

  add(start: number, end: number, position: number): void {
    const joint = this.#end !== -1 && start - this.#end === 1 ? this.#text.charCodeAt(this.#end) : 0
    const joins = joint === 95 || joint === 45
    if (joint === 46) {
      this.#flushInner()
      this.#dotted = true
    } else if (!joins) this.flush()
    if (this.#outerStart === -1) {
      this.#outerStart = start
      this.#outerPosition = position
    }
    if (this.#innerStart === -1) {
      this.#innerStart = start
      this.#innerPosition = position
    }
    this.#innerWords++
    this.#end = end
  }

  flush(): void {
    if (this.#end === -1) return
    this.#flushInner()
    if (this.#dotted) this.#emit(this.#outerStart, this.#outerPosition)
    this.#outerStart = -1
    this.#dotted = false
    this.#end = -1
  }

  #flushInner(): void {
    if (this.#innerWords > 1) this.#emit(this.#innerStart, this.#innerPosition)
    this.#innerStart = -1
    this.#innerWords = 0
  }

  #emit(start: number, position: number): void {
    if (this.#end - start <= MAX_WORD)
      this.#sink.token(foldCase(this.#text.slice(start, this.#end)), position, 'compound')
  }
}
