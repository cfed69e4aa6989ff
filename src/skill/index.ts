export { createFingerprint, type Fingerprint, SCANNER_VERSION } from './fingerprint.ts'
export { readKnowledge } from './knowledge.ts'
export type { LinkedSkill, SkillScan } from './link-skills.ts'
export { type ReadSkill, readSkill } from './read-skill.ts'
export { type Confidence, type Hit, type RouteCandidate, type RoutedTool, routeTools } from './route.ts'
export { scanSkills } from './scan-skills.ts'
export { describeSkillCall, type SkillCall } from './skill-call.ts'
export { SKILL_FILE, SNIFFER_FILE } from './structure.ts'
export { planSync, type StoredRow, type SyncPlan } from './sync-plan.ts'
export { buildRows, type ToolRow, type ToolRowMetadata } from './tool-row.ts'
export type {
  CanonicalSkillPayload,
  KnowledgeEntry,
  SkillDiagnostic,
  SkillFolder,
  SkillIndexEntry,
  SyncReport,
  ToolAnnotations,
  ToolRecord,
} from './types.ts'
export { type SkillValidation, validateSkill } from './validate-skill.ts'
