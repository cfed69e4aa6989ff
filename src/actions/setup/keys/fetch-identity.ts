// Fetches an identity document from an address. The address does not prove whose key it is, so the person
// compares the fingerprint with its owner.
import { AppError, firstLineOf, isLoopback, quoteText } from '../../../base/index.ts'
import { fingerprintWords, type Identity, MAX_IDENTITY_BYTES, parseIdentity } from '../../../trust/index.ts'
import type { ActionContext } from '../../definition/action.ts'

const TIME_MS = 20_000

export function isKeyAddress(name: string): boolean {
  return /^https?:\/\//.test(name)
}

/** Throws `INVALID_INPUT` unless the person confirms the fingerprint or passed it in. */
export async function fetchIdentity(
  context: ActionContext,
  address: string,
  expected: string | undefined,
): Promise<Identity> {
  const identity = await parseIdentity(await download(context, address))
  const { fingerprint, owner } = identity
  if (expected === fingerprint) return identity
  const words = fingerprintWords(fingerprint)
  const found = `${address} has the key ${fingerprint} (${words}) of ${quoteText(owner)}`
  if (expected !== undefined) throw new AppError('KEY_INVALID', `${found}, expected ${expected}`)
  const text = `${found}.\nCompare these words with its owner, by telephone for example. Is it the same key?`
  if (await context.confirm?.({ text, subject: fingerprint })) return identity
  throw new AppError('INVALID_INPUT', `${found}, which nobody has compared`, {
    hint: `compare the words with its owner, then: rye keys trust ${address} --fingerprint ${fingerprint}`,
  })
}

async function download({ signal }: ActionContext, address: string): Promise<string> {
  const url = URL.canParse(address) ? new URL(address) : undefined
  // The error does not repeat the address, which may contain a password.
  if (url === undefined || url.username !== '' || url.password !== '')
    throw new AppError(
      'INVALID_INPUT',
      'expected the address of a key document, without a user or a password',
    )
  if (url.protocol !== 'https:' && !isLoopback(url.hostname))
    throw new AppError(
      'INVALID_INPUT',
      'expected https: anybody on the network path can change what http carries',
    )
  try {
    const ends = AbortSignal.any([signal, AbortSignal.timeout(TIME_MS)])
    const response = await fetch(url, { redirect: 'error', signal: ends, credentials: 'omit' })
    if (!response.ok || response.body === null) throw new Error(`status ${response.status}`)
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body) {
      size += chunk.length
      if (size > MAX_IDENTITY_BYTES) throw new Error(`more than ${MAX_IDENTITY_BYTES} bytes`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  } catch (thrown) {
    throw new AppError(
      'REMOTE_FAILED',
      `no key document from ${quoteText(address, 200)}: ${firstLineOf(thrown)}`,
      {
        cause: thrown,
      },
    )
  }
}
