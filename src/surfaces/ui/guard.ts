// Who may speak to the server of the page. A page of another origin cannot (Origin, Sec-Fetch-Site), a rebound name cannot (Host),
// and nobody can without the session. A browser sends the cookie to every port of this machine, so whoever serves another one may
// learn it: what reads or changes the library asks for a key besides, which the page keeps for its own origin alone.
// Pure: from the facts of a request to a refusal, or none.
import { createHash, timingSafeEqual } from 'node:crypto'

export interface Session {
  /** Sent by the browser with everything. */
  readonly cookie: string
  /** Sent by the page with each call. */
  readonly key: string
}

export interface Guard {
  /** Names by which this server may be called, with port: `127.0.0.1:4478`. */
  readonly hosts: readonly string[]
  readonly cookieName: string
  readonly session: Session
}

export interface RequestFacts {
  readonly method: string
  readonly path: string
  header(name: string): string | undefined
}

export interface Refusal {
  readonly status: 401 | 403 | 405
  readonly message: string
}

export const KEY_HEADER = 'x-rye-key'

/** What holds for every request, also for the one that brings the token. */
export function refuseStranger({ hosts }: Guard, request: RequestFacts): Refusal | undefined {
  const { method, path } = request
  if (!hosts.includes(request.header('host')?.toLowerCase() ?? ''))
    return { status: 403, message: `expected Host to be one of ${hosts.join(', ')}` }
  const isCall = path.startsWith('/api/')
  if (method !== (isCall ? 'POST' : 'GET'))
    return { status: 405, message: `expected ${isCall ? 'POST' : 'GET'}, got ${method}` }
  const origin = request.header('origin')
  const isOwn = origin !== undefined && hosts.some(host => origin === `http://${host}`)
  if (!isOwn && (isCall || origin !== undefined))
    return { status: 403, message: 'expected this server as Origin' }
  const site = request.header('sec-fetch-site')
  // `none` is what was typed or opened by another program; only a page may come from another site, by a link.
  if (isCall && site !== undefined && site !== 'same-origin')
    return { status: 403, message: 'expected a call of the page itself' }
  return undefined
}

const NO_SESSION =
  'expected the address that `rye ui` printed when it started; it opens one browser only: for another, start `rye ui` again'

/** What holds once the token was exchanged. */
export function refuseWithoutSession(guard: Guard, request: RequestFacts): Refusal | undefined {
  // Another port can set a cookie of the same name: it is sent besides ours, and must not hide it.
  if (!cookiesOf(guard, request).some(cookie => isSame(cookie, guard.session.cookie)))
    return { status: 401, message: NO_SESSION }
  if (!request.path.startsWith('/api/')) return undefined
  if (isSame(request.header(KEY_HEADER) ?? '', guard.session.key)) return undefined
  return { status: 401, message: `expected ${KEY_HEADER} with the key of this page` }
}

/** Digests are compared, so that neither the length nor the time tells anything of the secret. */
export function isSame(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(secret))
}

function cookiesOf({ cookieName }: Guard, request: RequestFacts): string[] {
  const pairs = (request.header('cookie') ?? '').split(';').map(pair => pair.trim())
  return pairs
    .filter(pair => pair.startsWith(`${cookieName}=`))
    .map(pair => pair.slice(cookieName.length + 1))
}
