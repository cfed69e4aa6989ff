// Stored approvals: in the user space, or in a project for everybody who trusts their signers. A document
// that cannot be read, or whose key is not trusted, approves nothing; the others are not affected.
import { join } from 'node:path'
import { AppError, sha256Hex } from '../base/index.ts'
import { readFile } from '../files/index.ts'
import { type ApprovalDocument, printApproval, readApproval } from '../trust/approvals/index.ts'
import type { Approval, TrustContext } from '../trust/index.ts'
import { documentsIn } from './key-files.ts'

const FOLDER = ['.ai', 'config', 'approvals']
const EXTENSION = '.txt'
/** More are not read; each can hold thousands of items. */
const MAX_DOCUMENTS = 1000
const MAX_BYTES = 4 * 1024 * 1024

export interface ApprovalFault {
  readonly path: string
  readonly reason: string
}

export interface ApprovalListing {
  /** Only those made by keys that are trusted and not revoked. */
  readonly approvals: TrustContext['approvals']
  /** The documents that these come from, with their file names. */
  readonly documents: readonly { readonly file: string; readonly document: ApprovalDocument }[]
  /** Documents that are ignored, and why. */
  readonly faults: readonly ApprovalFault[]
}

/** The folder of approvals in a project or in the user space. */
export function approvalFolder(space: string): string {
  return join(space, ...FOLDER)
}

/** A document as a file: its name in the folder, and its text. */
export function approvalFile(document: ApprovalDocument): { readonly name: string; readonly text: string } {
  const text = printApproval(document)
  return { name: `${sha256Hex(text).slice(0, 16)}${EXTENSION}`, text }
}

export function listApprovals(
  space: string,
  decided: Pick<TrustContext, 'keys' | 'revoked'>,
): ApprovalListing {
  const folder = approvalFolder(space)
  const approvals = new Map<string, Approval[]>()
  const documents: { file: string; document: ApprovalDocument }[] = []
  const faults: ApprovalFault[] = []
  const names = documentsIn(folder, { what: 'approvals', extension: EXTENSION })
  for (const name of names.slice(0, MAX_DOCUMENTS)) {
    const path = join(folder, name)
    try {
      const file = readFile(path, { maxBytes: MAX_BYTES, root: space })
      if (file === undefined) continue
      const document = readApproval(file.bytes.toString('utf8'), decided)
      documents.push({ file: name, document })
      for (const [item, digest] of document.items) {
        const { items, signature, ...shared } = document
        const approval = { ...shared, digest }
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
  return { approvals, documents, faults }
}
