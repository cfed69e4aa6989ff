// The best few of many hits, without sorting them all: a heap whose root is the worst hit kept.

export class TopHits<Hit> {
  readonly #most: number
  readonly #compare: (a: Hit, b: Hit) => number
  readonly #heap: Hit[] = []

  /** Keeps at most `most` hits. `compare` is negative when its first argument is better. */
  constructor(most: number, compare: (a: Hit, b: Hit) => number) {
    this.#most = most
    this.#compare = compare
  }

  /** The worst hit kept, once there are enough; a worse one need not be offered. */
  get worst(): Hit | undefined {
    return this.#heap.length < this.#most ? undefined : this.#heap[0]
  }

  offer(hit: Hit): void {
    if (this.#heap.length < this.#most) {
      this.#heap.push(hit)
      this.#rise(this.#heap.length - 1)
    } else if (this.#most > 0 && this.#compare(hit, this.#heap[0]!) < 0) {
      this.#heap[0] = hit
      this.#sink(0)
    }
  }

  /** The kept hits, best first. */
  sorted(): Hit[] {
    return [...this.#heap].sort(this.#compare)
  }

  #rise(start: number): void {
    let at = start
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#compare(this.#heap[parent]!, this.#heap[at]!) >= 0) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #sink(start: number): void {
    let at = start
    while (true) {
      const left = 2 * at + 1
      let worst = at
      for (const child of [left, left + 1]) {
        if (child < this.#heap.length && this.#compare(this.#heap[child]!, this.#heap[worst]!) > 0)
          worst = child
      }
      if (worst === at) return
      this.#swap(at, worst)
      at = worst
    }
  }

  #swap(a: number, b: number): void {
    const hit = this.#heap[a]!
    this.#heap[a] = this.#heap[b]!
    this.#heap[b] = hit
  }
}
