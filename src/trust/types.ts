// What trust says about some bytes, and what it needs to know to say it.
import type { KeyObject } from 'node:crypto'
import type { SignatureFormat, SignedType } from '../item/index.ts'

export type VerdictStatus = 'verified' | 'tampered' | 'untrusted' | 'unsigned' | 'malformed'

export interface Verdict {
  readonly status: VerdictStatus
  /** v1: the old format; v2: ours; manifest: a system or accepted item, known by digest; null: unknown. */
  readonly format: 'v1' | 'v2' | 'manifest' | null
  /** Whether every byte of the item is covered by the signature. */
  readonly coverage: 'full' | 'partial' | null
  /** SHA-256 of the covered bytes, as found now. */
  readonly hash: string | null
  /** Fingerprint of the signer, or `system`. */
  readonly signer: string | null
  /** As stated in the signature line; only v2 signs it. */
  readonly timestamp: string | null
  /** An agent signed it, without asking a person. */
  readonly by_agent?: true
  /** Why the status is not `verified`. */
  readonly reason?: string
  /** Where it came from, if the signer did not make it but accepted it. */
  readonly approved?: Pick<ItemOrigin, 'source'> & Partial<ItemOrigin>
  /** What was used before of this item, if that was newer. */
  readonly rolled_back_from?: RolledBackFrom
}

/** Where something came from. */
export interface ItemOrigin {
  /** The address, as the person gave it. */
  readonly source: string
  /** A commit or version; empty when there is none. */
  readonly revision: string
}

/** The acceptance of one item. */
export interface Approval extends ItemOrigin {
  /** Of the file, or of a folder's file list. */
  readonly digest: string
  readonly at: string
  readonly signer: string
  /**
   * The maker's key, if nobody looked at the item but accepted it because of that key. The approval then
   * counts only as long as that key is trusted too.
   */
  readonly trusting?: string
}

export interface RolledBackFrom {
  readonly version?: string
  readonly timestamp: string
}

/** What the trust in a key is limited to; at least one field is present. */
export interface TrustBounds {
  /** Patterns of ids, `TYPE:GLOB`, or `GLOB` for every type. An item must match one of them. */
  readonly for?: readonly string[]
  /** Project folders with links resolved. An item must lie in one of them. */
  readonly project?: readonly string[]
  /** The last day in UTC, `2027-01-31`, or the moment when trust ends, `2027-01-31T12:00:00Z`. */
  readonly until?: string
}

export interface TrustedKey {
  /** First 16 hex digits of the SHA-256 of the SPKI PEM text. */
  readonly fingerprint: string
  readonly owner: string
  readonly key: KeyObject
  /** Absent when the trust holds for everything. */
  readonly bounds?: TrustBounds
}

export interface TrustPolicy {
  /** Whether old signatures that leave part of the file uncovered are accepted. */
  readonly legacy: 'refuse' | 'allow'
}

export interface TrustContext {
  readonly keys: ReadonlyMap<string, TrustedKey>
  /** Fingerprints whose signatures never count, even if trusted, with the reason. */
  readonly revoked: ReadonlyMap<string, { readonly reason: string }>
  /** `TYPE:PATH` of a file below its type folder, or `skill:ID` → digests of the system item of that name. */
  readonly manifest: ReadonlyMap<string, readonly string[]>
  /** Keyed like the manifest → what trusted keys have accepted under that name. */
  readonly approvals: ReadonlyMap<string, readonly Approval[]>
  readonly policy: TrustPolicy
  /** The time against which future timestamps and the ends of trust are judged. */
  readonly now: Date
}

/** One item as read from disk, once. */
export interface SignedFile {
  readonly type: SignedType
  readonly id: string
  /** The folder that holds its `.ai/`, links resolved. For keys that are trusted in one project only. */
  readonly root?: string
  /** With its dot. It is signed, since the same bytes mean one thing as `.py` and another as `.sh`. */
  readonly extension: string
  readonly bytes: Uint8Array
  readonly format: SignatureFormat
  /** The bytes of the signature file beside it, for detached formats. */
  readonly detached?: Uint8Array
}

/** One skill folder as read from disk, once. */
export interface SignedSkill {
  readonly id: string
  /** As in `SignedFile`. */
  readonly root?: string
  /** Path below the folder, with `/` → SHA-256 of the file's bytes. `SKILL.sig` itself may be left out. */
  readonly files: ReadonlyMap<string, string>
  /** The bytes of `SKILL.sig`, when there is one. */
  readonly signature?: Uint8Array
}

/** The fields of one signature line. */
export interface SignatureLine {
  /** `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly timestamp: string
  /** SHA-256 in lower-case hex. */
  readonly hash: string
  /** 64 bytes, Ed25519. */
  readonly signature: Uint8Array
  readonly fingerprint: string
  /** `provider@user`, or null. */
  readonly provenance: string | null
}
