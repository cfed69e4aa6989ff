export {
  findSigningKey,
  generateSigningKey,
  getSigningKey,
  importSigningKey,
  signingKeyPaths,
} from './keys.ts'
export { keepOutput, readOutput } from './outputs.ts'
export { loadPolicy, type UserPolicy, userConfigPath } from './policy.ts'
export { type ProjectStates, projectStates, type StateFolder } from './project-state.ts'
export type { Receipt } from './receipt.ts'
export {
  appendReceipt,
  filterReceipts,
  findReceipt,
  readReceipts,
  receiptsPath,
} from './receipts.ts'
export {
  type KeyListing,
  listOfferedKeys,
  listOldKeys,
  listTrustedKeys,
  readIdentityFile,
  removeTrustedKey,
  trustedKeyFolder,
  trustIdentity,
} from './trusted-keys.ts'
export { type Recollection, UsedItems } from './used-items.ts'
