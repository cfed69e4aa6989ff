// Reads from a registry: packages that match a text, what it says about one, and its archive.
import { isRecord, type JsonObject } from '../../base/index.ts'
import { PACKED_BYTES } from '../archive/limits.ts'
import { parseAddress } from '../settings/address.ts'
import { addressIn, ask, type Endpoint, fail, failed, pathOf } from './exchange.ts'
import { explainAnswer } from './explain-answer.ts'
import {
  archiveOf,
  type BundleSummary,
  integrityOf,
  type Packument,
  readPackument,
  readSearch,
} from './packument.ts'

/** Limits of a search and the manifests it reads: many at once, and local answers wait while they parse. */
const SEARCH_BYTES = 4_000_000
const MANIFEST_BYTES = 1_000_000

export async function searchBundles(
  endpoint: Endpoint,
  text: string,
  size: number,
): Promise<BundleSummary[]> {
  const query = new URLSearchParams({ text, size: String(size) }).toString().replaceAll('+', '%20')
  const url = addressIn(endpoint, `-/v1/search?${query}`)
  const answer = await ask(endpoint, url, { what: `searching for \`${text}\``, mostBytes: SEARCH_BYTES })
  if (answer === undefined) fail(`${endpoint.registry.url} has no search: name a package and use show`)
  return readSearch(answer)
}

export async function findPackument(endpoint: Endpoint, name: string): Promise<Packument | undefined> {
  const answer = await ask(endpoint, addressIn(endpoint, pathOf(name)), { what: `package \`${name}\`` })
  if (answer === undefined) return undefined
  return (
    readPackument(answer) ??
    fail(`the answer about \`${name}\` has no versions: is ${endpoint.registry.url} an npm registry?`)
  )
}

export async function findManifest(
  endpoint: Endpoint,
  name: string,
  version: string,
): Promise<JsonObject | undefined> {
  const url = addressIn(endpoint, `${pathOf(name)}/${encodeURIComponent(version)}`)
  const answer = await ask(endpoint, url, { what: `package \`${name}\``, mostBytes: MANIFEST_BYTES })
  return isRecord(answer) ? (answer as JsonObject) : undefined
}

export async function downloadArchive(
  { registry, send }: Endpoint,
  manifest: JsonObject,
  onShare?: (share: number) => void,
): Promise<Buffer> {
  const { address, integrity } = archiveOf(manifest)
  const url = parseAddress(address, registry.url)
  const answer = await send({ url, mostBytes: PACKED_BYTES, ...(onShare && { onShare }) })
  if (answer.status !== 200)
    throw failed('the archive could not be downloaded', explainAnswer(registry, answer))
  const found = integrityOf(answer.body)
  if (integrity.includes(found)) return answer.body
  return fail(`the archive is not what the registry announced: expected ${integrity[0]}, got ${found}`)
}
