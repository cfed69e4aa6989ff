export { findHiddenText } from './hidden-text.ts'
export {
  describeKey,
  type Identity,
  MAX_IDENTITY_BYTES,
  parseIdentity,
  printIdentity,
} from './identity-document.ts'
export { generateKey, readPublicKey, readSigningKey, type SigningKey } from './key.ts'
export { type SignedResult, type SignOptions, sign } from './sign.ts'
export { isFingerprint } from './signature-line.ts'
export { printSkillManifest, SKILL_SIGNATURE, signSkill, verifySkill } from './skill-manifest.ts'
export { SYSTEM_MANIFEST } from './system-manifest.ts'
export type {
  SignatureLine,
  SignedFile,
  SignedSkill,
  TrustContext,
  TrustedKey,
  TrustPolicy,
  Verdict,
  VerdictStatus,
} from './types.ts'
export { verify } from './verify.ts'
