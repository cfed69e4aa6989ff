// `fetch` for the HTTP transport of an MCP server, through the guarded dialler: same checks as any HTTP tool, and a
// body that streams.
import { Readable } from 'node:stream'
import { AppError } from '../base/index.ts'
import type { McpServer } from '../chain/index.ts'
import { type ResolveHost, sendRequest } from './http-request.ts'
import type { TransportFaults } from './mcp-fault.ts'

const BODILESS = [101, 204, 205, 304]

export function createGuardedFetch(
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
    const hasBody = !BODILESS.includes(response.status)
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
    ending: () => undefined,
    evidence: () => '',
    takeRefusal() {
      const taken = refusal
      refusal = undefined
      return taken
    },
  }
}
