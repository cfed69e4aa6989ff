export { gunzip } from './archive/gunzip.ts'
export { FILE_BYTES, MOST_FILES } from './archive/limits.ts'
export { readTar } from './archive/read-tar.ts'
export { type BundleItem, itemsOf, splitPath } from './bundle/bundle-items.ts'
export type { Files } from './bundle/bundle-path.ts'
export { type ListedItem, readListedItems } from './bundle/listed-items.ts'
export { KEYWORD, listItems, makeBundle } from './bundle/make-bundle.ts'
export { readProvenance } from './bundle/provenance.ts'
export { publishProblems } from './bundle/publish-problems.ts'
export { type Bundle, readBundle } from './bundle/read-bundle.ts'
export { type OpenedRegistry, openRegistry, withDeadline } from './open-registry.ts'
export {
  type BundleSummary,
  checkPackage,
  checkTag,
  checkVersion,
  chooseVersion,
  integrityOf,
  line,
  type Packument,
  type VersionForm,
} from './protocol/packument.ts'
