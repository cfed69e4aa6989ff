// Text to words. A word is a run of letters, digits and marks, folded; each takes one position, so that phrases and
// proximity count words as a reader does: `file-system` is two words, `GitHub` is one. Identifiers add more tokens at the
// position of their first word: the parts of `getUserName`, and `file-system` or `read_file.py` as written. In scripts without spaces
// each character is a word, and with the one after it a pair.
// Changing what is emitted, what is taken from an item (`document.ts`) or shown of it (`preview.ts`) changes every index:
// raise ANALYSIS_VERSION with it.
import { beginsWord, characterAt, isInWordAt, isUnspaced, WORD_LETTERS } from './characters.ts'
import { CompoundTracker, isJoint } from './compounds.ts'
import { foldWord } from './fold.ts'
import { camelParts, cutWord, splitUnspaced, visitCamelEnds } from './split-word.ts'
import { HASH_FACTOR, PAIR, PART, TOKEN_KINDS, type TokenKind, TokenList, WORD } from './token-list.ts'

export const ANALYSIS_VERSION = 6

/** Raise with every change of tokens, stop words or stems of ASCII text. The built-in model has rows for such words of one version, and is off with others. */
export const WORDS_VERSION = 4

export type { TokenKind }

export type TokenVisitor = (text: string, position: number, kind: TokenKind) => void

/** Visits every token of a text; positions begin at `from`. Returns the position after the last word. */
export function visitTokens(text: string, visit: TokenVisitor, from = 0): number {
  const tokens = new TokenList()
  const end = readTokens(text, tokens, from)
  for (let index = 0; index < tokens.size; index++)
    visit(tokens.textOf(index, text), tokens.positions[index]!, TOKEN_KINDS[tokens.kinds[index]!]!)
  return end
}

/** The same as a list, without making a string of every word. */
export function readTokens(text: string, tokens: TokenList, from = 0): number {
  tokens.clear()
  const compounds = new CompoundTracker(text, tokens)
  // A variable is read faster than what another file exports.
  const letters = WORD_LETTERS
  const { length } = text
  let position = from
  let at = 0
  while (at < length) {
    const start = at
    const code = text.charCodeAt(at)
    if (code < 128 ? letters[code] === 0 : !beginsWord(text, at)) {
      at += code < 0xd800 ? 1 : characterAt(text, at).length
      continue
    }
    let hash = 0
    let hasInnerUpper = false
    let end = start
    for (; end < length; end++) {
      const letter = text.charCodeAt(end)
      const lower = letter < 128 ? letters[letter]! : 0
      if (lower === 0) break
      if (lower !== letter && end > start) hasInnerUpper = true
      hash = Math.imul(hash ^ lower, HASH_FACTOR)
    }
    // Not asked beyond the end, which would make every other question slow.
    const after = end < length ? text.charCodeAt(end) : 0
    if (after >= 128 && isInWordAt(text, end)) {
      const run = readRun(text, start)
      at = run.end
      if (run.hasUnspaced) {
        compounds.flush()
        position = addUnspaced(foldWord(text.slice(start, at)), tokens, position)
        continue
      }
      compounds.add(start, at, position, false)
      addFolded(text.slice(start, at), tokens, position)
    } else {
      at = end
      if (compounds.isOpen || isJoint(after)) compounds.add(start, end, position, true)
      tokens.addSpan(text, start, end, hash, position, WORD)
      if (hasInnerUpper) addCamelParts(text, tokens, start, end, position)
    }
    position++
  }
  compounds.flush()
  return position
}

function addFolded(written: string, tokens: TokenList, position: number): void {
  tokens.addText(cutWord(foldWord(written)), position, WORD)
  for (const part of camelParts(written)) tokens.addText(part, position, PART)
}

function addCamelParts(text: string, tokens: TokenList, start: number, end: number, position: number): void {
  let from = start
  visitCamelEnds(text, start, end, to => {
    tokens.addPart(text, from, to, position, PART)
    from = to
  })
}

function addUnspaced(run: string, tokens: TokenList, from: number): number {
  const units = splitUnspaced(run)
  units.forEach(({ text, isUnspaced: isOwn }, at) => {
    tokens.addText(text, from + at, WORD)
    const next = units[at + 1]
    if (isOwn && next?.isUnspaced) tokens.addText(cutWord(text + next.text), from + at, PAIR)
  })
  return from + units.length
}

interface Run {
  readonly end: number
  readonly hasUnspaced: boolean
}

/** A word with characters outside of ASCII. */
function readRun(text: string, start: number): Run {
  let end = start
  let hasUnspaced = false
  while (end < text.length && isInWordAt(text, end)) {
    if (text.charCodeAt(end) < 128) {
      end++
      continue
    }
    const character = characterAt(text, end)
    if (isUnspaced(character)) hasUnspaced = true
    end += character.length
  }
  return { end, hasUnspaced }
}
