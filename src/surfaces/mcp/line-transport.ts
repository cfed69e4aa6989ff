// MCP over standard input and output, one JSON message per line. Unlike the SDK's own transport it survives
// bad input: a line that is not a message, or is too long, is answered with a protocol error and then
// forgotten. When the input ends, running calls get a moment to finish; then the connection closes and they
// are cancelled.
import type { Readable, Writable } from 'node:stream'
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server'
import { isRecord } from '../../base/index.ts'
import { printMessage } from './tool-result.ts'

export interface LineTransportOptions {
  /** The longest line that is read; longer ones are refused and are not kept in memory. */
  readonly lineBytes: number
  /** How long running calls may still take to answer after the input has ended. */
  readonly graceMs: number
  /** Called after each answer that was written. */
  readonly onAnswer: () => void
}

const LINE_FEED = 10
const EDGE_BYTES = 300
const ID = String.raw`"id"\s*:\s*(0|[1-9]\d{0,14}|"[\w-]{1,100}")`
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"`
const FIRST_ID = new RegExp(
  String.raw`^\s*\{\s*(?:${VERSION}\s*,\s*)?${ID}\s*,\s*(?:${VERSION}\s*,\s*)?"method"`,
)
const METHOD_FIRST = new RegExp(String.raw`^\s*\{\s*(?:${VERSION}\s*,\s*)?"method"`)
const LAST_ID = new RegExp(String.raw`,\s*${ID}\s*(?:,\s*${VERSION}\s*)?\}\s*$`)
/** `graceMs` is below the two seconds that clients wait between closing our input and ending the process. */
const DEFAULTS: LineTransportOptions = { lineBytes: 16 * 1024 * 1024, graceMs: 1000, onAnswer() {} }

export class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  /** Resolves when nothing more can be read or answered. */
  readonly closed: Promise<void>
  readonly #input: Readable
  readonly #output: Writable
  readonly #options: LineTransportOptions
  readonly #unanswered = new Set<RequestId>()
  #parts: Buffer[] = []
  #length = 0
  /** The first and last bytes of a line that is too long. */
  #edges = { head: '', tail: Buffer.alloc(0) }
  #inputEnded = false
  #closed = false
  #resolveClosed: () => void = () => {}

  constructor(input: Readable, output: Writable, options: Partial<LineTransportOptions> = {}) {
    this.#input = input
    this.#output = output
    this.#options = { ...DEFAULTS, ...options }
    this.closed = new Promise(resolve => {
      this.#resolveClosed = resolve
    })
  }

  async start(): Promise<void> {
    this.#input.on('data', (chunk: Buffer) => this.#take(chunk))
    this.#input.on('end', () => this.#endInput())
    this.#input.on('error', () => this.#endInput())
    // The client has closed its end: there is nobody left to answer.
    this.#output.on('error', () => this.close())
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return
    this.#write(printMessage(message))
    // Known to be a message, so its members tell its kind; a schema check would read all of it again.
    if ('method' in message) return
    this.#settle(message.id)
    this.#options.onAnswer()
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#input.removeAllListeners('data')
    this.#input.pause()
    this.onclose?.()
    this.#resolveClosed()
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

  /** Beyond the limit only the length is counted, and the two edges are kept: one of them has the id. */
  #keep(part: Buffer): void {
    const { lineBytes } = this.#options
    const isNewlyLong = this.#length <= lineBytes && this.#length + part.length > lineBytes
    this.#length += part.length
    if (part.length > 0) this.#parts.push(part)
    if (this.#length <= lineBytes) return
    const read = Buffer.concat(this.#parts)
    const head = isNewlyLong ? read.toString('latin1', 0, EDGE_BYTES) : this.#edges.head
    // A copy, since a view of the last bytes would keep the whole line in memory.
    const tail = Buffer.concat([this.#edges.tail, read.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES)
    this.#edges = { head, tail }
    this.#parts = []
  }

  #finishLine(): void {
    const { lineBytes } = this.#options
    const length = this.#length
    // Nearly every line arrives in one part.
    const bytes = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)
    const line = bytes.toString('utf8').trim()
    this.#parts = []
    this.#length = 0
    if (length > lineBytes) {
      const message = `expected a line of at most ${lineBytes} bytes, got ${length}`
      const { head, tail } = this.#edges
      this.#edges = { head: '', tail: Buffer.alloc(0) }
      const id = idAtEdge(head, tail.toString('latin1'))
      this.#refuse(id, ProtocolErrorCode.InvalidRequest, message)
    } else if (line !== '') this.#read(line)
  }

  #read(line: string): void {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch (cause) {
      this.#refuse(null, ProtocolErrorCode.ParseError, `expected JSON: ${(cause as Error).message}`)
      return
    }
    let message: JSONRPCMessage
    try {
      message = parseJSONRPCMessage(value)
    } catch {
      this.#refuseMessage(value)
      return
    }
    this.#deliver(message)
  }

  #deliver(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) this.#unanswered.add(message.id)
    this.onmessage?.(message)
    // A cancelled request gets no answer.
    if ('method' in message && !('id' in message) && message.method === 'notifications/cancelled') {
      this.#settle(message.params?.requestId as RequestId | undefined)
    }
  }

  /** JSON that is not a message: answered under its id if it has one, unless it is itself an answer. */
  #refuseMessage(value: unknown): void {
    if (Array.isArray(value)) {
      this.#refuse(null, ProtocolErrorCode.InvalidRequest, 'expected one message a line, got a batch')
      return
    }
    if (isRecord(value) && value.method === undefined && ('result' in value || 'error' in value)) {
      this.onerror?.(new Error('dropped an answer that is not of JSON-RPC 2.0'))
      return
    }
    const id = isRecord(value) ? value.id : null
    const known = typeof id === 'string' || typeof id === 'number' ? id : null
    this.#refuse(known, ProtocolErrorCode.InvalidRequest, 'expected a message of JSON-RPC 2.0')
  }

  #endInput(): void {
    if (this.#inputEnded) return
    this.#inputEnded = true
    // The last line may lack its line feed.
    if (this.#length > 0) this.#finishLine()
    if (this.#unanswered.size === 0) void this.close()
    else setTimeout(() => this.close(), this.#options.graceMs)
  }

  #settle(id: RequestId | undefined): void {
    if (id !== undefined) this.#unanswered.delete(id)
    if (this.#inputEnded && this.#unanswered.size === 0) void this.close()
  }

  #refuse(id: RequestId | null, code: number, message: string): void {
    this.#write(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }))
    this.onerror?.(new Error(`refused a line: ${message}`))
  }

  #write(line: string): void {
    this.#output.write(`${line}\n`)
  }
}

/** The id of a request whose edges alone are known: clients print it before the method, or at the end. */
function idAtEdge(head: string, tail: string): RequestId | null {
  const found = FIRST_ID.exec(head)?.[1] ?? (METHOD_FIRST.test(head) ? LAST_ID.exec(tail)?.[1] : undefined)
  // The match is a JSON number, or a string without escapes.
  return found === undefined ? null : (JSON.parse(found) as RequestId)
}
