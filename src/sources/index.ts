export { readAddress, withRef } from './address/read-address.ts'
export {
  type GitAddress,
  type PackageAddress,
  prefixOf,
  printAddress,
  type SourceAddress,
} from './address/source-address.ts'
export { fetchGit, findRemote } from './fetch/fetch-git.ts'
export { readArchiveSource, treeOf } from './fetch/read-archive.ts'
export { readFolderSource } from './fetch/read-folder.ts'
export { type FoundItem, type FoundItems, findItems } from './find/find-items.ts'
export type { SourceTree } from './find/source-tree.ts'
export {
  EMPTY_LOCK,
  LOCK_BYTES,
  LOCK_FILE,
  type Lock,
  type LockedItem,
  type LockedSource,
  parseLock,
  printLock,
} from './lock/lock-document.ts'
export { lockTaken, withSource } from './lock/merge-lock.ts'
export { describeReview } from './review/describe-review.ts'
export type { Finding } from './review/findings.ts'
export { type ItemReview, reviewItem } from './review/review-item.ts'
export { isDanger } from './review/signs.ts'
