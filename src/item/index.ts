export { isGlob, matchesFromStart, matchesGlob, widerGlob } from './id-glob.ts'
export { bareCategory, categoryOf, checkId, idProblem, nameOf } from './item-id.ts'
export { type ItemPattern, type ItemRef, parsePattern, parseRef, printRef } from './item-ref.ts'
export {
  folderOf,
  ITEM_TYPES,
  type ItemType,
  isItemType,
  type SignedType,
  typeOfFolder,
} from './item-type.ts'
export type { SignatureFormat } from './signature-format.ts'
export {
  parseSkillPath,
  parseSpacedSkillPath,
  printSkillFolder,
  printSkillPath,
  type SkillName,
  type SkillPath,
  type SpacedSkillPath,
} from './skill-path.ts'
export { isUnderscored, SKIPPED_FOLDERS } from './skipped-folders.ts'
export { isSpace, isWritable, OWN_SPACES, precedenceOf, SPACES, type Space } from './space.ts'
export { compareVersions, parseFullVersion, parseVersion, readVersion, type Version } from './version.ts'
