// The files that say who may use a server: one with a single token, for one person, or one with the tokens of
// several users. Both must be closed to others: anyone who can change the second can let anybody in.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { dirname } from 'node:path'
import { AppError, quoteShellWord } from '../../base/index.ts'
import {
  acquireMutex,
  atomicWrite,
  type FileState,
  fileState,
  isSameState,
  isSettled,
  readFile,
  stateAt,
} from '../../files/index.ts'
import { type AccessToken, parseAccessTokens, printAccessTokens } from './tokens.ts'

const TOKEN_BYTES = 4096
const TOKENS_BYTES = 4 * 1024 * 1024
const MIN_LENGTH = 16
const MUTEX = { waitMs: 10_000, holdMs: 10_000 }

/** 256 random bits. The prefix lets secret scanners recognise a leaked token. */
export function makeToken(): string {
  return `rye_${randomBytes(32).toString('base64url')}`
}

/** A plain digest is enough: nobody can guess 256 random bits, so a slow hash would gain nothing. */
export function digestToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Compares two hexadecimal digests in constant time. */
export function isSameDigest(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'))
}

/** The one token in a file. */
export function readTokenFile(path: string): string {
  const token = readPrivate(path, TOKEN_BYTES, 'token').text.trim()
  if (token.length >= MIN_LENGTH && !/\s/.test(token)) return token
  throw new AppError('INVALID_INPUT', `expected one word of at least ${MIN_LENGTH} characters in \`${path}\``)
}

/** The tokens of several users. */
export async function readAccessTokens(path: string): Promise<readonly AccessToken[]> {
  return parseAccessTokens(path, readPrivate(path, TOKENS_BYTES, 'tokens').text)
}

/** Changes the tokens of a file, which need not exist. Concurrent changes are not lost. */
export async function changeAccessTokens(
  path: string,
  change: (tokens: readonly AccessToken[]) => readonly AccessToken[],
): Promise<void> {
  const mutex = await acquireMutex(`${path}.lock`, { ...MUTEX, subject: `\`${path}\`` })
  try {
    const tokens = stateAt(path) === undefined ? [] : await readAccessTokens(path)
    atomicWrite(path, printAccessTokens(change(tokens)), { root: dirname(path), mode: 0o600 })
  } finally {
    mutex.release()
  }
}

/** The current tokens of a file, read again when it may have changed. Throws while the file has a fault. */
export function watchAccessTokens(path: string): () => Promise<readonly AccessToken[]> {
  let known: { readonly state: FileState; readonly tokens: readonly AccessToken[] } | undefined
  return async () => {
    const now = stateAt(path)
    if (known && now && isSameState(known.state, now)) return known.tokens
    const startedAt = Date.now()
    const { text, state } = readPrivate(path, TOKENS_BYTES, 'tokens')
    const tokens = await parseAccessTokens(path, text)
    known = isSettled(state, startedAt) ? { state, tokens } : undefined
    return tokens
  }
}

function readPrivate(path: string, maxBytes: number, what: string): { text: string; state: FileState } {
  const file = readFile(path, { maxBytes })
  if (!file) throw new AppError('FILE_UNREADABLE', `no ${what} file at \`${path}\``)
  if (process.platform !== 'win32' && (file.stat.mode & 0o077) !== 0) {
    throw new AppError('POLICY_DENIED', `others can read the ${what} file \`${path}\``, {
      hint: `chmod 600 ${quoteShellWord(path)}`,
    })
  }
  return { text: file.bytes.toString('utf8'), state: fileState(file.stat) }
}
