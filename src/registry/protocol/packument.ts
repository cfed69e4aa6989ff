// What a registry says about a package. Read with care, since it may say anything.
import { createHash } from 'node:crypto'
import { AppError, cutText, flattenText, isRecord, type JsonObject } from '../../base/index.ts'
import { KEYWORD } from '../bundle/make-bundle.ts'
import { newestIn, parseRange } from './version-range.ts'

/** All versions of a package, in the order of the registry. */
export interface Packument {
  readonly versions: ReadonlyMap<string, JsonObject>
  readonly tags: ReadonlyMap<string, string>
  /** The document's revision, needed to change it. Absent when it is not a plain word. */
  readonly revision?: string
  /** The document as received. */
  readonly document: JsonObject
}

/** A bundle found by a search. */
export interface BundleSummary {
  readonly package: string
  /** Empty when the registry names none. */
  readonly version: string
  readonly description: string
  readonly keywords: readonly string[]
}

export interface Archive {
  readonly address: string
  /** `sha512-...` digests; the archive must match one of them. */
  readonly integrity: readonly string[]
}

const MOST_SHOWN = 20
const MOST_LINE = 300
const SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/

/** Undefined for a value that is not a packument. */
export function readPackument(value: unknown): Packument | undefined {
  if (!isRecord(value) || !isRecord(value.versions)) return undefined
  const versions = Object.entries(value.versions)
  if (!versions.every(([, manifest]) => isRecord(manifest))) return undefined
  const tags = isRecord(value['dist-tags']) ? Object.entries(value['dist-tags']) : []
  return {
    // The cast is safe: the value is parsed JSON.
    versions: new Map(versions as [string, JsonObject][]),
    tags: new Map(tags.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    ...(typeof value._rev === 'string' && REVISION.test(value._rev) && { revision: value._rev }),
    document: value as JsonObject,
  }
}

/**
 * What a `version` may be. Ranges are for callers that want anything that fits, not for those that want to
 * know exactly what they get.
 */
export type VersionForm = 'exact or tag' | 'exact, range or tag'

/** Throws `ITEM_NOT_FOUND`. */
export function chooseVersion(
  { versions, tags }: Packument,
  wanted: string,
  form: VersionForm,
): { version: string; manifest: JsonObject } {
  const range = form === 'exact or tag' ? undefined : parseRange(wanted)
  const tagged = tags.get(wanted)
  const version = versions.has(wanted)
    ? wanted
    : (tagged ?? (range && wanted !== '' ? newestIn([...versions.keys()], range) : undefined))
  const manifest = version === undefined ? undefined : versions.get(version)
  if (version !== undefined && manifest !== undefined) return { version, manifest }
  const newest = [...versions.keys()].slice(-5).reverse()
  const known = [...tags.keys(), ...newest].map(line).join(', ') || 'nothing: there are no versions'
  const expected = form === 'exact or tag' ? 'an exact version or a tag' : 'a version, a range or a tag'
  throw new AppError(
    'ITEM_NOT_FOUND',
    `no version or tag \`${line(wanted)}\`: expected ${expected}, of ${known}`,
  )
}

/** The address and digest of a version's archive. Throws `REMOTE_FAILED`. */
export function archiveOf(manifest: JsonObject): Archive {
  const { dist } = manifest
  const { integrity, tarball } = isRecord(dist) ? dist : {}
  const wanted = String(integrity ?? '')
    .split(/\s+/)
    .filter(part => SHA512.test(part))
  if (wanted.length > 0 && typeof tarball === 'string') return { address: tarball, integrity: wanted }
  const message = 'expected an archive with a sha512 integrity, got none: publish the bundle anew'
  throw new AppError('REMOTE_FAILED', message)
}

export function integrityOf(archive: Uint8Array): string {
  return `sha512-${createHash('sha512').update(archive).digest('base64')}`
}

/** The bundles among the results of a search. Other packages, and invalid package names, are left out. */
export function readSearch(value: unknown): BundleSummary[] {
  const objects = isRecord(value) && Array.isArray(value.objects) ? value.objects : []
  return objects.flatMap(entry => {
    const found = isRecord(entry) ? entry.package : undefined
    if (!isRecord(found) || !Array.isArray(found.keywords) || !found.keywords.includes(KEYWORD)) return []
    if (typeof found.name !== 'string' || !isPackage(found.name)) return []
    const tags = isRecord(found['dist-tags']) ? found['dist-tags'] : {}
    const version = found.version ?? tags.latest
    return {
      package: found.name,
      version: typeof version === 'string' && VERSION.test(version) ? version : '',
      description: line(found.description),
      keywords: found.keywords.slice(0, MOST_SHOWN).map(line),
    }
  })
}

/** A stranger's text as one short line. */
export function line(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  return cutText(flattenText(String(value)), MOST_LINE)
}

const PACKAGE = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/
const VERSION =
  /^(?:0|[1-9]\d{0,14})(?:\.(?:0|[1-9]\d{0,14})){2}(?:-(?!0\d+(?:\.|$))(?:[0-9A-Za-z-]|\.(?=[0-9A-Za-z-])(?!0\d+(?:\.|$))){1,64})?$/
/** No registry has packages of these names: one is npm's folder, the other is requested by browsers. */
const NO_PACKAGES = ['node_modules', 'favicon.ico']
/** It becomes part of a URL path, so it must not contain anything that a server might interpret. */
const REVISION = /^\w[\w-]{0,199}$/
const TAG = /^[a-z][a-z0-9-]{0,63}$/

function isPackage(name: string): boolean {
  return PACKAGE.test(name) && name.length <= 214 && !NO_PACKAGES.includes(name)
}

/** Throws `INVALID_INPUT`. */
export function checkPackage(name: string): void {
  if (isPackage(name)) return
  throw wrong(`expected a package such as \`team-tools\` or \`@team/tools\`, got \`${line(name)}\``)
}

export function checkVersion(version: string): void {
  if (!VERSION.test(version)) throw wrong(`expected a version such as 1.2.0, got \`${line(version)}\``)
}

export function checkTag(tag: string): void {
  if (!TAG.test(tag)) throw wrong(`expected a tag of small letters, digits and dashes, got \`${line(tag)}\``)
}

function wrong(message: string): AppError {
  return new AppError('INVALID_INPUT', message)
}
