// Who may talk to the server of the page. Pages of other origins may not (Origin, Sec-Fetch-Site), nor may a
// rebound host name (Host), nor anyone without the session. A browser sends the cookie to every port of this
// machine, so a server on another port may learn it: anything that reads or changes the library also needs a
// key, which the page keeps for its own origin alone. Pure: the facts of a request in, a refusal or undefined
// out.
import { createHash, timingSafeEqual } from 'node:crypto'

export interface Session {
  /** The browser sends it with every request. */
  readonly cookie: string
  /** The page sends it with each call. */
  readonly key: string
}

export interface Guard {
  /** Host names of this server, with port: `127.0.0.1:4478`. */
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

/** The checks for every request, including the one that brings the token. */
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
  // `none` is an address that was typed, or opened by another program. Following a link from another site may
  // open the page, but not make a call.
  if (isCall && site !== undefined && site !== 'same-origin')
    return { status: 403, message: 'expected a call from the page itself' }
  return undefined
}

const NO_SESSION =
  'expected the address that `rye ui` printed when it started; it opens one browser only: for another, start `rye ui` again'

/** The checks for every request but the one that brings a valid token. */
export function refuseWithoutSession(guard: Guard, request: RequestFacts): Refusal | undefined {
  // Another port can set a cookie of the same name. The browser sends both, and the other must not hide ours.
  if (!cookiesOf(guard, request).some(cookie => isSame(cookie, guard.session.cookie)))
    return { status: 401, message: NO_SESSION }
  if (!request.path.startsWith('/api/')) return undefined
  if (isSame(request.header(KEY_HEADER) ?? '', guard.session.key)) return undefined
  return { status: 401, message: `expected ${KEY_HEADER} with the key of this page` }
}

/** Compares digests, so neither the length nor the timing reveals anything about the secret. */
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
