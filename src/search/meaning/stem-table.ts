// Finds the row of a stem. The stems are the lines of one text, with a line break before and after each;
// common ones come first.

const BREAK = 10

/** Scans the text, which is fast for a few words. */
export function findRow(stems: Buffer, stem: string): number {
  const found = stems.indexOf(`\n${stem}\n`)
  if (found === -1) return -1
  let row = 0
  for (let at = 0; at < found; at++) if (stems[at] === BREAK) row++
  return row
}

/** A hash table, for many words. */
export class StemTable {
  readonly #stems: Uint8Array
  /** Where each stem begins, and at the end where the next one would. */
  readonly #starts: Uint32Array
  /** 1 + row, by a hash of its stem; 0 in a free slot. */
  readonly #slots: Uint32Array

  /** Lines beyond `rows` are left out. */
  constructor(stems: Uint8Array, rows: number) {
    this.#stems = stems
    this.#starts = new Uint32Array(rows + 1)
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * rows + 1)))
    this.#fill()
  }

  rowOf(stem: string): number {
    let hash = 0
    for (let at = 0; at < stem.length; at++) hash = mix(hash, stem.charCodeAt(at))
    const mask = this.#slots.length - 1
    for (let slot = spread(hash) & mask; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const row = this.#slots[slot]! - 1
      if (this.#isStem(row, stem)) return row
    }
    return -1
  }

  #fill(): void {
    const mask = this.#slots.length - 1
    let hash = 0
    let row = 0
    this.#starts[0] = 1
    const last = this.#starts.length - 1
    for (let at = 1; at < this.#stems.length && row < last; at++) {
      const byte = this.#stems[at]!
      if (byte !== BREAK) {
        hash = mix(hash, byte)
        continue
      }
      let slot = spread(hash) & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = ++row
      this.#starts[row] = at + 1
      hash = 0
    }
  }

  #isStem(row: number, stem: string): boolean {
    const start = this.#starts[row]!
    if (this.#starts[row + 1]! - 1 - start !== stem.length) return false
    for (let at = 0; at < stem.length; at++) if (this.#stems[start + at] !== stem.charCodeAt(at)) return false
    return true
  }
}

function mix(hash: number, letter: number): number {
  return Math.imul(hash ^ letter, 0x9e3779b1)
}

/** The high bits of a product are the best mixed. */
function spread(hash: number): number {
  return hash ^ (hash >>> 15)
}
