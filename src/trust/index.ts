export { type ApprovalDocument, approve, printApproval, readApproval } from './approval.ts'
export { describeBounds, isExpired, readBounds } from './bounds.ts'
export { findHiddenText } from './hidden-text.ts'
export {
  describeKey,
  type Identity,
  parseIdentity,
  parseTrustRecord,
  printIdentity,
  printTrustRecord,
  type TrustRecord,
} from './identity-document.ts'
export { generateKey, readSigningKey, type SigningKey } from './key.ts'
export { MAX_IDENTITY_BYTES } from './key-document.ts'
export { keysNamed } from './name-key.ts'
export { foreignSignature } from './prior-signature.ts'
export {
  looksLikeRevocation,
  parseRevocation,
  printRevocation,
  type Revocation,
  revokeKey,
} from './revocation.ts'
export { comparable, newestUse, rolledBackFrom, type SignedUse, signedUse } from './rollback.ts'
export { sign } from './sign.ts'
export { isFingerprint } from './signature-line.ts'
export { SKILL_SIGNATURE, signSkill, skillChanges, verifySkill } from './skill-manifest.ts'
export { SYSTEM_MANIFEST } from './system-manifest.ts'
export type {
  Approval,
  RolledBackFrom,
  TrustBounds,
  TrustContext,
  TrustPolicy,
  Verdict,
  VerdictStatus,
} from './types.ts'
export { verify } from './verify.ts'
export { isVouchOf, vouchFor } from './vouch.ts'
