// What a registry is asked, in the protocol of npm. Every answer is bounded and read as a stranger's; a failure says what fixes it.
import { createHash } from 'node:crypto'
import { AppError, isRecord, isTextDeeperThan, type JsonObject } from '../../base/index.ts'
import { PACKED_BYTES } from '../archive/limits.ts'
import type { MadeBundle } from '../bundle/make-bundle.ts'
import { parseAddress } from '../settings/address.ts'
import type { Registry } from '../settings/choose-registry.ts'
import { explainAnswer } from './explain-answer.ts'
import {
  archiveOf,
  type BundleSummary,
  integrityOf,
  type Packument,
  readPackument,
  readSearch,
} from './packument.ts'
import type { Send, Sent } from './send.ts'

export interface RegistryClient {
  readonly registry: Registry
  /** Bundles that the registry finds for a text of its own syntax. */
  search(text: string, size: number): Promise<BundleSummary[]>
  /** Undefined where there is no such package, or none that may be seen. */
  find(name: string): Promise<Packument | undefined>
  /** The manifest of one version or tag, without the others. */
  findManifest(name: string, version: string): Promise<JsonObject | undefined>
  /** The archive of a version: not a byte of it is looked at before its digest is right. */
  download(manifest: JsonObject, onShare?: (share: number) => void): Promise<Buffer>
  publish(publication: Publication): Promise<void>
  /** Removes one version, or the package with its last one. */
  unpublish(name: string, version: string, options: { readonly otp?: string | undefined }): Promise<void>
}

export interface Publication {
  readonly name: string
  readonly version: string
  readonly bundle: MadeBundle
  readonly tag: string
  readonly access: 'public' | 'restricted'
  readonly otp?: string | undefined
  /** A statement of Sigstore about the archive, as it is sent. */
  readonly provenance?: { readonly mediaType: string; readonly text: string } | undefined
}

const ANSWER_BYTES = 20_000_000
/** Of a search and of the manifests that it reads, many at once and beside local answers, which wait while JSON is parsed. */
const SEARCH_BYTES = 4_000_000
const MANIFEST_BYTES = 1_000_000
const MOST_DEPTH = 64
const JSON_TYPE = 'application/json'

