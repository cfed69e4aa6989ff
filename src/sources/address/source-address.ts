// What a person may name as a source, and how the lock writes it.
import { posix } from 'node:path'

export type SourceAddress = FolderAddress | ArchiveAddress | GitAddress | PackageAddress

export interface FolderAddress {
  readonly kind: 'folder'
  /** Absolute. */
  readonly path: string
}

export interface ArchiveAddress {
  readonly kind: 'archive'
  /** Absolute. */
  readonly path: string
}

export interface GitAddress {
  readonly kind: 'git'
  readonly url: string
  /** A branch, a tag or a commit. Absent for the default branch. */
  readonly ref?: string
  /** A folder in the repository. */
  readonly path?: string
}

export interface PackageAddress {
  readonly kind: 'npm'
  readonly package: string
  /** An exact version, a range or a tag. Absent for `latest`. */
  readonly ref?: string
}

/**
 * The form that the lock keeps and `add` accepts again. Paths are relative to the folder that holds the lock,
 * so that a clone finds them where the original did.
 */
export function printAddress(address: SourceAddress, from: string): string {
  if (address.kind === 'npm') return `npm:${address.package}`
  if (address.kind === 'git')
    return address.path === undefined ? address.url : `${address.url}//${address.path}`
  const below = posix.relative(from, address.path)
  return below.startsWith('../') || below === '..' ? below : `./${below}`
}

/** The prefix for a source's ids when a name is already taken: its owner's name. */
export function prefixOf(address: SourceAddress): string {
  const name = ownerOf(address)
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[^A-Za-z0-9_]+/, '')
    .slice(0, 64)
  if (name === '') return 'source'
  return name.toLowerCase() === 'rye' ? 'rye-source' : name
}

function ownerOf(address: SourceAddress): string {
  if (address.kind === 'npm') return address.package.replace(/^@/, '').split('/')[0]!
  if (address.kind === 'folder') return posix.basename(address.path)
  if (address.kind === 'archive')
    return posix.basename(address.path).replace(/\.(?:tgz|zip|tar|tar\.gz)$/i, '')
  const segments = address.url
    .replace(/\.git$/, '')
    .split(/[/:]/)
    .filter(part => part !== '')
  return (/^(?:https?|ssh):|@/.test(address.url) ? segments.at(-2) : segments.at(-1)) ?? ''
}
