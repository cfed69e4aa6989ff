// The private copy that a tool runs from. Its directory is named by its content, so it never changes once written.
import { join } from 'node:path'
import { printCanonicalJson, sha256Hex } from '../../base/index.ts'
import type { CopiedFile, PrivateCopy } from '../types.ts'

export function describePrivateCopy(
  files: readonly (CopiedFile & { readonly digest: string })[],
  copiesRoot: string,
): PrivateCopy {
  const digest = sha256Hex(printCanonicalJson(files.map(file => [file.path, file.digest])))
  return {
    digest,
    directory: join(copiesRoot, digest),
    files: files.map(({ path, bytes }) => ({ path, bytes })),
  }
}
