// The requests to a registry, in npm's protocol.
import type { JsonObject } from '../../base/index.ts'
import type { Registry } from '../settings/choose-registry.ts'
import { downloadArchive, findManifest, findPackument, searchBundles } from './find-packages.ts'
import type { BundleSummary, Packument } from './packument.ts'
import { type Publication, publish, unpublish } from './publish.ts'
import type { Send } from './send.ts'

export interface RegistryClient {
  readonly registry: Registry
  /** Bundles that the registry finds for a text in its own query syntax. */
  search(text: string, size: number): Promise<BundleSummary[]>
  /** Undefined when there is no such package, or it may not be seen. */
  find(name: string): Promise<Packument | undefined>
  /** The manifest of one version or tag, without the others. */
  findManifest(name: string, version: string): Promise<JsonObject | undefined>
  /** The archive of a version. Its digest is checked before a byte of it is used. */
  download(manifest: JsonObject, onShare?: (share: number) => void): Promise<Buffer>
  publish(publication: Publication): Promise<void>
  /** Removes one version, or the package with its last one. */
  unpublish(name: string, version: string, options: { readonly otp?: string | undefined }): Promise<void>
}

export function createClient(registry: Registry, send: Send): RegistryClient {
  const endpoint = { registry, send }
  return {
    registry,
    search: (text, size) => searchBundles(endpoint, text, size),
    find: name => findPackument(endpoint, name),
    findManifest: (name, version) => findManifest(endpoint, name, version),
    download: (manifest, onShare) => downloadArchive(endpoint, manifest, onShare),
    publish: publication => publish(endpoint, publication),
    unpublish: (name, version, { otp }) => unpublish(endpoint, { name, version, otp }),
  }
}
