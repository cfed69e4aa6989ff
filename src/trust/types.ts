// What trust says about some bytes, and what it needs to know in order to say it.
import type { KeyObject } from 'node:crypto'
import type { SignatureFormat, SignedType } from '../item/index.ts'

export type VerdictStatus = 'verified' | 'tampered' | 'untrusted' | 'unsigned' | 'malformed'

export interface Verdict {
  readonly status: VerdictStatus
  /** v1: the old format; v2: ours; manifest: known by its digest, as a system item or one that was accepted; null: not known. */
  readonly format: 'v1' | 'v2' | 'manifest' | null
  /** Whether every byte of the item is covered by the signature. */
  readonly coverage: 'full' | 'partial' | null
  /** SHA-256 of the covered bytes, as found now. */
  readonly hash: string | null
  /** Fingerprint of the signer, or `system`. */
  readonly signer: string | null
  /** As the signature line says; only v2 signs it. */
  readonly timestamp: string | null
  /** An agent had it signed, and no person was asked. */
  readonly by_agent?: true
  /** Why the status is not `verified`. */
  readonly reason?: string
  /** Where it came from, if it is not signed by its maker but was accepted by the signer. */
  readonly approved?: Pick<ItemOrigin, 'source'> & Partial<ItemOrigin>
  /** What was used of this item before, if that was newer. */
  readonly rolled_back_from?: RolledBackFrom
}

/** Where something came from. */
export interface ItemOrigin {
  /** An address, as the person gave it. */
  readonly source: string
  /** A commit or version; empty where there is none. */
  readonly revision: string
}

/** What was accepted of one item. */
export interface Approval extends ItemOrigin {
  /** Of the file, or of the list of files of a folder. */
  readonly digest: string
  readonly at: string
  readonly signer: string
  /** The key of its maker, if nobody looked at the item but took it for the sake of that key: it counts for as long as that is trusted, too. */
  readonly trusting?: string
}

export interface RolledBackFrom {
  readonly version?: string
  readonly timestamp: string
}

/** What the trust in a key is limited to; at least one of them is there. */
export interface TrustBounds {
  /** Patterns of ids, `TYPE:GLOB` or `GLOB` for every type: an item must match one of them. */
  readonly for?: readonly string[]
  /** The folders of projects, without links: an item must lie in one of them. */
  readonly project?: readonly string[]
  /** The last day in UTC, `2027-01-31`, or the moment at which trust ends, `2027-01-31T12:00:00Z`. */
  readonly until?: string
}

export interface TrustedKey {
  /** First 16 hex digits of the SHA-256 of the SPKI PEM text. */
  readonly fingerprint: string
  readonly owner: string
  readonly key: KeyObject
  /** Without them the trust holds for everything. */
  readonly bounds?: TrustBounds
}

export interface TrustPolicy {
  /** Whether old signatures that leave part of the file uncovered are accepted. */
  readonly legacy: 'refuse' | 'allow'
}

export interface TrustContext {
  readonly keys: ReadonlyMap<string, TrustedKey>
  /** Fingerprints whose signatures count for nothing, whoever trusts them, and why. */
  readonly revoked: ReadonlyMap<string, { readonly reason: string }>
  /** `TYPE:PATH` of a file below its type folder, or `skill:ID` → digests of the system item of that name. */
  readonly manifest: ReadonlyMap<string, readonly string[]>
  /** Like the manifest → what trusted keys have accepted under that name. */
  readonly approvals: ReadonlyMap<string, readonly Approval[]>
  readonly policy: TrustPolicy
  /** The time against which future timestamps and the ends of trust are judged. */
  readonly now: Date
}

/** One item as read from disk, once. */
export interface SignedFile {
  readonly type: SignedType
  readonly id: string
  /** The folder that holds its `.ai/`, without links; keys that are trusted in one project ask for it. */
  readonly root?: string
  /** With its dot: the same bytes mean one thing as `.py` and another as `.sh`. */
  readonly extension: string
  readonly bytes: Uint8Array
  readonly format: SignatureFormat
  /** The bytes of the signature file beside it, for detached formats. */
  readonly detached?: Uint8Array
}

/** One skill folder as read from disk, once. */
export interface SignedSkill {
  readonly id: string
  /** As of a file. */
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
  /** 64 bytes of Ed25519. */
  readonly signature: Uint8Array
  readonly fingerprint: string
  /** `provider@user`, or null. */
  readonly provenance: string | null
}
