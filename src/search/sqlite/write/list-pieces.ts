// The list of a word is collected in pieces, each of some documents. Here they are found and joined.
import type { EncodedList } from '../../match/postings/encode-postings.ts'
import type { JoinedList } from '../short-lists.ts'

/**
 * The lists of some documents, in the order of the numbers of their words. Each ends where the next begins.
 */
export interface Run extends EncodedList {
  readonly words: Uint32Array
  readonly headEnds: Uint32Array
  readonly placeEnds: Uint32Array
}

/** Finds the pieces of a list in the runs, and puts them together. */
export class ListPieces {
  readonly #runs: readonly Run[]
  /** Where the pieces of each word begin in the two lists below. */
  readonly #starts: Uint32Array
  readonly #runOf: Uint16Array
  readonly #placeInRun: Uint32Array
  #bytes = new Uint8Array(1 << 16)

  constructor(runs: readonly Run[], words: number) {
    this.#runs = runs
    const starts = new Uint32Array(words + 2)
    // Counts are stored two places further, so that placing the pieces turns each entry into the place where
    // a word begins.
    for (const run of runs) for (const word of run.words) starts[word + 2]!++
    for (let word = 2; word < starts.length; word++) starts[word]! += starts[word - 1]!
    const count = starts.at(-1)!
    this.#starts = starts
    this.#runOf = new Uint16Array(count)
    this.#placeInRun = new Uint32Array(count)
    for (const [number, run] of runs.entries())
      for (let place = 0; place < run.words.length; place++) {
        const at = starts[run.words[place]! + 1]!++
        this.#runOf[at] = number
        this.#placeInRun[at] = place
      }
  }

  /** The bytes are reused for the next word. */
  join(word: number): JoinedList {
    const headSize = this.#copy(word, 'heads', 0)
    const size = this.#copy(word, 'places', headSize)
    return { bytes: this.#bytes, headSize, size }
  }

  /** Returns where the copied bytes end. */
  #copy(word: number, part: 'heads' | 'places', from: number): number {
    let size = from
    for (let piece = this.#starts[word]!; piece < this.#starts[word + 1]!; piece++) {
      const run = this.#runs[this.#runOf[piece]!]!
      const ends = part === 'heads' ? run.headEnds : run.placeEnds
      const place = this.#placeInRun[piece]!
      const end = ends[place]!
      let at = place === 0 ? 0 : ends[place - 1]!
      if (size + end - at > this.#bytes.length) this.#grow(size + end - at)
      for (const bytes = run[part], to = this.#bytes; at < end; at++) to[size++] = bytes[at]!
    }
    return size
  }

  #grow(least: number): void {
    const larger = new Uint8Array(2 * least)
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}
