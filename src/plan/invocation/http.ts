// Plans an HTTP request. A caller's text is percent-encoded in a URL and cannot be part of its host, so it
// chooses data and never the destination. Only if the whole `url` is one parameter does the caller choose the
// destination, which is checked like any other.
import { AppError, isRecord, type JsonObject, type JsonValue, quoteText } from '../../base/index.ts'
import { configOf } from '../configuration/configuration.ts'
import {
  expandPieces,
  expandText,
  expandValue,
  printValue,
  type TemplateScope,
  wholeName,
} from '../configuration/template.ts'
import type { Environment } from '../environment/environment.ts'
import type { HttpInvocation, VerifiedTool } from '../types.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/
const MAX_ATTEMPTS = 10

export function planHttp(config: JsonObject, scope: TemplateScope, environment: Environment): HttpInvocation {
  const allowPrivate = config.allow_private === true
  const url = checkUrl(
    withQuery(expandUrl(textOf(config.url, 'url'), scope), config.query, scope),
    allowPrivate,
  )
  const { headers, credentialHeaders } = planHeaders(config, scope, environment)
  const method = textOf(config.method ?? 'GET', 'method').toUpperCase()
  if (!METHODS.includes(method)) {
    throw invalid(`expected method to be one of ${METHODS.join(', ')}, got \`${method}\``)
  }
  const body = config.body === undefined ? null : (expandValue(config.body, scope) ?? null)
  return {
    kind: 'http',
    method,
    url,
    headers,
    credentialHeaders,
    body,
    retry: readRetry(config.retry),
    allowPrivate,
  }
}

/** The headers and `auth` of a request or of an MCP server. */
export function planHeaders(
  config: JsonObject,
  scope: TemplateScope,
  environment: Environment,
): { headers: Record<string, string>; credentialHeaders: string[] } {
  const headers: Record<string, string> = Object.create(null)
  const credentials = new Set<string>()
  const put = (name: string, value: string) => {
    if (!HEADER_NAME.test(name)) throw invalid(`\`${name}\` is not a header name`)
    if (/[\r\n\0]/.test(value)) throw invalid(`header \`${name}\` contains a line break`)
    headers[name] = value
    if (name.toLowerCase() === 'authorization' || holdsSecret(value, environment))
      credentials.add(name.toLowerCase())
  }
  if (config.headers !== undefined && config.headers !== null && !isRecord(config.headers)) {
    throw invalid('`headers` must be an object')
  }
  for (const [name, value] of Object.entries((config.headers ?? {}) as JsonObject)) {
    const expanded = expandValue(value, scope)
    if (expanded !== undefined) put(name, printValue(expanded))
  }
  const auth = readAuth(config.auth, environment)
  if (auth !== undefined) {
    put(auth.header, auth.value)
    credentials.add(auth.header.toLowerCase())
  }
  return { headers, credentialHeaders: [...credentials] }
}

/** Only http and https, without user or password; plain http only if private addresses are allowed. */
export function checkUrl(text: string, allowPrivate: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) throw invalid(`expected an absolute URL, got ${quoteText(text, 200)}`)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new AppError('NETWORK_REFUSED', `expected an https URL, got \`${url.protocol}\``)
  }
  if (url.username !== '' || url.password !== '') {
    throw new AppError('NETWORK_REFUSED', `the URL of ${url.host} contains a user or password`, {
      hint: 'declare `auth` instead',
    })
  }
  if (url.protocol === 'http:' && !allowPrivate) {
    throw new AppError('NETWORK_REFUSED', `expected an https URL, got http for ${url.host}`, {
      hint: '`allow_private: true` in the signed item allows plain http and private addresses',
    })
  }
  return url.href
}

function expandUrl(declared: string, scope: TemplateScope): string {
  if (wholeName(declared) !== undefined) return expandText(declared, scope)
  let url = ''
  for (const piece of expandPieces(declared, scope)) {
    if (piece.from === 'configuration') url += piece.text
    else if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#]+[/?#]/i.test(url)) {
      throw new AppError(
        'CONFIG_INVALID',
        `\`${declared}\`: the host of a URL cannot be decided by a parameter`,
      )
    } else url += encodePart(piece.text)
  }
  // Checked after expansion, because `.{a}` with the value `.` is `..` too.
  const path = url.split(/[?#]/, 1)[0]!
  if (path.split(/[\\/]/).some(segment => DOT_SEGMENT.test(segment))) {
    throw new AppError(
      'PARAMETERS_INVALID',
      `\`${declared}\`: a segment \`.\` or \`..\` would change the path of the URL`,
    )
  }
  return url
}

/** A segment that a URL parser resolves: `.`, `..`, also percent-encoded. */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i

function encodePart(value: JsonValue): string {
  const text = printValue(value)
  if (/\p{Surrogate}/u.test(text)) {
    throw new AppError('PARAMETERS_INVALID', 'a value for a URL is not well-formed text')
  }
  return encodeURIComponent(text)
}

function withQuery(url: string, query: JsonValue | undefined, scope: TemplateScope): string {
  if (query === undefined || query === null) return url
  const expanded = isRecord(query) ? expandValue(query as JsonValue, scope) : undefined // `isRecord` keeps it JSON
  if (!isRecord(expanded)) throw invalid('`query` must be an object')
  const pairs = Object.entries(expanded as JsonObject).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map(entry => `${encodePart(name)}=${encodePart(entry)}`),
  )
  if (pairs.length === 0) return url
  const hash = url.indexOf('#')
  const base = hash === -1 ? url : url.slice(0, hash)
  return `${base}${base.includes('?') ? '&' : '?'}${pairs.join('&')}`
}

