// The tokens of one text, in flat arrays: indexing reads millions, and calls a function for none of them. Nearly all are ASCII and stand in the
// text, in any case; they are looked up there, without making a string of each.
import { LOWERED } from './characters.ts'
import { MAX_WORD } from './split-word.ts'

/** `word`: as written; `part`: a piece of a camelCase word; `compound`: words with their joints, `thread_directive`; `pair`: two
 * characters of a script without spaces, the first of which has the position. */
export type TokenKind = 'word' | 'part' | 'compound' | 'pair'

export const WORD = 0
export const PART = 1
export const COMPOUND = 2
export const PAIR = 3
/** The names of these numbers. */
export const TOKEN_KINDS: readonly TokenKind[] = ['word', 'part', 'compound', 'pair']

export const HASH_FACTOR = 0x9e3779b1

/** Of ASCII text, in any case. Equal words have equal hashes. */
export function hashOf(text: string, start: number, end: number): number {
  const lowered = LOWERED
  let hash = 0
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ lowered[text.charCodeAt(at)]!, HASH_FACTOR)
  return hash
}

export class TokenList {
  size = 0
  positions = new Uint32Array(64)
  kinds = new Uint8Array(64)
  /** Where it begins in the text; -1 - number for one that is among the texts. */
  starts = new Int32Array(64)
  ends = new Int32Array(64)
  hashes = new Int32Array(64)
  /** Folded tokens that do not stand in the text as they are. */
  texts: string[] = []

  clear(): void {
    this.size = 0
    if (this.texts.length > 0) this.texts = []
  }

  textOf(index: number, text: string): string {
    const start = this.starts[index]!
    return start < 0 ? this.texts[-1 - start]! : text.slice(start, this.ends[index]).toLowerCase()
  }

  /** ASCII; a long one is cut. */
  addSpan(text: string, start: number, end: number, hash: number, position: number, kind: number): void {
    if (end - start > MAX_WORD) this.addPart(text, start, start + MAX_WORD, position, kind)
    else this.#add(start, end, hash, position, kind)
  }

  /** The same, where the hash is not known. */
  addPart(text: string, start: number, whole: number, position: number, kind: number): void {
    const end = Math.min(whole, start + MAX_WORD)
    this.#add(start, end, hashOf(text, start, end), position, kind)
  }

  addText(token: string, position: number, kind: number): void {
    this.#add(-this.texts.push(token), 0, 0, position, kind)
  }

  #add(start: number, end: number, hash: number, position: number, kind: number): void {
    const at = this.size++
    if (at === this.starts.length) this.#enlarge()
    this.starts[at] = start
    this.ends[at] = end
    this.hashes[at] = hash
    this.positions[at] = position
    this.kinds[at] = kind
  }

  #enlarge(): void {
    const { starts, ends, hashes, positions, kinds } = this
    const length = starts.length * 4
    this.starts = new Int32Array(length)
    this.ends = new Int32Array(length)
    this.hashes = new Int32Array(length)
    this.positions = new Uint32Array(length)
    this.kinds = new Uint8Array(length)
    this.starts.set(starts)
    this.ends.set(ends)
    this.hashes.set(hashes)
    this.positions.set(positions)
    this.kinds.set(kinds)
  }
}
