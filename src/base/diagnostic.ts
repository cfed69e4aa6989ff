// A finding in a text, and where it is. Diagnostics are collected, never thrown.

export interface Diagnostic {
  readonly severity: 'error' | 'warning'
  /** A stable word in kebab-case, such as `yaml-syntax`. */
  readonly code: string
  readonly message: string
  /** One-based; columns count UTF-16 code units. */
  readonly line: number
  readonly column: number
}

/** Maps offsets of one text to lines and columns. Lines end at LF, CRLF or CR, as in every parser here. */
export class LineMap {
  readonly #starts: number[] = [0]
  readonly #length: number

  constructor(text: string) {
    this.#length = text.length
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      if (unit === 10 || (unit === 13 && text.charCodeAt(i + 1) !== 10)) this.#starts.push(i + 1)
    }
  }

  position(offset: number): { line: number; column: number } {
    const clamped = Math.max(0, Math.min(offset, this.#length))
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#starts[middle]! <= clamped) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: clamped - this.#starts[low]! + 1 }
  }
}
