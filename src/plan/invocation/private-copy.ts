// The private copy that a tool runs from. Its directory is named by its content, so it never changes once
// written.
import { join } from 'node:path'
import { printCanonicalJson, sha256Hex } from '../../base/index.ts'
import type { CopiedFile, PrivateCopy } from '../types.ts'

/**
 * `program` is the file to run, if there are several to choose from. It is part of the digest because what is
 * written may depend on it.
 */
export function describePrivateCopy(
  files: readonly (CopiedFile & { readonly digest: string })[],
  copiesRoot: string,
  program?: string,
): PrivateCopy {
  const list = files.map(file => [file.path, file.digest])
  const digest = sha256Hex(printCanonicalJson(program === undefined ? list : [program, list]))
  return {
    digest,
    directory: join(copiesRoot, digest),
    files: files.map(({ digest: _digest, ...file }) => file),
  }
}
