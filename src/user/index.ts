export {
  findSigningKey,
  generateSigningKey,
  getSigningKey,
  importSigningKey,
  signingKeyPaths,
} from './keys.ts'
export { keepOutput, readOutput } from './outputs.ts'
export { loadPolicy, type UserPolicy, userConfigPath } from './policy.ts'
export {
  appendReceipt,
  filterReceipts,
  findReceipt,
  type Receipt,
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
