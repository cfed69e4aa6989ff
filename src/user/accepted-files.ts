// The files of items that this user has accepted, each named by its digest, so that a later state can be compared with them and a file that was
// lost can be put back without its source. A name is checked against the content whenever one is read.
import { join } from 'node:path'
import { sha256Hex } from '../base/index.ts'
import { atomicWrite, readFile, stateAt } from '../files/index.ts'
import { makeUserSpace } from './user-space.ts'

export interface AcceptedFiles {
  /** Throws `WRITE_FAILED`. Returns the digest. */
  keep(content: Uint8Array): string
  /** Undefined where it is not kept, or is not what its name says. */
  find(digest: string): Uint8Array | undefined
}

const FOLDER = ['.ai', 'state', 'accepted']
const MAX_BYTES = 16_000_000
const DIGEST = /^[0-9a-f]{64}$/

export function acceptedFiles(userSpace: string): AcceptedFiles {
  const swept = new Set<string>()
  const pathOf = (digest: string) => join(userSpace, ...FOLDER, digest.slice(0, 2), digest)
  return {
    keep(content) {
      const digest = sha256Hex(content)
      if (stateAt(pathOf(digest))) return digest
      makeUserSpace(userSpace)
      // A home may be a repository.
      const ignore = join(userSpace, ...FOLDER, '..', '.gitignore')
      if (!stateAt(ignore)) atomicWrite(ignore, '*\n', { root: userSpace, mode: 0o600, folderMode: 0o700 })
      atomicWrite(pathOf(digest), content, { root: userSpace, mode: 0o600, folderMode: 0o700, swept })
      return digest
    },
    find(digest) {
      if (!DIGEST.test(digest)) return undefined
      const bytes = readFile(pathOf(digest), { root: userSpace, maxBytes: MAX_BYTES })?.bytes
      return bytes && sha256Hex(bytes) === digest ? bytes : undefined
    },
  }
}
