// Who may talk to the HTTP server, checked before any token: pages of other origins may not (Origin), nor may
// a rebound host name (Host). Pure: headers in, a refusal or undefined out.

export interface Refusal {
  readonly status: 403 | 404
  readonly message: string
}

/**
 * Host names of this server, with port, in lower case: `127.0.0.1:4477`; behind a balancer, the name that
 * clients know.
 */
export interface Guard {
  readonly hosts: readonly string[]
}

export interface Headers {
  readonly host?: string | undefined
  readonly origin?: string | undefined
}

/** Paths served to holders of a token. */
export const PATHS = ['/mcp', '/metrics'] as const

export function refusalOf(guard: Guard, path: string, headers: Headers): Refusal | undefined {
  if (!guard.hosts.includes(headers.host?.toLowerCase() ?? '')) {
    return { status: 403, message: `expected Host to be one of ${[...new Set(guard.hosts)].join(', ')}` }
  }
  const origins = guard.hosts.flatMap(host => [`http://${host}`, `https://${host}`])
  if (headers.origin !== undefined && !origins.includes(headers.origin)) {
    return { status: 403, message: 'expected no Origin, or this server as Origin' }
  }
  if (!(PATHS as readonly string[]).includes(path)) return { status: 404, message: 'expected the path /mcp' }
  return undefined
}

/** The bearer token of a request; empty when there is none. */
export function bearerOf(authorization: string | undefined): string {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? ''
}
