// Opens a connection to another MCP server: the process of a stdio server in its isolation, or a guarded HTTP
// session.
import type { Client } from '@modelcontextprotocol/client'
import { AppError, cutText, printCanonicalJson } from '../../../base/index.ts'
import type { McpServer, Plan } from '../../../plan/index.ts'
import type { ResolveHost } from '../../network/resolve-host.ts'
import { requireProgram } from '../../process/find-program.ts'
import type { ProcessTable } from '../../process/spawn.ts'
import type { Isolation } from '../../sandbox/isolation.ts'
import { asAppError, type TransportFaults } from './mcp-fault.ts'
import { createGuardedFetch } from './mcp-http.ts'
import { type StartedServer, StdioTransport } from './mcp-stdio.ts'

export interface McpContext {
  readonly projectPath: string
  readonly permissions: Plan['permissions']
  /** Set when nobody has signed the server: what it fetches is not kept for signed ones. */
  readonly isUnsigned?: boolean | undefined
  /** Called now and then while a server starts, because its first start may have to fetch it. */
  readonly onStarting?: ((message: string, seconds: number) => void) | undefined
}

export interface McpParts {
  readonly table: ProcessTable
  readonly isolation: Isolation
  readonly resolveHost?: ResolveHost | undefined
}

export interface OpenedClient {
  readonly client: Client
  readonly faults: TransportFaults
}

type StdioServer = Extract<McpServer, { transport: 'stdio' }>
type HttpServer = Extract<McpServer, { transport: 'http' }>

const IDENTITY = { name: 'rye', version: '1' }

/** Throws an `AppError` that quotes the server. `timeoutMs` is for each handshake. */
export function openClient(
  server: McpServer,
  context: McpContext,
  parts: McpParts,
  timeoutMs: number,
): Promise<OpenedClient> {
  if (server.transport === 'http') return openHttp(server, context, parts, timeoutMs)
  const stop = tellOfStart(server, context.onStarting)
  return openStdio(server, context, parts, timeoutMs).finally(stop)
}

const TELL_MS = 2_000

function tellOfStart(server: StdioServer, onStarting: McpContext['onStarting']): () => void {
  if (onStarting === undefined) return () => {}
  const began = performance.now()
  const command = cutText([server.command, ...server.args].join(' '), 60)
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - began) / 1000)
    onStarting(`starting \`${command}\`: ${seconds} s`, seconds)
  }, TELL_MS)
  return () => clearInterval(timer)
}

async function openHttp(
  server: HttpServer,
  { projectPath }: McpContext,
  parts: McpParts,
  timeout: number,
): Promise<OpenedClient> {
  const mcp = await import('@modelcontextprotocol/client')
  const client = new mcp.Client(IDENTITY, { versionNegotiation: { mode: 'auto' } })
  const faults = createGuardedFetch(server, parts.resolveHost)
  const transport = new mcp.StreamableHTTPClientTransport(new URL(server.url), {
    fetch: faults.fetch,
    requestInit: { headers: { ...server.headers } },
  })
  // It may be the answer that a call waits for.
  transport.onerror = thrown => {
    if (!isMalformed(thrown)) return
    faults.refuse(
      new AppError('REMOTE_FAILED', `server \`${server.id}\` sent what is no message of the protocol`),
    )
    void client.close()
  }
  try {
    await client.connect(transport, { timeout })
    return { client, faults }
  } catch (thrown) {
    throw asAppError(thrown, { server, projectPath }, faults)
  }
}

/** Whether JSON or its form was wrong, and not the connection. */
function isMalformed(thrown: Error): boolean {
  return thrown instanceof SyntaxError || /^\$?ZodError$/.test(thrown.name)
}

async function openStdio(
  server: StdioServer,
  context: McpContext,
  parts: McpParts,
  timeout: number,
): Promise<OpenedClient> {
  const mcp = await import('@modelcontextprotocol/client')
  // Tries the older handshake first: an older server may exit when it gets the newer one, but not the other
  // way round.
  for (const mode of ['legacy', 'auto'] as const) {
    const client = new mcp.Client(IDENTITY, { versionNegotiation: { mode } })
    const transport = new StdioTransport(() => startServer(server, context, parts), mcp.isJSONRPCResponse)
    try {
      await client.connect(transport, { timeout })
      return { client, faults: transport }
    } catch (thrown) {
      await transport.close()
      if (mode === 'auto' || !(thrown instanceof mcp.ProtocolError))
        throw asAppError(thrown, { server, projectPath: context.projectPath }, transport)
    }
  }
  throw new Error('unreachable: both handshakes were tried')
}

async function startServer(
  server: StdioServer,
  context: McpContext,
  { table, isolation }: McpParts,
): Promise<StartedServer> {
  const { projectPath, permissions } = context
  const { request, takeRefused, release } = await isolation.isolate({
    command: requireProgram(server.command, server.env, server.mayUseProject ? undefined : projectPath),
    args: server.args,
    cwd: server.cwd,
    env: server.env,
    projectPath,
    permissions,
    readable: [],
    packageCaches: { owner: cacheOwner(server, context) },
  })
  try {
    const child = await table.start(request)
    void child.exited.then(release)
    return { child, takeRefused }
  } catch (thrown) {
    release()
    throw thrown
  }
}

/**
 * The owner of package caches: the same for everyone who starts the same program in the same way and place,
 * according to its signed definition. Undefined for an unsigned server.
 */
function cacheOwner(server: StdioServer, context: McpContext): string | undefined {
  const { digest: _, ...definition } = server
  return context.isUnsigned
    ? undefined
    : printCanonicalJson({ definition, project: context.projectPath, permissions: context.permissions })
}
