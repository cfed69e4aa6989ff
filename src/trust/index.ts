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
export { type MergeConflict, readMergeConflict } from './merge-conflict.ts'
export { fingerprintWords, keysNamed } from './name-key.ts'
export { foreignSignature } from './prior-signature.ts'
export {
  looksLikeRevocation,
  parseRevocation,
  printRevocation,
  type Revocation,
  revokeKey,
} from './revocation.ts'
export { comparable, newestUse, rolledBackFrom, type SignedUse, signedUse } from './rollback.ts'
export { bareContent, sign, withSignatureOf } from './sign.ts'
export { BY_AGENT, isFingerprint, SIDECAR_MARKS } from './signature-line.ts'
export { digestSkill, SKILL_SIGNATURE, signSkill, skillChanges, verifySkill } from './skill-manifest.ts'
export { SYSTEM_MANIFEST } from './system-manifest.ts'
export type {
  Approval,
  RolledBackFrom,
  SignatureLine,
  TrustBounds,
  TrustContext,
  TrustPolicy,
  Verdict,
  VerdictStatus,
} from './types.ts'
export { verify } from './verify.ts'
export { isVouchOf, vouchFor } from './vouch.ts'
