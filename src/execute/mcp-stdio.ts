// The stdio transport of an MCP server over our own door to processes, so that groups, sandbox and clean ends hold.
// A line that is not a JSON-RPC message is noise: some servers log to standard output. Noise without end is junk, and
// so is a line without end.
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { isRecord } from '../base/index.ts'
import { BoundedOutput } from './bounded-output.ts'
import { LineSplitter } from './line-splitter.ts'
import type { ChildHandle } from './spawn.ts'

const MESSAGE_BYTES = 8 * 1024 * 1024
const MOST_NOISE = 100
const EVIDENCE_BYTES = 4_096

export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: Transport['onmessage']
  readonly #start: () => Promise<ChildHandle>
  readonly #noise = new BoundedOutput(EVIDENCE_BYTES)
  #child: ChildHandle | undefined
  #noisyLines = 0
  #closed = false

  constructor(start: () => Promise<ChildHandle>) {
    this.#start = start
  }

  /** What the server said beside the protocol. */
  evidence(): string {
    return this.#noise.read().text
  }

  takeRefusal(): undefined {
    return undefined
  }

  async start(): Promise<void> {
    const child = await this.#start()
    this.#child = child
    const lines = new LineSplitter(line => this.#receive(line), MESSAGE_BYTES)
    child.stdout.on('data', chunk => lines.push(chunk))
    child.stderr.on('data', chunk => this.#noise.push(chunk))
    void child.exited.then(() => this.#finish())
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed || !this.#child) throw new Error('the server has ended')
    this.#child.stdin.write(`${JSON.stringify(message)}\n`)
  }

  async close(): Promise<void> {
    this.#child?.stdin.end()
    await this.#child?.end()
    this.#finish()
  }

  #receive(line: string): void {
    if (this.#closed || line.trim() === '') return
    const message = parseMessage(line)
    if (message !== undefined) {
      this.onmessage?.(message)
      return
    }
    this.#noise.push(Buffer.from(`${line.slice(0, 500)}\n`))
    this.#noisyLines += 1
    if (this.#noisyLines > MOST_NOISE || line.length > MESSAGE_BYTES) void this.close()
  }

  #finish(): void {
    if (this.#closed) return
    this.#closed = true
    this.onclose?.()
  }
}

function parseMessage(line: string): JSONRPCMessage | undefined {
  try {
    const parsed: unknown = JSON.parse(line)
    // The protocol layer checks the rest of the message against its schemas.
    return isRecord(parsed) && parsed.jsonrpc === '2.0' ? (parsed as unknown as JSONRPCMessage) : undefined
  } catch {
    return undefined
  }
}
