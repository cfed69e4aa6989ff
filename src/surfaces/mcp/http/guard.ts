// Who may speak to the HTTP server, before any token is looked at: a local page cannot (Origin), a rebound name cannot (Host). Pure:
// from the headers to a refusal, or none.

export interface Refusal {
  readonly status: 403 | 404
  readonly message: string
}

/** Names by which this server may be called, with port, in lower case: `127.0.0.1:4477`; behind a balancer, the name that clients know. */
export interface Guard {
  readonly hosts: readonly string[]
}

export interface Headers {
  readonly host?: string | undefined
  readonly origin?: string | undefined
}

/** What is served to those who hold a token. */
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

/** The token of a request; empty when there is none. */
export function bearerOf(authorization: string | undefined): string {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? ''
}
