// Judges a candidate by its bytes: what they say, and what their signature is worth. Nothing in its row is
// believed: the digest is computed again, and the signature must name its type and id.
import { AppError, sha256Hex } from '../../base/index.ts'
import { type Candidate, unpackFiles } from '../../catalogue/index.ts'
import type { SearchDocument } from '../../search/index.ts'
import type { Verdict } from '../../trust/index.ts'
import { documentOf, type ItemFiles, judgeFiles, type ReadingView } from './item-files.ts'

export interface CheckedCandidate {
  readonly verdict: Verdict
  /** Made from the bytes. Undefined when they could not be read. */
  readonly document: SearchDocument | undefined
}

const NOTHING = { format: null, coverage: null, hash: null, signer: null, timestamp: null }

/** Throws `ITEM_MALFORMED` when the bytes are not those that the row names. */
export function openCandidate({ type, id, extension, digest }: Candidate, bytes: Uint8Array): ItemFiles {
  const found = sha256Hex(bytes)
  if (found !== digest)
    throw new AppError(
      'ITEM_MALFORMED',
      `\`${type}:${id}\` of the catalogue has other bytes than its row says: expected ${digest}, got ${found}`,
    )
  return { type, id, extension, files: unpackFiles(bytes) }
}

/** The verdict. A large item is only judged when it is loaded. */
export function judgeCandidate({ sharedExtractors, trust }: ReadingView, candidate: Candidate): Verdict {
  const { bytes } = candidate
  if (!bytes) return unread('untrusted', 'a large item of the catalogue: not checked before it is loaded')
  try {
    return judgeFiles(openCandidate(candidate, bytes), { extractors: sharedExtractors, trust, root: '' })
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return unread('malformed', thrown.message)
  }
}

export function isVerified(view: ReadingView, candidate: Candidate): boolean {
  return judgeCandidate(view, candidate).status === 'verified'
}

export async function checkCandidate(view: ReadingView, candidate: Candidate): Promise<CheckedCandidate> {
  const verdict = judgeCandidate(view, candidate)
  if (!candidate.bytes || verdict.status === 'malformed') return { verdict, document: undefined }
  try {
    const files = openCandidate(candidate, candidate.bytes)
    return { verdict, document: await documentOf(files, view.sharedExtractors) }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { verdict, document: undefined }
  }
}

function unread(status: 'untrusted' | 'malformed', reason: string): Verdict {
  return { status, ...NOTHING, reason }
}
