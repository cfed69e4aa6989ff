// Splits a byte stream into lines. A line longer than the limit is passed on in parts, so that nothing grows
// without bound.

export class LineSplitter {
  readonly #onLine: (line: string) => void
  readonly #limit: number
  #pending: Buffer[] = []
  #length = 0

  constructor(onLine: (line: string) => void, limit: number) {
    this.#onLine = onLine
    this.#limit = limit
  }

  push(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.#keep(chunk.subarray(start, end))
      this.#flush()
      start = end + 1
    }
    this.#keep(chunk.subarray(start))
    if (this.#length > this.#limit) this.#flush()
  }

  /** Passes on what came after the last line end. */
  end(): void {
    if (this.#length > 0) this.#flush()
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return
    this.#pending.push(part)
    this.#length += part.length
  }

  #flush(): void {
    const line = Buffer.concat(this.#pending).toString('utf8')
    this.#pending = []
    this.#length = 0
    this.#onLine(line.endsWith('\r') ? line.slice(0, -1) : line)
  }
}
