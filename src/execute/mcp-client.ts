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
} from '../base/index.ts'
import type { McpServer, Plan } from '../chain/index.ts'
import { type Bounds, watchBounds } from './deadline.ts'
import { type ResolveHost, sendRequest } from './http-request.ts'
import { requireCommand } from './interpreter.ts'
import type { Isolation, IsolationName } from './isolation.ts'
import { StdioTransport } from './mcp-stdio.ts'
import { failure, type Outcome, parseJson } from './result.ts'
import type { ProcessTable } from './spawn.ts'

export interface McpContext {
  readonly projectPath: string
  readonly permissions: Plan['permissions']
}

export interface McpToolDefinition {
  readonly name: string
  readonly description: string | undefined
  readonly inputSchema: JsonObject
}

export interface McpOptions {
  readonly idleMs: number
  readonly resolveHost?: ResolveHost | undefined
}

interface Connection {
  readonly client: Client
  readonly faults: TransportFaults
  users: number
  idle: NodeJS.Timeout | undefined
}

/** What went wrong below the protocol layer, which tells only that something did. */
interface TransportFaults {
  /** What a stdio server said beside the protocol. */
  evidence(): string
  /** Why the last request was refused or failed, forgotten when read. */
  takeRefusal(): AppError | undefined
}

export class McpConnections {
  readonly #table: ProcessTable
  readonly #isolation: Isolation
  readonly #options: McpOptions
  readonly #connections = new Map<string, Promise<Connection>>()

  constructor(table: ProcessTable, isolation: Isolation, options: McpOptions) {
    this.#table = table
    this.#isolation = isolation
    this.#options = options
  }

  /** Stdio servers run in the isolation that the machine offers; a remote server starts nothing here. */
  async isolationOf(server: McpServer): Promise<IsolationName | 'none'> {
    return server.transport === 'stdio' ? this.#isolation.name() : 'none'
  }

  async call(
    server: McpServer,
    tool: { readonly name: string; readonly parameters: JsonObject },
    context: McpContext,
    bounds: Bounds & { readonly onProgress?: ((progress: JsonObject) => void) | undefined },
  ): Promise<Outcome> {
    const { onProgress } = bounds
    return this.#use(server, context, bounds, async (client, signal) => {
      const result = await client.callTool(
        { name: tool.name, arguments: tool.parameters },
        {
          signal,
          timeout: bounds.timeoutMs + 1_000,
          // Checked by the protocol layer: numbers and a text.
          ...(onProgress ? { onprogress: progress => onProgress(progress as JsonObject) } : {}),
        },
      )
      return readToolResult(result)
    })
  }

  async listTools(server: McpServer, context: McpContext, bounds: Bounds): Promise<McpToolDefinition[]> {
    return this.#use(server, context, bounds, async (client, signal) => {
      const { tools } = await client.listTools(undefined, { signal, timeout: bounds.timeoutMs + 1_000 })
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
    const opening = this.#open(server, context, bounds).then(connection => {
      connection.client.onclose = () => this.#connections.delete(key)
      return connection
    })
    this.#connections.set(key, opening)
    opening.catch(() => this.#connections.delete(key))
    return opening
  }

  #rest(key: string, connection: Connection): void {
    connection.users -= 1
    if (connection.users > 0) return
    connection.idle = setTimeout(() => this.#forget(key), this.#options.idleMs)
    connection.idle.unref()
  }

  #forget(key: string): void {
    const connection = this.#connections.get(key)
    this.#connections.delete(key)
    void connection?.then(closeConnection, () => {})
  }

  async #open(server: McpServer, context: McpContext, bounds: Bounds): Promise<Connection> {
    const mcp = await import('@modelcontextprotocol/client')
    const identity = { name: 'rye', version: '1' }
    const timeout = bounds.timeoutMs + 1_000
    if (server.transport === 'http') {
      const client = new mcp.Client(identity, { versionNegotiation: { mode: 'auto' } })
      const guarded = createGuardedFetch(server, this.#options.resolveHost)
      const transport = new mcp.StreamableHTTPClientTransport(new URL(server.url), {
        fetch: guarded.fetch,
        requestInit: { headers: { ...server.headers } },
      })
      try {
        await client.connect(transport, { timeout })
      } catch (thrown) {
        throw asAppError(thrown, server, guarded)
      }
      return { client, faults: guarded, users: 0, idle: undefined }
    }
    // The older handshake first: a server of that era may end at the sight of the newer one, not the other way round.
    for (const mode of ['legacy', 'auto'] as const) {
      const client = new mcp.Client(identity, { versionNegotiation: { mode } })
      const transport = new StdioTransport(() => this.#startServer(server, context))
      try {
        await client.connect(transport, { timeout })
        return { client, faults: transport, users: 0, idle: undefined }
      } catch (thrown) {
        await transport.close()
        if (mode === 'auto' || !(thrown instanceof mcp.ProtocolError)) {
          throw asAppError(thrown, server, transport)
        }
      }
    }
    throw new Error('unreachable: both handshakes were tried')
  }

  async #startServer(
    server: Extract<McpServer, { transport: 'stdio' }>,
    { projectPath, permissions }: McpContext,
  ) {
    const {
      isolation: _,
      request,
      release,
    } = await this.#isolation.enclose({
      command: requireCommand(server.command, server.env),
      args: server.args,
      cwd: server.cwd,
      env: server.env,
      projectPath,
      network: permissions.network,
      writable: permissions.write,
      readable: [],
    })
    try {
      const child = await this.#table.start(request)
      void child.exited.then(release)
      return child
    } catch (thrown) {
      release()
      throw thrown
    }
  }
}

