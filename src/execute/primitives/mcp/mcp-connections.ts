// Connections to other MCP servers, kept for the next call. Calls share one only if the server's definition,
// its credential, the project, the permissions and the isolation settings are the same. How our own caller
// authenticated itself is not known here. A server that hangs, exits or breaks the protocol loses only its
// own connection.
import type { Client } from '@modelcontextprotocol/client'
import { printCanonicalJson, sha256Hex } from '../../../base/index.ts'
import type { McpServer } from '../../../plan/index.ts'
import { type Bounds, watchBounds } from '../../process/deadline.ts'
import type { IsolationName } from '../../sandbox/isolation-name.ts'
import { type McpContext, type McpParts, type OpenedClient, openClient } from './mcp-connect.ts'
import { asAppError, endingError, isServersAnswer } from './mcp-fault.ts'

interface Connection extends OpenedClient {
  readonly opening: Promise<Connection>
  users: number
  idle: NodeJS.Timeout | undefined
}

/** Our own deadline comes first. That of the protocol layer comes later by this much. */
export const PROTOCOL_SLACK_MS = 1_000

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

  /**
   * Calls `work` with a connected client, and with a signal that says when the bounds are reached. Throws
   * `AppError`.
   */
  async use<T>(
    server: McpServer,
    context: McpContext,
    bounds: Bounds,
    work: (client: Client, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { projectPath, permissions } = context
    const isolation = await this.#parts.isolation.stamp()
    const key = sha256Hex(printCanonicalJson({ server, projectPath, permissions, isolation }))
    const { signal, ended, stop } = watchServer(server, bounds)
    let connection: Connection | undefined
    try {
      connection = await Promise.race([this.#connect(key, server, context, bounds), ended])
      connection.users += 1
      clearTimeout(connection.idle)
      const result = await Promise.race([work(connection.client, signal), ended])
      this.#rest(key, connection)
      return result
    } catch (thrown) {
      if (!isServersAnswer(thrown)) this.#forget(key, connection)
      else if (connection) this.#rest(key, connection)
      throw asAppError(thrown, { server, projectPath }, connection?.faults)
    } finally {
      stop()
    }
  }

  /** Like `use`, but with a separate connection that is closed after the work. */
  async useOnce<T>(
    server: McpServer,
    context: McpContext,
    bounds: Bounds,
    work: (client: Client, options: { signal: AbortSignal; timeout: number }) => Promise<T>,
  ): Promise<T> {
    const timeout = bounds.timeoutMs + PROTOCOL_SLACK_MS
    const watch = watchServer(server, bounds)
    const opening = openClient(server, context, this.#parts, timeout)
    let opened: OpenedClient | undefined
    try {
      opened = await Promise.race([opening, watch.ended])
      const result = await Promise.race([work(opened.client, { signal: watch.signal, timeout }), watch.ended])
      await closeClient(opened)
      return result
    } catch (thrown) {
      // If it is still being opened, it is closed as soon as it is open.
      void opening.then(closeClient, () => {})
      throw asAppError(thrown, { server, projectPath: context.projectPath }, opened?.faults)
    } finally {
      watch.stop()
    }
  }

  async close(): Promise<void> {
    const open = [...this.#connections.values()]
    this.#connections.clear()
    await Promise.all(open.map(connection => connection.then(closeConnection, () => {})))
  }

  async #connect(key: string, server: McpServer, context: McpContext, bounds: Bounds): Promise<Connection> {
    const known = this.#connections.get(key)
    const kept = await known
    // A server that has ended may still have last lines to read, but nothing more is sent to it.
    if (kept && kept.faults.ending() === undefined) return kept
    if (this.#connections.get(key) !== known) return this.#connect(key, server, context, bounds)
    const timeoutMs = bounds.timeoutMs + PROTOCOL_SLACK_MS
    const opening: Promise<Connection> = openClient(server, context, this.#parts, timeoutMs).then(opened => {
      opened.client.onclose = () => this.#leave(key, opening)
      return { ...opened, opening, users: 0, idle: undefined }
    })
    this.#connections.set(key, opening)
    opening.catch(() => this.#leave(key, opening))
    return opening
  }

  #rest(key: string, connection: Connection): void {
    connection.users -= 1
    if (connection.users > 0) return
    connection.idle = setTimeout(() => this.#forget(key, connection), this.#idleMs)
    connection.idle.unref()
  }

  /** Ends a connection, or the one that is being opened. */
  #forget(key: string, connection: Connection | undefined): void {
    const opening = connection?.opening ?? this.#connections.get(key)
    this.#leave(key, opening)
    void opening?.then(closeConnection, () => {})
  }

  /** Does nothing if another connection has taken its place. */
  #leave(key: string, opening: Promise<Connection> | undefined): void {
    if (this.#connections.get(key) === opening) this.#connections.delete(key)
  }
}

/** When the bounds are reached, `ended` rejects and `signal` is aborted. */
function watchServer(server: McpServer, bounds: Bounds) {
  const controller = new AbortController()
  const ended = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true })
  })
  const stop = watchBounds(bounds, ending => controller.abort(endingError(ending, server, bounds)))
  return { signal: controller.signal, ended, stop }
}

async function closeConnection(connection: Connection): Promise<void> {
  clearTimeout(connection.idle)
  await closeClient(connection)
}

async function closeClient({ client }: OpenedClient): Promise<void> {
  await client.close().catch(() => {})
}
