// MCP over standard input and output, one JSON message a line. Unlike the SDK's own transport it outlives bad input:
// a line that is no message, or longer than the limit, is answered with a protocol error and then forgotten.
import type { Readable, Writable } from 'node:stream'
import {
  deserializeMessage,
  type JSONRPCMessage,
  PARSE_ERROR,
  type Transport,
} from '@modelcontextprotocol/server'

const LINE_FEED = 10
const DEFAULT_LINE_BYTES = 16 * 1024 * 1024

export class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly #input: Readable
  readonly #output: Writable
  readonly #lineBytes: number
  #parts: Buffer[] = []
  #length = 0
  #closed = false

  constructor(input: Readable, output: Writable, lineBytes = DEFAULT_LINE_BYTES) {
    this.#input = input
    this.#output = output
    this.#lineBytes = lineBytes
  }

  async start(): Promise<void> {
    this.#input.on('data', (chunk: Buffer) => this.#take(chunk))
    this.#input.on('end', () => this.close())
    this.#input.on('error', error => this.onerror?.(error))
    // The client has closed its end: nobody is left to answer.
    this.#output.on('error', () => this.close())
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return
    this.#write(JSON.stringify(message))
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#input.removeAllListeners('data')
    this.#input.pause()
    this.onclose?.()
  }

  #take(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.#keep(chunk.subarray(start, end))
      this.#finishLine()
      start = end + 1
    }
    this.#keep(chunk.subarray(start))
  }

  /** Past the limit only the length is counted, so that a line of any size costs no memory. */
  #keep(part: Buffer): void {
    this.#length += part.length
    if (this.#length > this.#lineBytes) this.#parts = []
    else if (part.length > 0) this.#parts.push(part)
  }

  #finishLine(): void {
    const length = this.#length
    const line = Buffer.concat(this.#parts).toString('utf8').trim()
    this.#parts = []
    this.#length = 0
    if (length > this.#lineBytes) {
      this.#refuse(`expected a line of at most ${this.#lineBytes} bytes, got ${length}`)
      return
    }
    if (line === '') return
    try {
      this.onmessage?.(deserializeMessage(line))
    } catch (cause) {
      this.#refuse('expected one JSON-RPC message a line')
      this.onerror?.(cause instanceof Error ? cause : new Error(String(cause)))
    }
  }

  #refuse(message: string): void {
    this.#write(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: PARSE_ERROR, message } }))
  }

  #write(line: string): void {
    this.#output.write(`${line}\n`)
  }
}
