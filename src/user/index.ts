export {
  findSigningKey,
  generateSigningKey,
  getSigningKey,
  importSigningKey,
  signingKeyPaths,
} from './keys.ts'
export { loadPolicy, type UserPolicy, userConfigPath } from './policy.ts'
export { type ProjectStates, projectStates, type StateFolder, userStateFolder } from './project-state.ts'
export type { Receipt } from './receipt.ts'
export {
  appendReceipt,
  filterReceipts,
  findReceipt,
  readReceipts,
  receiptsPath,
} from './receipts.ts'
export {
  listOfferedKeys,
  listTrustedKeys,
  readIdentityFile,
  removeTrustedKey,
  trustedKeyFolders,
  trustIdentity,
} from './trusted-keys.ts'
