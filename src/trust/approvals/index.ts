// What accepting other people's items needs: the approval documents, and how a skill is identified.
export { type ApprovalDocument, approve, approvedVerdict, printApproval, readApproval } from '../approval.ts'
export { outsideBounds } from '../bounds.ts'
export {
  digestSkill,
  hasFittingSignature,
  parseSkillManifest,
  printSkillManifest,
} from '../skill-manifest.ts'
export { isOfRevoked } from '../verify.ts'
