// Collects one stream up to a limit. What comes after the limit is counted but not kept, except for the last
// bytes on request: the last lines of an error stream matter most. Past twice the limit the writer counts as
// flooding, and the reader must end it.
import { isUtf8 } from 'node:buffer'

export interface CapturedText {
  readonly text: string
  readonly truncated: boolean
  /** Set when some bytes are not UTF-8; the text has U+FFFD in their place. */
  readonly isLossy?: true
}

/** How much is kept of the end of an error stream that was cut. */
export const STDERR_END_BYTES = 4_096

export class BoundedOutput {
  readonly #limit: number
  readonly #chunks: Buffer[] = []
  readonly #end: OutputEnd
  #kept = 0
  #seen = 0

  constructor(limit: number, endBytes = 0) {
    this.#limit = limit
    this.#end = new OutputEnd(endBytes)
  }

  get isFlood(): boolean {
    return this.#seen > 2 * this.#limit
  }

  push(chunk: Buffer): void {
    this.#seen += chunk.length
    const room = this.#limit - this.#kept
    const part = chunk.subarray(0, room)
    if (part.length > 0) this.#chunks.push(part)
    this.#kept += part.length
    if (chunk.length > room) this.#end.push(chunk.subarray(room))
  }

  read(): CapturedText {
    const bytes = Buffer.concat(this.#chunks)
    const truncated = this.#seen > this.#kept
    const whole = truncated ? bytes.subarray(0, lastCharacterEnd(bytes)) : bytes
    const lossy = isUtf8(whole) ? {} : { isLossy: true as const }
    if (!truncated) return { text: bytes.toString('utf8'), truncated, ...lossy }
    const end = this.#end.read()
    const shown = end === '' ? '' : ' and the last lines'
    const mark = `\n[truncated: the first ${this.#limit} bytes${shown} are shown]`
    return { text: `${whole.toString('utf8')}${mark}${end === '' ? '' : `\n${end}`}`, truncated, ...lossy }
  }
}

/** The last bytes of a stream, as whole lines if there are any. */
export class OutputEnd {
  readonly #limit: number
  #bytes = Buffer.alloc(0)
  #isCut = false

  constructor(limit: number) {
    this.#limit = limit
  }

  push(chunk: Buffer): void {
    if (this.#limit === 0) return
    const joined = Buffer.concat([this.#bytes, chunk.subarray(-this.#limit)])
    this.#isCut ||= this.#bytes.length + chunk.length > this.#limit
    this.#bytes = Buffer.from(joined.subarray(-this.#limit))
  }

  read(): string {
    const start = this.#isCut ? this.#bytes.indexOf(10) + 1 : 0
    return this.#bytes.subarray(start).toString('utf8')
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
