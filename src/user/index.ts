export { type AcceptedFiles, acceptedFiles } from './accepted-files.ts'
export { approvalFile, approvalFolder, listApprovals } from './approvals.ts'
export { defaultOwner } from './key-owner.ts'
export {
  findKeyProblem,
  findPrivateKey,
  findSigningKey,
  generateSigningKey,
  getSigningKey,
  importSigningKey,
  signingKeyPaths,
} from './keys.ts'
export { type KnownItem, type KnownItems, knownItems } from './known-items.ts'
export { keepOutput, readOutput } from './outputs.ts'
export { loadPolicy, type UserPolicy, userConfigPath } from './policy.ts'
export { type ProjectStates, projectStates, type StateFolder } from './project-state.ts'
export type { Receipt } from './receipt.ts'
export { appendReceipt, filterReceipts, findReceipt, readReceipts, receiptsPath } from './receipts.ts'
export { readRevocationFile, recordRevocation, revokedKeyFolder } from './revocations.ts'
export { beginRotation, finishRotation } from './rotate-key.ts'
export { keepSigned, readSigned, type SignedCopy } from './signed-copies.ts'
export {
  type KeyListing,
  type ListedKey,
  listOfferedKeys,
  listOldKeys,
  listTrustedKeys,
  offeredKeyPath,
  readIdentityFile,
  removeTrustedKey,
  trustedKeyFolder,
  trustedKeyPath,
  trustIdentity,
} from './trusted-keys.ts'
export { type Recollection, UsedItems } from './used-items.ts'
export { makeHome, makeUserSpace, userSpaceProblem } from './user-space.ts'
