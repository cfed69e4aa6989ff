export { findHiddenText } from './hidden-text.ts'
export {
  describeKey,
  type Identity,
  MAX_IDENTITY_BYTES,
  parseIdentity,
  printIdentity,
} from './identity-document.ts'
export { generateKey, readSigningKey, type SigningKey } from './key.ts'
export { foreignSignature } from './prior-signature.ts'
export { comparable, newestUse, rolledBackFrom, type SignedUse, signedUse } from './rollback.ts'
export { sign } from './sign.ts'
export { isFingerprint } from './signature-line.ts'
export { SKILL_SIGNATURE, signSkill, skillChanges, verifySkill } from './skill-manifest.ts'
export { SYSTEM_MANIFEST } from './system-manifest.ts'
export type { RolledBackFrom, TrustContext, TrustPolicy, Verdict, VerdictStatus } from './types.ts'
export { verify } from './verify.ts'
