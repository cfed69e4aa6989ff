// Whether an item was rolled back. A signature says forever that its bytes were right once; only a memory of
// later uses can say that they are old. That memory is the newest version and the newest signing time of all
// uses, kept independently, so neither the order of uses nor the number of servers changes it.
import { compareVersions, parseVersion } from '../item/index.ts'
import type { RolledBackFrom, Verdict } from './types.ts'

/** What is remembered about the signed bytes used under one id. */
export interface SignedUse {
  /** As the item states it. Absent when it cannot be compared. */
  readonly version?: string
  readonly timestamp: string
  /**
   * v1 does not sign its time, so someone who puts an old file back can write any. For `manifest`, the time
   * is when somebody accepted the bytes.
   */
  readonly format: 'v1' | 'v2' | 'manifest'
  /** Hash of the bytes that were signed or accepted at that time. */
  readonly hash: string
}

/** A verdict as a use. Undefined when no key vouches for the bytes, or they may not be used. */
export function signedUse(
  { status, format, timestamp, hash }: Verdict,
  version: string | undefined,
): SignedUse | undefined {
  if (status !== 'verified' || timestamp === null || hash === null) return undefined
  if (format === null) return undefined
  return { ...comparable(version), timestamp, format, hash }
}

/** The version, if it can be compared. */
export function comparable(version: string | undefined): { version?: string } {
  return version !== undefined && parseVersion(version) !== undefined ? { version } : {}
}

/** What was used before, if `found` is older: signed or accepted earlier, or of a lower version. */
export function rolledBackFrom(found: SignedUse, known: SignedUse): RolledBackFrom | undefined {
  const isEarlier = compareTimes(found, known) < 0 && !isAcceptedAlike(found, known)
  if (!isEarlier && !isLowerVersion(found.version, known.version)) return undefined
  const { version, timestamp } = known
  return { ...(version !== undefined && { version }), timestamp }
}

/**
 * The newest version and time of two uses. Equal ones are ordered by text: the order of uses never matters.
 */
export function newestUse(one: SignedUse, other: SignedUse): SignedUse {
  const text = ({ format, hash }: SignedUse) => `${hash} ${format}`
  const order = compareTimes(one, other) || (text(one) < text(other) ? -1 : 1)
  const { timestamp, format, hash } = order > 0 ? one : other
  const version = newestVersion(one.version, other.version)
  return { ...(version !== undefined && { version }), timestamp, format, hash }
}

/** The same bytes may be accepted later than their maker signed them, or by several people in turn. */
function isAcceptedAlike(one: SignedUse, other: SignedUse): boolean {
  const formats = [one.format, other.format]
  return one.hash === other.hash && formats.includes('manifest') && !formats.includes('v1')
}

/** A signed time always counts as newer than an unsigned one. */
function compareTimes(one: SignedUse, other: SignedUse): number {
  const [left, right] = [one, other].map(({ format, timestamp }) => `${format === 'v1' ? 0 : 1} ${timestamp}`)
  return left! < right! ? -1 : left! > right! ? 1 : 0
}

function isLowerVersion(found: string | undefined, known: string | undefined): boolean {
  return found !== undefined && known !== undefined && compareTexts(found, known) < 0
}

function newestVersion(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const order = compareTexts(one, other) || (one < other ? -1 : 1)
  return order > 0 ? one : other
}

/** 0 when one of them is not a version. */
function compareTexts(one: string, other: string): number {
  const [left, right] = [parseVersion(one), parseVersion(other)]
  return left && right ? compareVersions(left, right) : 0
}
