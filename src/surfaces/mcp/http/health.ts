// Health checks for a balancer. Anyone may ask, by any host name: the answers only tell whether requests may
// come.
import type { ServerResponse } from 'node:http'

/** `/healthz`: the process is alive. `/readyz`: it accepts requests. */
export const HEALTH_PATHS: readonly string[] = ['/healthz', '/readyz']

export async function answerHealth(
  path: string,
  response: ServerResponse,
  reason: () => Promise<string | undefined>,
): Promise<void> {
  const { method } = response.req
  if (method !== 'GET' && method !== 'HEAD') return answerText(response, 405, '{"status":"expected GET"}\n')
  const found = path === '/readyz' ? await reason() : undefined
  const body = { status: path === '/healthz' ? 'alive' : (found ?? 'ready') }
  answerText(response, found === undefined ? 200 : 503, `${JSON.stringify(body)}\n`)
}

export function answerText(
  response: ServerResponse,
  status: number,
  text: string,
  type = 'application/json',
): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...(status === 405 && { allow: 'GET' }),
  })
  response.end(response.req.method === 'HEAD' ? undefined : text)
  // Discards a body that nobody asked for.
  response.req.resume()
}