/** `fetch` for the transport, through the guarded dialler: same checks as any HTTP tool, and a body that streams. */
function createGuardedFetch(
  server: Extract<McpServer, { transport: 'http' }>,
  resolveHost: ResolveHost | undefined,
): TransportFaults & { readonly fetch: typeof fetch } {
  let refusal: AppError | undefined
  const send = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await sendRequest(
      {
        method: init?.method ?? 'GET',
        url: String(input),
        headers: Object.fromEntries(new Headers(init?.headers).entries()),
        credentialHeaders: server.credentialHeaders,
        body: typeof init?.body === 'string' ? Buffer.from(init.body) : null,
        allowPrivate: server.allowPrivate,
        signal: init?.signal ?? new AbortController().signal,
      },
      resolveHost,
    )
    const { Readable } = await import('node:stream')
    const hasBody = ![101, 204, 205, 304].includes(response.status)
    // Node's stream types and the global ones describe the same object.
    const body = hasBody ? (Readable.toWeb(response.body) as ReadableStream) : null
    return new Response(body, { status: response.status, headers: response.headers })
  }
  return {
    fetch: (input, init) =>
      send(input, init).catch(thrown => {
        if (thrown instanceof AppError) refusal = thrown
        throw thrown
      }),
    evidence: () => '',
    takeRefusal() {
      const taken = refusal
      refusal = undefined
      return taken
    },
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

async function closeConnection(connection: Connection): Promise<void> {
  clearTimeout(connection.idle)
  await connection.client.close().catch(() => {})
}

/** A JSON-RPC error is an answer: the server is well. */
function isServersAnswer(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'ProtocolError'
}

function endingError(ending: 'timeout' | 'cancelled', server: McpServer, bounds: Bounds): AppError {
  return ending === 'timeout'
    ? new AppError(
        'EXECUTION_TIMEOUT',
        `server \`${server.id}\` did not answer within ${bounds.timeoutMs / 1000} s`,
      )
    : new AppError('EXECUTION_CANCELLED', 'the call was cancelled')
}

function asAppError(thrown: unknown, server: McpServer, faults: TransportFaults | undefined): AppError {
  if (thrown instanceof AppError) return thrown
  const refusal = faults?.takeRefusal()
  if (refusal) return refusal
  const reason = thrown instanceof Error ? thrown.message : String(thrown)
  const evidence = faults?.evidence()
  return new AppError('REMOTE_FAILED', `server \`${server.id}\` failed: ${reason.slice(0, 300)}`, {
    cause: thrown,
    ...(evidence ? { details: { evidence } } : {}),
  })
}
