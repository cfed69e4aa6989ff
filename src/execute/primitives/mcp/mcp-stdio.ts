// The stdio transport of an MCP server, over processes that we start ourselves: in a group, in a sandbox,
// ended cleanly. A line that is not a JSON-RPC message is noise: some servers log to standard output. Too
// much noise or an endless line ends the server. The protocol layer passes over an answer that is none, such
// as `result: null`, and would wait for another: it gets an error in its place.
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { isRecord } from '../../../base/index.ts'
import type { RefusedHost } from '../../network/sandbox-network.ts'
import { OutputEnd, STDERR_END_BYTES } from '../../process/bounded-output.ts'
import { drainOutput } from '../../process/drain-output.ts'
import { LineSplitter } from '../../process/line-splitter.ts'
import type { ChildHandle } from '../../process/spawn.ts'
import { describeExit } from '../result.ts'
import type { TransportFaults } from './mcp-fault.ts'

const MESSAGE_BYTES = 8 * 1024 * 1024
const MOST_NOISE = 100
const NOISE_LENGTH = 500
const QUIET_MS = 20

export interface StartedServer {
  readonly child: ChildHandle
  readonly takeRefused: () => readonly RefusedHost[]
}

export class StdioTransport implements Transport, TransportFaults {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: Transport['onmessage']
  readonly #start: () => Promise<StartedServer>
  readonly #isResponse: (message: unknown) => boolean
  readonly #noise = new OutputEnd(STDERR_END_BYTES)
  #child: ChildHandle | undefined
  takeRefusedHosts: () => readonly RefusedHost[] = () => []
  #ending: string | undefined
  #noisyLines = 0
  #closed = false

  /** `isResponse` is what the protocol layer takes for an answer. */
  constructor(start: () => Promise<StartedServer>, isResponse: (message: unknown) => boolean) {
    this.#start = start
    this.#isResponse = isResponse
  }

  ending(): string | undefined {
    return this.#ending
  }

  evidence(): string {
    return this.#noise.read()
  }

  takeRefusal(): undefined {
    return undefined
  }

  async start(): Promise<void> {
    const { child, takeRefused } = await this.#start()
    this.#child = child
    this.takeRefusedHosts = takeRefused
    const lines = new LineSplitter(line => this.#receive(line), MESSAGE_BYTES)
    child.stdout.on('data', chunk => lines.push(chunk))
    child.stderr.on('data', chunk => this.#noise.push(chunk))
    void child.exited.then(async exit => {
      this.#ending ??= `it ended with ${describeExit(exit)}`
      await drainOutput([child.stdout, child.stderr], QUIET_MS)
      this.#finish()
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed || !this.#child) throw new Error('the server has ended')
    this.#child.stdin.write(`${JSON.stringify(message)}\n`)
  }

  async close(): Promise<void> {
    this.#ending ??= 'it was ended'
    this.#child?.stdin.end()
    await this.#child?.end()
    this.#finish()
  }

  #receive(line: string): void {
    if (this.#closed || line.trim() === '') return
    const message = parseMessage(line)
    if (message !== undefined) {
      this.onmessage?.(isAnswer(message) && !this.#isResponse(message) ? inPlaceOf(message) : message)
      return
    }
    this.#noise.push(Buffer.from(`${line.slice(0, NOISE_LENGTH)}\n`))
    this.#noisyLines += 1
    if (this.#noisyLines <= MOST_NOISE && line.length <= MESSAGE_BYTES) return
    this.#ending ??= 'it wrote too much that is not protocol messages'
    void this.close()
  }

  #finish(): void {
    if (this.#closed) return
    this.#closed = true
    this.onclose?.()
  }
}

/** Whether a message answers a request, well or badly: it has an id and no method. */
function isAnswer(message: object): message is { readonly id: string | number } {
  if ('method' in message || !('id' in message)) return false
  return typeof message.id === 'string' || typeof message.id === 'number'
}

const INTERNAL_ERROR = -32_603

function inPlaceOf({ id }: { readonly id: string | number }): JSONRPCMessage {
  const message = 'its answer has neither a result nor an error as the protocol asks for them'
  return { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } }
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
