// Who may use a shared server, and what each user may do: a file of tokens, which holds only their digests. A
// fault anywhere refuses the whole file, naming the line: a token that was meant to be narrower must never
// apply as it stands.
import { isAbsolute } from 'node:path'
import { AppError, firstLineOf, isRecord, nearest, quoteText, shortenText } from '../../base/index.ts'
import { SPACES, type Space } from '../../item/index.ts'

/**
 * What a token may allow. `network`, `secrets` and `write` are about what runs or is written for its owner.
 */
export const PERMISSIONS = [
  'search',
  'load',
  'execute',
  'sign',
  'write',
  'network',
  'secrets',
  'metrics',
] as const

export type Permission = (typeof PERMISSIONS)[number]

/** What one user may do. */
export interface Grant {
  /** The name of the token. */
  readonly user: string
  /** Absolute paths of projects, or of folders with projects in them. */
  readonly projects: readonly string[]
  /** The spaces whose items are visible; the system space always is. */
  readonly spaces: readonly Space[]
  readonly permissions: readonly Permission[]
}

export interface AccessToken extends Grant {
  /** SHA-256 of the token, in hexadecimal. */
  readonly sha256: string
  /** Calls per minute. */
  readonly rate: number
  /** Calls running at the same time. */
  readonly concurrency: number
  /** Calls that may wait until one of those ends. */
  readonly queue: number
  /** The last day on which it is valid: `2027-01-31`. Absent when it does not expire. */
  readonly until?: string
}

export const TOKEN_DEFAULTS = {
  spaces: ['project', 'user'],
  permissions: ['search', 'load', 'execute'],
  rate: 600,
  concurrency: 8,
  queue: 32,
} as const satisfies Partial<AccessToken>

/** Limits of a token's numbers. */
export const TOKEN_BOUNDS = {
  rate: { minimum: 1, maximum: 1_000_000 },
  concurrency: { minimum: 1, maximum: 1000 },
  queue: { minimum: 0, maximum: 10_000 },
} as const

const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/

/** Digest of the empty string: a request without a token would match it. */
const OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

interface Key {
  readonly expected: string
  readonly required?: true
  accepts(value: unknown): boolean
}

const KEYS: Readonly<Record<string, Key>> = {
  name: {
    expected: 'a name of letters, digits, `.`, `_`, `@` and `-`, at most 64 of them',
    required: true,
    accepts: value => typeof value === 'string' && NAME.test(value),
  },
  sha256: {
    expected: 'a SHA-256 in 64 lower-case hexadecimal digits',
    required: true,
    accepts: value => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) && value !== OF_NOTHING,
  },
  projects: {
    expected: 'a list of absolute paths',
    required: true,
    accepts: value =>
      isList(
        value,
        path => isAbsolute(path) && !/^\/+$/.test(path) && !/[\0\n]/.test(path) && !isClimbing(path),
      ),
  },
  spaces: {
    expected: `a list of ${SPACES.join(', ')}`,
    required: true,
    accepts: value => isList(value, space => (SPACES as readonly string[]).includes(space)),
  },
  permissions: {
    expected: `a list of ${PERMISSIONS.join(', ')}`,
    required: true,
    accepts: value => isList(value, word => (PERMISSIONS as readonly string[]).includes(word)),
  },
  rate: count(TOKEN_BOUNDS.rate),
  concurrency: count(TOKEN_BOUNDS.concurrency),
  queue: count(TOKEN_BOUNDS.queue),
  until: {
    expected: 'a date such as "2027-01-31"',
    accepts: value => typeof value === 'string' && isDate(value),
  },
}

/** Throws `CONFIG_INVALID` naming file, line, key and what was expected. */
export async function parseAccessTokens(path: string, text: string): Promise<readonly AccessToken[]> {
  const { parse } = await import('smol-toml')
  let document: Record<string, unknown>
  try {
    document = parse(text)
  } catch (error) {
    const line = isRecord(error) && typeof error.line === 'number' ? error.line : 1
    throw faultAt(path, line, `not valid TOML: ${shortenText(firstLineOf(error), 120)}`, error)
  }
  const { version, token = [], ...others } = document
  const fault = (message: string, key: string) => faultAt(path, lineOf(text, undefined, key), message)
  if (version !== 1) throw fault(`expected \`version = 1\`, got ${shown(version)}`, 'version')
  const other = Object.keys(others)[0]
  if (other !== undefined) throw fault(`unknown key ${quoteText(other)}; tokens are \`[[token]]\``, other)
  if (!Array.isArray(token)) throw fault('expected tokens as `[[token]]`', 'token')
  const tokens = token.map((entry: unknown, index) =>
    readToken(entry, (message, key) => {
      throw faultAt(path, lineOf(text, index, key), message)
    }),
  )
  for (const [index, { user, sha256 }] of tokens.entries()) {
    const first = tokens.find(other => other.user === user || other.sha256 === sha256)!
    if (first === tokens[index]) continue
    const key = first.user === user ? 'name' : 'sha256'
    throw faultAt(
      path,
      lineOf(text, index, key),
      `\`${key}\` is that of an earlier token, ${quoteText(first.user)}`,
    )
  }
  return tokens
}