/**
 * The host of an address as a request reads it, however it is spelled: `https:\\A.ORG` gives `a.org`. Returns
 * the address as written when a variable or a setting decides the host.
 */
export function hostOfAddress(url: string): string {
  const [beginning] = /^(?:[a-z][a-z0-9+.-]*:)?[\\/]*[^\\/?#]*/i.exec(url)!
  const host = !beginning.includes('{') && URL.canParse(url) ? new URL(url).host : ''
  return host === '' || /[{}]/.test(host) ? url : host
}

/**
 * Whether the caller chooses the host of a request: when the whole address is a parameter, not a setting of
 * the tool.
 */
export function isUrlOfCaller(
  url: JsonValue | undefined,
  element: Pick<VerifiedTool, 'id' | 'metadata'>,
): boolean {
  const name = typeof url === 'string' ? wholeName(url) : undefined
  const { tool_type: kind } = element.metadata
  // Parameters never reach the definition of a server.
  if (name === undefined || kind === 'mcp_server') return false
  if (!name.startsWith('config.')) return true
  // In a runtime, `{config.NAME}` is a setting of whichever tool it runs.
  return kind !== 'runtime' && !Object.hasOwn(configOf(element), name.slice('config.'.length))
}

/**
 * The secrets that an `auth` names, written like entries of `secrets`. A variable in its text is a secret,
 * and may be missing if it has a fallback.
 */
export function authSecrets(declared: JsonValue | undefined): string[] {
  if (!isRecord(declared)) return []
  if (typeof declared.secret === 'string') return [declared.secret]
  return [declared.token, declared.key].flatMap(text => (typeof text === 'string' ? variablesIn(text) : []))
}

function variablesIn(text: string): string[] {
  const found = text.matchAll(/\$\{([A-Za-z_]\w{0,127})(:-)?/g)
  return Array.from(found, ([, name, fallback]) => (fallback === undefined ? name! : `${name}?`))
}

/** `{type: bearer, token}` or `{type: api_key, key, header}`. */
function readAuth(
  declared: JsonValue | undefined,
  environment: Environment,
): { header: string; value: string } | undefined {
  if (declared === undefined || declared === null) return undefined
  if (!isRecord(declared)) throw invalid('`auth` must be an object')
  const credential = (key: string): string | undefined => {
    if (typeof declared.secret === 'string') return environment.useSecret(declared.secret)
    const text = textOf(declared[key] as JsonValue, `auth.${key}`)
    for (const entry of variablesIn(text)) environment.useSecret(entry)
    return environment.expand(text)
  }
  if (declared.type === 'bearer') {
    const token = credential('token')
    return token === undefined ? undefined : { header: 'Authorization', value: `Bearer ${token}` }
  }
  if (declared.type === 'api_key') {
    const header =
      declared.header === undefined ? 'X-API-Key' : textOf(declared.header as JsonValue, 'auth.header')
    const value = credential('key')
    return value === undefined ? undefined : { header, value }
  }
  throw invalid(`expected auth type bearer or api_key, got ${quoteText(declared.type)}`)
}

function readRetry(declared: JsonValue | undefined): HttpInvocation['retry'] {
  const fields = isRecord(declared) ? declared : {}
  const attempts = fields.max_attempts ?? fields.attempts ?? 1
  const backoff = fields.backoff ?? 'exponential'
  if (!Number.isInteger(attempts) || Number(attempts) < 1 || Number(attempts) > MAX_ATTEMPTS) {
    throw invalid(`expected retry.max_attempts from 1 to ${MAX_ATTEMPTS}, got ${quoteText(attempts)}`)
  }
  if (backoff !== 'exponential' && backoff !== 'linear') {
    throw invalid(`expected retry.backoff exponential or linear, got ${quoteText(backoff)}`)
  }
  return { attempts: Number(attempts), backoff }
}

function holdsSecret(value: string, environment: Environment): boolean {
  return [...environment.secrets].some(secret => value.includes(secret))
}

function textOf(value: JsonValue | undefined, key: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw invalid(`\`${key}\` must be a string`)
}

function invalid(message: string): AppError {
  return new AppError('CONFIG_INVALID', message)
}
