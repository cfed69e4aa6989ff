// Fetches and reads a version of a bundle. None of its bytes are read before its digest has been checked.
import { AppError } from '../../base/index.ts'
import {
  type Bundle,
  checkPackage,
  chooseVersion,
  integrityOf,
  type OpenedRegistry,
  type Packument,
  readBundle,
  type VersionForm,
} from '../../registry/index.ts'

export interface OpenedBundle extends Bundle {
  readonly package: string
  readonly version: string
  readonly integrity: string
  readonly description: unknown
  readonly packument: Packument
}

export interface BundleRequest {
  readonly package: string
  readonly version: string
  readonly form: VersionForm
  readonly onShare?: (version: string, share: number) => void
}

export async function openBundle(registry: OpenedRegistry, request: BundleRequest): Promise<OpenedBundle> {
  const { package: name, form, onShare } = request
  checkPackage(name)
  const packument = await registry.find(name)
  if (packument === undefined) {
    const message = `${registry.registry.url.hostname} has no package \`${name}\`, or none that you may see`
    throw new AppError('ITEM_NOT_FOUND', message)
  }
  const { version, manifest } = chooseVersion(packument, request.version, form)
  const archive = await registry.download(manifest, onShare && (share => onShare(version, share)))
  const bundle = await readBundle(archive)
  const integrity = integrityOf(archive)
  return { ...bundle, package: name, version, integrity, description: manifest.description, packument }
}
