// Decoded lists for the next search, up to a size; the least recently used are dropped first.

export class ListCache {
  readonly #most: number
  readonly #lists = new Map<string, { readonly list: object; readonly size: number }>()
  #size = 0

  constructor(most: number) {
    this.#most = most
  }

  /** The list of a key, made if it is not cached. A key must always be used with the same type. */
  get<List extends object>(key: string, make: () => List, sizeOf: (list: List) => number): List {
    const known = this.#lists.get(key)
    if (known) {
      this.#lists.delete(key)
      this.#lists.set(key, known)
      return known.list as List
    }
    const list = make()
    const size = sizeOf(list)
    this.#makeRoom(size)
    this.#size += size
    this.#lists.set(key, { list, size })
    return list
  }

  has(key: string): boolean {
    return this.#lists.has(key)
  }

  #makeRoom(size: number): void {
    for (const [key, entry] of this.#lists) {
      if (this.#size + size <= this.#most) return
      this.#lists.delete(key)
      this.#size -= entry.size
    }
  }
}
