// Collects one stream up to a limit. What comes after the limit is counted, not kept: past twice the limit the
// writer is taken for a flood, and whoever reads must end it.

export interface CapturedText {
  readonly text: string
  readonly truncated: boolean
}

export class BoundedOutput {
  readonly #limit: number
  readonly #chunks: Buffer[] = []
  #kept = 0
  #seen = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get isFlood(): boolean {
    return this.#seen > 2 * this.#limit
  }

  push(chunk: Buffer): void {
    this.#seen += chunk.length
    const room = this.#limit - this.#kept
    if (room <= 0) return
    const part = chunk.length > room ? chunk.subarray(0, room) : chunk
    this.#chunks.push(part)
    this.#kept += part.length
  }

  read(): CapturedText {
    const bytes = Buffer.concat(this.#chunks)
    const truncated = this.#seen > this.#kept
    if (!truncated) return { text: bytes.toString('utf8'), truncated }
    const whole = bytes.subarray(0, lastCharacterEnd(bytes))
    const mark = `\n[truncated: the first ${this.#limit} bytes are shown]`
    return { text: whole.toString('utf8') + mark, truncated }
  }
}

/** Where the last complete UTF-8 character ends, so that a cut never shows half of one. */
function lastCharacterEnd(bytes: Buffer): number {
  let start = bytes.length - 1
  while (start >= 0 && start > bytes.length - 4 && (bytes[start]! & 0xc0) === 0x80) start -= 1
  if (start < 0) return bytes.length
  const lead = bytes[start]!
  const width = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return start + width > bytes.length ? start : bytes.length
}
