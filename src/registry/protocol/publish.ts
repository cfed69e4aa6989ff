// Adds a version to a registry, and removes one, as npm does.
import { createHash } from 'node:crypto'
import { AppError, type JsonObject } from '../../base/index.ts'
import type { MadeBundle } from '../bundle/make-bundle.ts'
import { addressIn, change, type Endpoint, fail, pathOf } from './exchange.ts'
import { findPackument } from './find-packages.ts'
import { integrityOf, type Packument } from './packument.ts'
import type { Sent } from './send.ts'
import { newestOf } from './version-range.ts'

export interface Publication {
  readonly name: string
  readonly version: string
  readonly bundle: MadeBundle
  readonly tag: string
  readonly access: 'public' | 'restricted'
  readonly otp?: string | undefined
  /** A Sigstore statement about the archive, as it is sent. */
  readonly provenance?: { readonly mediaType: string; readonly text: string } | undefined
}

export async function publish(endpoint: Endpoint, publication: Publication): Promise<void> {
  const { name, version, otp } = publication
  const body = Buffer.from(JSON.stringify(documentOf(publication, endpoint.registry.url)))
  await change(
    endpoint,
    { method: 'PUT', url: addressIn(endpoint, pathOf(name)), body },
    { what: `publishing \`${name}@${version}\``, otp },
  )
}

export async function unpublish(
  endpoint: Endpoint,
  { name, version, otp }: Pick<Publication, 'name' | 'version' | 'otp'>,
): Promise<void> {
  const known = await findPackument(endpoint, name)
  if (!known?.versions.has(version))
    throw new AppError('ITEM_NOT_FOUND', `there is no \`${name}@${version}\` in ${endpoint.registry.url}`)
  const what = `unpublishing \`${name}@${version}\``
  // A change names the revision that it is based on, so a later change is not overwritten.
  const changeAt = (path: string, state: Packument | undefined, sent: Pick<Sent, 'method' | 'body'>) => {
    const revision = state?.revision ?? fail(`${what}: expected a registry that says which state it is in`)
    return change(endpoint, { ...sent, url: addressIn(endpoint, `${path}/-rev/${revision}`) }, { what, otp })
  }
  const path = pathOf(name)
  if (known.versions.size === 1) return changeAt(path, known, { method: 'DELETE' })
  const body = Buffer.from(JSON.stringify(without(known, version)))
  await changeAt(path, known, { method: 'PUT', body })
  // The version is gone for everybody; only its file is left.
  const left = await findPackument(endpoint, name)
  await changeAt(`${path}/-/${fileOf(name, version)}`, left, { method: 'DELETE' })
}

function fileOf(name: string, version: string): string {
  return `${name.slice(name.indexOf('/') + 1)}-${version}.tgz`
}

/** The document that npm sends: the manifest with its digests, and the archive in base64. */
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

/**
 * The packument without one of its versions. If that was `latest`, the newest remaining release becomes
 * `latest`, whatever the order of publication.
 */
function without({ document, versions, tags }: Packument, version: string): JsonObject {
  const left = [...versions].filter(([other]) => other !== version)
  const newest = newestOf(left.map(([other]) => other))
  const moved = [...tags].flatMap(([tag, to]): [string, string][] => {
    if (to !== version) return [[tag, to]]
    return tag === 'latest' ? [[tag, newest]] : []
  })
  const { _revisions: _, _attachments: __, ...rest } = document
  return { ...rest, versions: Object.fromEntries(left), 'dist-tags': Object.fromEntries(moved) }
}
