// `fetch` for the HTTP transport of an MCP server: the same checks as for any HTTP tool, and a streamed body
// whose messages are bounded in size.
import stream from 'node:stream'
import { AppError } from '../../../base/index.ts'
import type { McpServer } from '../../../plan/index.ts'
import type { ResolveHost } from '../../network/resolve-host.ts'
import { sendRequest } from '../http/http-request.ts'
import type { TransportFaults } from './mcp-fault.ts'

const BODILESS = [101, 204, 205, 304]
const MESSAGE_BYTES = 8 * 1024 * 1024

export interface GuardedFetch extends TransportFaults {
  readonly fetch: typeof fetch
  /** Notes why the connection is about to be closed. */
  refuse(reason: AppError): void
}

export function createGuardedFetch(
  server: Extract<McpServer, { transport: 'http' }>,
  resolveHost: ResolveHost | undefined,
): GuardedFetch {
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
    const { status, headers } = response
    if (BODILESS.includes(status)) return new Response(null, { status, headers })
    const isEventStream = new Headers(headers).get('content-type')?.startsWith('text/event-stream') ?? false
    const bound = boundMessages(isEventStream, () => {
      refusal = tooLarge(server.id)
      return refusal
    })
    const bounded = stream.pipeline(response.body, bound, () => {})
    // Node's stream types and the global ones describe the same object.
    return new Response(stream.Readable.toWeb(bounded) as ReadableStream, { status, headers })
  }
  return {
    fetch: (input, init) =>
      send(input, init).catch(thrown => {
        if (thrown instanceof AppError) refusal = thrown
        throw thrown
      }),
    refuse(reason) {
      refusal = reason
    },
    ending: () => undefined,
    evidence: () => '',
    takeRefusal() {
      const taken = refusal
      refusal = undefined
      return taken
    },
  }
}

/** A message is one line of an event stream, or the whole of any other body. */
function boundMessages(isEventStream: boolean, onExcess: () => AppError): stream.Transform {
  let bytes = 0
  return new stream.Transform({
    transform(chunk: Buffer, _encoding, done) {
      const lineEnd = isEventStream ? chunk.lastIndexOf(10) : -1
      bytes = lineEnd === -1 ? bytes + chunk.length : chunk.length - lineEnd - 1
      if (bytes > MESSAGE_BYTES) done(onExcess())
      else done(null, chunk)
    },
  })
}

function tooLarge(id: string): AppError {
  return new AppError(
    'OUTPUT_TOO_LARGE',
    `server \`${id}\` sent a message of more than ${MESSAGE_BYTES} bytes`,
  )
}
