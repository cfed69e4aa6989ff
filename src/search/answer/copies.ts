// Finds which items of a library are equal: the same content, or the same name and description. They are
// found by keys that were made when the items were indexed. An item that another space shadows is not a copy:
// it remains a hit of its own.

/**
 * How many numbers an item has: two halves of each of its keys, which are made of its id, of its content, and
 * of its name and description. Both are 0 when there is no key.
 */
export const KEY_NUMBERS = 6

export interface Copies {
  /**
   * For each space, the group of each document, numbered from 1 over all spaces; 0 for one that has no
   * copies.
   */
  readonly groups: readonly Uint32Array[]
  /** How many groups there are. */
  readonly count: number
}

/** `keys` of each space in order of precedence, by document number; those of deleted documents are 0. */
export function findCopies(keys: readonly Uint32Array[]): Copies {
  const bases = keys.map((_, at) => keys.slice(0, at).reduce((sum, list) => sum + sizeOf(list), 0))
  const total = keys.reduce((sum, list) => sum + sizeOf(list), 0)
  const table = new KeyTable(total * 3)
  const groups = new Groups(total)
  keys.forEach((list, at) => {
    for (let doc = 0; doc < sizeOf(list); doc++) {
      const entry = bases[at]! + doc
      const from = doc * KEY_NUMBERS
      const same = table.put(list[from]!, list[from + 1]!, entry)
      if (same < bases[at]!) continue
      groups.unite(entry, table.put(list[from + 2]!, list[from + 3]!, entry))
      groups.unite(entry, table.put(list[from + 4]!, list[from + 5]!, entry))
    }
  })
  const numbers = groups.numbered()
  return {
    groups: keys.map((list, at) => numbers.groups.subarray(bases[at]!, bases[at]! + sizeOf(list))),
    count: numbers.count,
  }
}

function sizeOf(keys: Uint32Array): number {
  return keys.length / KEY_NUMBERS
}

/** The first entry of each key. A `Map` with as many entries takes ten times as long. */
class KeyTable {
  readonly #mask: number
  readonly #keys: Uint32Array
  /** 1 more than the entry; 0 for none. */
  readonly #entries: Uint32Array

  constructor(most: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(1, most) * 2))
    this.#mask = size - 1
    this.#keys = new Uint32Array(size * 2)
    this.#entries = new Uint32Array(size)
  }

  /** The first entry that was put under the key, which is this one if there was none, or if the key is 0. */
  put(low: number, high: number, entry: number): number {
    if (low === 0 && high === 0) return entry
    let slot = low & this.#mask
    for (; this.#entries[slot] !== 0; slot = (slot + 1) & this.#mask) {
      if (this.#keys[slot * 2] === low && this.#keys[slot * 2 + 1] === high) return this.#entries[slot]! - 1
    }
    this.#keys[slot * 2] = low
    this.#keys[slot * 2 + 1] = high
    this.#entries[slot] = entry + 1
    return entry
  }
}

/** Entries that belong together, directly or through others. */
class Groups {
  readonly #parents: Uint32Array
  readonly #sizes: Uint32Array

  constructor(entries: number) {
    this.#parents = new Uint32Array(entries)
    for (let entry = 0; entry < entries; entry++) this.#parents[entry] = entry
    this.#sizes = new Uint32Array(entries).fill(1)
  }

  unite(a: number, b: number): void {
    if (a === b) return
    const [large, small] = this.#bySize(this.#root(a), this.#root(b))
    if (large === small) return
    this.#parents[small] = large
    this.#sizes[large]! += this.#sizes[small]!
  }

  /** The group of each entry, numbered from 1; 0 for one that is alone. */
  numbered(): { readonly groups: Uint32Array; readonly count: number } {
    const numbers = new Uint32Array(this.#parents.length)
    const groups = new Uint32Array(this.#parents.length)
    let count = 0
    for (let entry = 0; entry < groups.length; entry++) {
      const root = this.#root(entry)
      if (this.#sizes[root]! < 2) continue
      if (numbers[root] === 0) numbers[root] = ++count
      groups[entry] = numbers[root]!
    }
    return { groups, count }
  }

  #bySize(a: number, b: number): [number, number] {
    return this.#sizes[a]! >= this.#sizes[b]! ? [a, b] : [b, a]
  }

  #root(entry: number): number {
    let root = entry
    while (this.#parents[root] !== root) root = this.#parents[root]!
    return root
  }
}
