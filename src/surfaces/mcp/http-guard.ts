// Who may speak to the HTTP server: a local page cannot (Origin), a rebound name cannot (Host), and nobody can
// without the token. Pure: from the headers to a refusal, or none.
import { createHash, timingSafeEqual } from 'node:crypto'

export interface Refusal {
  readonly status: 401 | 403 | 404
  readonly message: string
}

export interface Guard {
  readonly token: string
  /** Names by which this server may be called, with port, in lower case: `127.0.0.1:4477`. */
  readonly hosts: readonly string[]
}

export interface Headers {
  readonly host?: string | undefined
  readonly origin?: string | undefined
  readonly authorization?: string | undefined
}

export function refusalOf(guard: Guard, path: string, headers: Headers): Refusal | undefined {
  if (!guard.hosts.includes(headers.host?.toLowerCase() ?? '')) {
    return { status: 403, message: `expected Host to be one of ${guard.hosts.join(', ')}` }
  }
  if (headers.origin !== undefined && !guard.hosts.some(host => headers.origin === `http://${host}`)) {
    return { status: 403, message: 'expected no Origin, or this server as Origin' }
  }
  if (path !== '/mcp') return { status: 404, message: 'expected the path /mcp' }
  if (!holdsToken(guard.token, headers.authorization)) {
    return {
      status: 401,
      message: 'expected `Authorization: Bearer` with the token that the server printed at its start',
    }
  }
  return undefined
}

/** Digests are compared, so that neither the length nor the time tells anything of the token. */
function holdsToken(token: string, authorization: string | undefined): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? ''
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(token), digest(given))
}
