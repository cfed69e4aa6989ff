// Approvals that are kept: in the user space, or in a project for everybody who trusts whoever signed them. A document that cannot be
// read, or whose key is not trusted, approves nothing; the others are not affected.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, sha256Hex, systemErrorCode } from '../base/index.ts'
import { atomicWrite, readFile } from '../files/index.ts'
import {
  type Approval,
  type ApprovalDocument,
  printApproval,
  readApproval,
  type TrustContext,
} from '../trust/index.ts'

const FOLDER = ['.ai', 'config', 'approvals']
const EXTENSION = '.txt'
/** More are not read: each has room for thousands of items. */
const MAX_DOCUMENTS = 1000
const MAX_BYTES = 4 * 1024 * 1024

export interface ApprovalFault {
  readonly path: string
  readonly reason: string
}

export interface ApprovalListing {
  /** Made by keys that are trusted and not revoked. */
  readonly approvals: TrustContext['approvals']
  /** Documents that count for nothing, and why. */
  readonly faults: readonly ApprovalFault[]
}

/** In a project or in the user space. */
export function approvalFolder(space: string): string {
  return join(space, ...FOLDER)
}

/** Returns the path of the document. */
export function recordApproval(space: string, document: ApprovalDocument): string {
  const text = printApproval(document)
  const path = join(approvalFolder(space), `${sha256Hex(text).slice(0, 16)}${EXTENSION}`)
  atomicWrite(path, text, { root: space, mode: 0o644 })
  return path
}

export function listApprovals(
  space: string,
  decided: Pick<TrustContext, 'keys' | 'revoked'>,
): ApprovalListing {
  const folder = approvalFolder(space)
  const approvals = new Map<string, Approval[]>()
  const faults: ApprovalFault[] = []
  const names = documentsIn(folder)
  for (const name of names.slice(0, MAX_DOCUMENTS)) {
    const path = join(folder, name)
    try {
      const file = readFile(path, { maxBytes: MAX_BYTES, root: space })
      if (file === undefined) continue
      for (const [item, approval] of readApproval(file.bytes.toString('utf8'), decided)) {
        const others = approvals.get(item)
        if (others) others.push(approval)
        else approvals.set(item, [approval])
      }
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      faults.push({ path, reason: thrown.message })
    }
  }
  if (names.length > MAX_DOCUMENTS)
    faults.push({ path: folder, reason: `more than ${MAX_DOCUMENTS} documents; the rest is left out` })
  return { approvals, faults }
}

function documentsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter(name => name.endsWith(EXTENSION))
      .sort()
  } catch (thrown) {
    const code = systemErrorCode(thrown)
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw new AppError('FILE_UNREADABLE', `cannot list the approvals in \`${folder}\`: ${code}`, {
      cause: thrown,
    })
  }
}
