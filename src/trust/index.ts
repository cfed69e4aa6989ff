export type { SignedFile, TrustContext, TrustedKey, TrustPolicy, Verdict, VerdictStatus } from './types.ts'
