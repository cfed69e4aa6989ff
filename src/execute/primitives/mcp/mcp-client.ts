// The `mcp` primitive: calls a tool of another server. A connection is kept by the server's definition, its
// credential, the project and the permissions, so two of these never share one; what our own caller sent to
// authenticate itself is not known here. A server that hangs, dies or talks junk costs its connection only.
import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import {
  AppError,
  isRecord,
  type JsonObject,
  type JsonValue,
  printCanonicalJson,
  sha256Hex,
} from '../../../base/index.ts'
import type { McpServer } from '../../../plan/index.ts'
import { type Bounds, watchBounds } from '../../process/deadline.ts'
import type { IsolationName } from '../../sandbox/isolation.ts'
import { failure, type Outcome, parseJson } from '../result.ts'
import { type McpContext, type McpParts, type OpenedClient, openClient } from './mcp-connect.ts'
import { asAppError, endingError, isServersAnswer } from './mcp-fault.ts'

export interface McpToolDefinition {
  readonly name: string
  readonly description: string | undefined
  readonly inputSchema: JsonObject
}

interface Connection extends OpenedClient {
  users: number
  idle: NodeJS.Timeout | undefined
}

/** Our own deadline comes first; that of the protocol layer is for what it forgets. */
const SLACK_MS = 1_000

export class McpConnections {
  readonly #parts: McpParts
  readonly #idleMs: number
  readonly #connections = new Map<string, Promise<Connection>>()

  constructor(parts: McpParts, idleMs: number) {
    this.#parts = parts
    this.#idleMs = idleMs
  }

  /** Stdio servers run in the isolation that the machine offers; a remote server starts nothing here. */
  async isolationOf(server: McpServer): Promise<IsolationName | 'none'> {
    return server.transport === 'stdio' ? this.#parts.isolation.name() : 'none'
  }

  async call(
    server: McpServer,
    tool: { readonly name: string; readonly parameters: JsonObject },
    context: McpContext,
    bounds: Bounds & { readonly onProgress?: ((progress: JsonObject) => void) | undefined },
  ): Promise<Outcome> {
    const { onProgress } = bounds
    const calling = this.#use(server, context, bounds, async (client, signal) => {
      const result = await client.callTool(
        { name: tool.name, arguments: tool.parameters },
        {
          signal,
          timeout: bounds.timeoutMs + SLACK_MS,
          // Checked by the protocol layer: numbers and a text.
          ...(onProgress ? { onprogress: progress => onProgress(progress as JsonObject) } : {}),
        },
      )
      return readToolResult(result)
    })
    return calling.catch(asOutcome)
  }

  async listTools(server: McpServer, context: McpContext, bounds: Bounds): Promise<McpToolDefinition[]> {
    return this.#use(server, context, bounds, async (client, signal) => {
      const { tools } = await client.listTools(undefined, { signal, timeout: bounds.timeoutMs + SLACK_MS })
      return tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        // The protocol layer has checked it to be a JSON object.
        inputSchema: inputSchema as unknown as JsonObject,
      }))
    })
  }

  async close(): Promise<void> {
    const open = [...this.#connections.values()]
    this.#connections.clear()
    await Promise.all(open.map(connection => connection.then(closeConnection, () => {})))
  }

  async #use<T>(
    server: McpServer,
    context: McpContext,
    bounds: Bounds,
    work: (client: Client, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { projectPath, permissions } = context
    const key = sha256Hex(printCanonicalJson({ server, projectPath, permissions }))
    const controller = new AbortController()
    const ended = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true })
    })
    const stopWatching = watchBounds(bounds, ending => controller.abort(endingError(ending, server, bounds)))
    let connection: Connection | undefined
    try {
      connection = await Promise.race([this.#connect(key, server, context, bounds), ended])
      connection.users += 1
      clearTimeout(connection.idle)
      const result = await Promise.race([work(connection.client, controller.signal), ended])
      this.#rest(key, connection)
      return result
    } catch (thrown) {
      if (!isServersAnswer(thrown)) this.#forget(key)
      else if (connection) this.#rest(key, connection)
      throw asAppError(thrown, server, connection?.faults)
    } finally {
      stopWatching()
    }
  }

  #connect(key: string, server: McpServer, context: McpContext, bounds: Bounds): Promise<Connection> {
    const known = this.#connections.get(key)
    if (known) return known
    const opening = openClient(server, context, this.#parts, bounds.timeoutMs + SLACK_MS).then(opened => {
      opened.client.onclose = () => this.#connections.delete(key)
      return { ...opened, users: 0, idle: undefined }
    })
    this.#connections.set(key, opening)
    opening.catch(() => this.#connections.delete(key))
    return opening
  }

  #rest(key: string, connection: Connection): void {
    connection.users -= 1
    if (connection.users > 0) return
    connection.idle = setTimeout(() => this.#forget(key), this.#idleMs)
    connection.idle.unref()
  }

  #forget(key: string): void {
    const connection = this.#connections.get(key)
    this.#connections.delete(key)
    void connection?.then(closeConnection, () => {})
  }
}

function readToolResult(result: CallToolResult): Outcome {
  // Checked by the protocol layer against its schema of results.
  const content = result.content as unknown as JsonValue[]
  const data = (result.structuredContent as JsonValue | undefined) ?? readContent(content)
  if (result.isError !== true) return { status: 'success', data }
  const text = content.flatMap(block =>
    isRecord(block) && typeof block.text === 'string' ? [block.text] : [],
  )
  return failure('EXECUTION_FAILED', `the server's tool failed: ${text.join(' ') || 'no reason given'}`, data)
}

/** One text block that is JSON is that JSON; anything else is the list of blocks. */
function readContent(content: JsonValue[]): JsonValue {
  const [only, more] = content
  if (more === undefined && isRecord(only) && only.type === 'text' && typeof only.text === 'string') {
    return parseJson(only.text) ?? { content }
  }
  return { content }
}

/** What the server said is the evidence of its failure. */
function asOutcome(thrown: unknown): Outcome {
  const stderr = thrown instanceof AppError ? thrown.details.stderr : undefined
  if (!(thrown instanceof AppError) || typeof stderr !== 'string') throw thrown
  return { status: 'error', error: thrown, data: { stderr } }
}

async function closeConnection(connection: Connection): Promise<void> {
  clearTimeout(connection.idle)
  await connection.client.close().catch(() => {})
}
