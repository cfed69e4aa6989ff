// One request to a registry, reading or changing it. Every answer is bounded and read like a stranger's; a
// failure says what fixes it.
import { AppError, isTextDeeperThan } from '../../base/index.ts'
import type { Registry } from '../settings/choose-registry.ts'
import { explainAnswer } from './explain-answer.ts'
import type { Send, Sent } from './send.ts'

/** A registry, and how to reach it. */
export interface Endpoint {
  readonly registry: Registry
  readonly send: Send
}

const ANSWER_BYTES = 20_000_000
const MOST_DEPTH = 64
const JSON_TYPE = 'application/json'

export function addressIn({ registry }: Endpoint, path: string): URL {
  return new URL(path, registry.url)
}

/** A name with a scope is one segment of the path. */
export function pathOf(name: string): string {
  return name.replace('/', '%2f')
}

/** Undefined when there is nothing at the address, or nothing that may be seen. */
export async function ask(
  { registry, send }: Endpoint,
  url: URL,
  { what, mostBytes = ANSWER_BYTES }: { readonly what: string; readonly mostBytes?: number },
): Promise<unknown> {
  const answer = await send({ url, accept: JSON_TYPE, mostBytes })
  if (answer.status === 404) return undefined
  if (answer.status !== 200) throw failed(what, explainAnswer(registry, answer))
  return (
    readJson(answer.body) ??
    fail(`${what}: expected JSON, got something else: is ${registry.url} an npm registry?`)
  )
}

export async function change(
  { registry, send }: Endpoint,
  sent: Omit<Sent, 'mostBytes'>,
  { what, otp }: { readonly what: string; readonly otp: string | undefined },
): Promise<void> {
  const headers = { ...(otp !== undefined && { 'npm-otp': otp }) }
  const answer = await send({ accept: JSON_TYPE, ...sent, headers, mostBytes: ANSWER_BYTES }).catch(
    thrown => {
      throw unsure(what, thrown)
    },
  )
  if (answer.status >= 200 && answer.status < 300) return
  throw failed(what, explainAnswer(registry, answer))
}

function readJson(body: Buffer): unknown {
  const text = body.toString('utf8')
  if (isTextDeeperThan(text, MOST_DEPTH)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const UNSURE = 'it may or may not have been done: check with'

/** For a change without a clear answer: it may or may not have been made. */
function unsure(what: string, thrown: unknown): unknown {
  if (!(thrown instanceof AppError)) return thrown
  const { code, message, details } = thrown
  const refused = code === 'NETWORK_REFUSED'
  return new AppError(code, `${what}: ${message}`, {
    hint: refused ? thrown.hint : { agent: `${UNSURE} show`, person: `${UNSURE} \`rye registry show\`` },
    details,
    cause: thrown,
  })
}

export function failed(what: string, why: string): AppError {
  return new AppError('REMOTE_FAILED', `${what}: ${why}`)
}

export function fail(message: string): never {
  throw new AppError('REMOTE_FAILED', message)
}
