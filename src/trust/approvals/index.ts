// What is needed to accept items of others: the documents that say so, and what a skill is known by.
export { type ApprovalDocument, approve, approvedVerdict, printApproval, readApproval } from '../approval.ts'
export { outsideBounds } from '../bounds.ts'
export {
  digestSkill,
  hasFittingSignature,
  parseSkillManifest,
  printSkillManifest,
} from '../skill-manifest.ts'
export { isOfRevoked } from '../verify.ts'
