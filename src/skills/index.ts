export { describeSkillCall, hostsOfSkill } from './call/skill-call.ts'
export { findKnowledgeFiles } from './folders/find-knowledge-files.ts'
export { type FoundSkill, findSkillFolders, isUnseen, type SkillTree } from './folders/find-skill-folders.ts'
export { readAsSkill } from './folders/read-skill-folder.ts'
export { type KeptScan, type ScannedTree, startScan } from './folders/scan-again.ts'
export { walkDirectory } from './folders/walk-directory.ts'
export type { LinkedSkill } from './read/build-records.ts'
export { readKnowledge } from './read/documents/read-knowledge.ts'
export { readSkill } from './read/read-skill.ts'
export type {
  KnowledgeDetails,
  KnowledgeEntry,
  SkillDiagnostic,
  SkillFolder,
  SyncReport,
} from './read/records.ts'
export { resolveLinks } from './read/resolve-links.ts'
export { scanSkills } from './read/scan-skills.ts'
export { readScriptNeeds } from './read/script-needs.ts'
export { readRules, SNIFFER_FILE } from './read/sniffer-rules.ts'
export { isMainFile, isUsualPart, mainFileOf } from './read/structure.ts'
export { callableItemIds } from './read/unique-keys.ts'
export { serveSkill } from './serve/serve-skill.ts'
export { matchRules, type RuleMatch } from './sniff/match-rules.ts'
export {
  type CollectedRows,
  collectRows,
  diagnosticsOf,
  type FoldersToIndex,
  type FolderToIndex,
  isUnchanged,
} from './table/collect-rows.ts'
export { openSkillTable, type SkillTable } from './table/lance/skill-table.ts'
export { type SkillValidation, unusableSkill, validateSkill } from './validate/validate-skill.ts'