export function createClient(registry: Registry, send: Send): RegistryClient {
  const at = (path: string) => new URL(path, registry.url)
  const pathOf = (name: string) => name.replace('/', '%2f')

  const ask = async (url: URL, what: string, mostBytes = ANSWER_BYTES): Promise<unknown> => {
    const answer = await send({ url, accept: JSON_TYPE, mostBytes })
    if (answer.status === 404) return undefined
    if (answer.status !== 200) throw failed(what, explainAnswer(registry, answer))
    return (
      readJson(answer.body) ??
      fail(`${what}: expected JSON, got something else: is ${registry.url} an npm registry?`)
    )
  }

  const change = async (what: string, sent: Omit<Sent, 'mostBytes'>, otp: string | undefined) => {
    const headers = { ...(otp !== undefined && { 'npm-otp': otp }) }
    const answer = await send({ accept: JSON_TYPE, ...sent, headers, mostBytes: ANSWER_BYTES }).catch(
      thrown => {
        throw unsure(what, thrown)
      },
    )
    if (answer.status >= 200 && answer.status < 300) return
    throw failed(what, explainAnswer(registry, answer))
  }

  const find = async (name: string): Promise<Packument | undefined> => {
    const answer = await ask(at(pathOf(name)), `package \`${name}\``)
    if (answer === undefined) return undefined
    return (
      readPackument(answer) ??
      fail(`the answer about \`${name}\` has no versions: is ${registry.url} an npm registry?`)
    )
  }

  return {
    registry,
    find,
    async search(text, size) {
      const query = new URLSearchParams({ text, size: String(size) }).toString().replaceAll('+', '%20')
      const answer = await ask(at(`-/v1/search?${query}`), `searching for \`${text}\``, SEARCH_BYTES)
      if (answer === undefined) fail(`${registry.url} has no search: name a package and use show`)
      return readSearch(answer)
    },
    async findManifest(name, version) {
      const url = at(`${pathOf(name)}/${encodeURIComponent(version)}`)
      const answer = await ask(url, `package \`${name}\``, MANIFEST_BYTES)
      return isRecord(answer) ? (answer as JsonObject) : undefined
    },
    async download(manifest, onShare) {
      const { address, integrity } = archiveOf(manifest)
      const url = parseAddress(address, registry.url)
      const answer = await send({ url, mostBytes: PACKED_BYTES, ...(onShare && { onShare }) })
      if (answer.status !== 200) throw failed('the archive could not be had', explainAnswer(registry, answer))
      const found = integrityOf(answer.body)
      if (integrity.includes(found)) return answer.body
      return fail(`the archive is not what the registry announced: expected ${integrity[0]}, got ${found}`)
    },
    async publish(publication) {
      const { name, version, otp } = publication
      const body = Buffer.from(JSON.stringify(documentOf(publication, registry.url)))
      await change(`publishing \`${name}@${version}\``, { method: 'PUT', url: at(pathOf(name)), body }, otp)
    },
    async unpublish(name, version, { otp }) {
      const known = await find(name)
      const manifest = known?.versions.get(version)
      if (known === undefined || manifest === undefined)
        throw new AppError('ITEM_NOT_FOUND', `there is no \`${name}@${version}\` in ${registry.url}`)
      const what = `unpublishing \`${name}@${version}\``
      const revised = (revision: string | undefined) =>
        `-rev/${revision ?? fail(`${what}: expected a registry that says which state it is in`)}`
      if (known.versions.size === 1) {
        const url = at(`${pathOf(name)}/${revised(known.revision)}`)
        await change(what, { method: 'DELETE', url }, otp)
        return
      }
      const url = at(`${pathOf(name)}/${revised(known.revision)}`)
      await change(
        what,
        { method: 'PUT', url, body: Buffer.from(JSON.stringify(without(known, version))) },
        otp,
      )
      // The version is gone for everybody; what is left is its file.
      const after = await find(name)
      const archive = at(`${pathOf(name)}/-/${fileOf(name, version)}/${revised(after?.revision)}`)
      await change(what, { method: 'DELETE', url: archive }, otp)
    },
  }
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

function fileOf(name: string, version: string): string {
  return `${name.slice(name.indexOf('/') + 1)}-${version}.tgz`
}

/** What npm sends: the manifest with its digests, and the archive in base64. */
function documentOf(
  { name, version, bundle, tag, access, provenance }: Publication,
  registry: URL,
): JsonObject {
  const { archive, manifest, readme } = bundle
  const file = `${name}-${version}.tgz`
  const dist = {
    integrity: integrityOf(archive),
    shasum: createHash('sha1').update(archive).digest('hex'),
    tarball: new URL(`${name}/-/${fileOf(name, version)}`, registry).href,
  }
  const attach = (
    content_type: string,
    bytes: Uint8Array | string,
    encoding: 'base64' | 'utf8',
  ): JsonObject => {
    const buffer = Buffer.from(bytes as Uint8Array)
    return { content_type, data: buffer.toString(encoding), length: buffer.length }
  }
  return {
    _id: name,
    name,
    description: manifest.description ?? '',
    'dist-tags': { [tag]: version },
    versions: {
      [version]: { ...manifest, readme, readmeFilename: 'README.md', _id: `${name}@${version}`, dist },
    },
    access,
    _attachments: {
      [file]: attach('application/octet-stream', archive, 'base64'),
      ...(provenance && {
        [`${name}-${version}.sigstore`]: attach(provenance.mediaType, provenance.text, 'utf8'),
      }),
    },
  }
}

/** The packument without one of its versions; tags that named it name the newest of the others. */
function without({ document, versions, tags }: Packument, version: string): JsonObject {
  const left = [...versions].filter(([other]) => other !== version)
  const newest = left.at(-1)![0]
  const moved = [...tags].flatMap(([tag, to]): [string, string][] => {
    if (to !== version) return [[tag, to]]
    return tag === 'latest' ? [[tag, newest]] : []
  })
  const { _revisions: _, _attachments: __, ...rest } = document
  return { ...rest, versions: Object.fromEntries(left), 'dist-tags': Object.fromEntries(moved) }
}

const UNSURE = 'whether it was done is not known: look at it with'

/** Nobody answered, or not in a way that says whether it was done. */
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

function failed(what: string, why: string): AppError {
  return new AppError('REMOTE_FAILED', `${what}: ${why}`)
}

function fail(message: string): never {
  throw new AppError('REMOTE_FAILED', message)
}
