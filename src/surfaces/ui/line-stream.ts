// A response with one JSON value per line, sent as they come. The work is cancelled when the page stops
// listening.
import { PAGE_HEADERS } from './page-headers.ts'

export type Send = (value: object) => void

export function streamLines(
  signal: AbortSignal,
  work: (send: Send, signal: AbortSignal) => Promise<void>,
): Response {
  const gone = new AbortController()
  if (signal.aborted) gone.abort()
  signal.addEventListener('abort', () => gone.abort())
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send: Send = value => {
        if (!gone.signal.aborted) controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`))
      }
      // Headers are sent with the first bytes, and the page waits for them.
      controller.enqueue(encoder.encode('\n'))
      work(send, gone.signal).then(
        () => gone.signal.aborted || controller.close(),
        thrown => gone.signal.aborted || controller.error(thrown),
      )
    },
    cancel: () => gone.abort(),
  })
  return new Response(body, { headers: { ...PAGE_HEADERS, 'content-type': 'application/x-ndjson' } })
}