function readToken(entry: unknown, refuse: (message: string, key?: string) => never): AccessToken {
  if (!isRecord(entry)) return refuse('expected a table')
  for (const key of Object.keys(entry)) {
    if (Object.hasOwn(KEYS, key)) continue
    const close = nearest(key, Object.keys(KEYS))[0]
    refuse(`unknown key ${quoteText(key)}${close ? `; did you mean \`${close}\`?` : ''}`, key)
  }
  for (const [key, { expected, required, accepts }] of Object.entries(KEYS)) {
    const value = entry[key]
    if (value === undefined) {
      if (required) refuse(`\`${key}\` is missing: expected ${expected}`)
    } else if (!accepts(value)) refuse(`expected \`${key}\` to be ${expected}, got ${shown(value)}`, key)
  }
  const { name, ...rest } = entry
  // Each field was checked above.
  return { ...TOKEN_DEFAULTS, ...rest, user: name } as unknown as AccessToken
}

/** The tokens as TOML, which `parseAccessTokens` reads back unchanged. */
export function printAccessTokens(tokens: readonly AccessToken[]): string {
  const head =
    '# Who may use the server, and for what. Only digests of tokens are kept; `rye mcp grant` adds one.\nversion = 1\n'
  const tables = tokens.map(
    ({ user, sha256, projects, spaces, permissions, rate, concurrency, queue, until }) => {
      const values = { name: user, sha256, projects, spaces, permissions, rate, concurrency, queue, until }
      // JSON strings, numbers and lists of strings are valid TOML too.
      const lines = Object.entries(values).flatMap(([key, value]) =>
        value === undefined ? [] : [`${key} = ${JSON.stringify(value).replaceAll('\x7f', '\\u007f')}`],
      )
      return `\n[[token]]\n${lines.join('\n')}\n`
    },
  )
  return head + tables.join('')
}

export function isTokenName(text: string): boolean {
  return NAME.test(text)
}

export function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true
}

interface Bounds {
  readonly minimum: number
  readonly maximum: number
}

function count({ minimum, maximum }: Bounds): Key {
  return {
    expected: `a whole number from ${minimum} to ${maximum}`,
    accepts: value => Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
  }
}

function isList(value: unknown, accepts: (entry: string) => boolean): boolean {
  return Array.isArray(value) && value.every(entry => typeof entry === 'string' && accepts(entry))
}

function isClimbing(path: string): boolean {
  return path.split('/').some(part => part === '..' || part === '.')
}

function shown(value: unknown): string {
  return quoteText(JSON.stringify(value) ?? String(value), 120)
}

function faultAt(path: string, line: number, message: string, cause?: unknown): AppError {
  return new AppError('CONFIG_INVALID', `\`${path}\`, line ${line}: ${message}`, {
    cause,
    hint: 'no token is accepted while the file has an error: fix this line',
  })
}

/** The line of a key, or of its table if the key is absent. Without an index: in the whole document. */
function lineOf(text: string, index: number | undefined, key: string | undefined): number {
  const lines = text.split('\n')
  const heads = lines.flatMap((line, at) => (/^\s*\[\[\s*"?token"?\s*\]\]/.test(line) ? [at] : []))
  const start = index === undefined ? 0 : (heads[index] ?? 0)
  const end = index === undefined ? lines.length : (heads[index + 1] ?? lines.length)
  const at = lines.slice(start, end).findIndex(line => key !== undefined && keyAt(line) === key)
  return start + Math.max(0, at) + 1
}

function keyAt(line: string): string | undefined {
  const found = /^\s*\[*\s*(?:"((?:[^"\\])*)"|([\w-]+))\s*(?:=|\]|\.)/.exec(line)
  return found?.[1] ?? found?.[2]
}
