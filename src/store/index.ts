export { atomicWrite, removeFile, type WriteOptions } from './atomic-write.ts'
export { createEmbedder, type Embedder } from './embedder.ts'
export { acquireLock } from './file-lock.ts'
export {
  findSigningKey,
  generateSigningKey,
  getSigningKey,
  importSigningKey,
  signingKeyPaths,
} from './keys.ts'
export { openSkillTable, type ScannedRows, type SkillTable } from './lance/skill-table.ts'
export { loadPolicy, type UserPolicy, userConfigPath } from './policy.ts'
export { type ReadFile, type ReadOptions, readFile } from './read-file.ts'
export {
  appendReceipt,
  filterReceipts,
  findReceipt,
  type Receipt,
  readReceipts,
  receiptsPath,
} from './receipts.ts'
export { makeStateFolder } from './state-folder.ts'
export { isRunning, isUnfinished, ownerTag } from './temporary-name.ts'
export {
  listOfferedKeys,
  listTrustedKeys,
  readIdentityFile,
  removeTrustedKey,
  trustIdentity,
} from './trusted-keys.ts'
