// The verdict on a skill that lies anywhere, in a space or not: what its signature says of all files of its folder.
import { AppError, sha256Hex } from '../base/index.ts'
import {
  digestSkill,
  isExpired,
  SKILL_SIGNATURE,
  type TrustContext,
  type Verdict,
  verifySkill,
} from '../trust/index.ts'
import { readFolder } from './read-folder.ts'

export interface SkillPlace {
  readonly id: string
  /** Of its SKILL.md, absolute. */
  readonly path: string
  /** Where links end to be followed, and what a key that is trusted in one folder is asked about. */
  readonly base: string
}

export interface JudgedSkill {
  /** Of the list of its files, as it would be signed; undefined where they cannot be read or listed. */
  readonly digest: string | undefined
  readonly verdict: Pick<Verdict, 'status' | 'signer'>
}

/** Never throws because of a file. */
export function judgeSkill({ id, path, base }: SkillPlace, trust: TrustContext): JudgedSkill {
  try {
    const { parts } = readFolder({ path, base })
    const signature = parts.get(SKILL_SIGNATURE)
    parts.delete(SKILL_SIGNATURE)
    const files = new Map([...parts].map(([name, bytes]) => [name, sha256Hex(bytes)]))
    const verdict = verifySkill({ id, root: base, files, ...(signature && { signature }) }, trust)
    return { digest: digestSkill(files), verdict }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { digest: undefined, verdict: { status: 'malformed', signer: null } }
  }
}

/** Differs whenever a verdict may, though no file has changed. */
export function stampTrustContext({ keys, revoked, approvals, policy, now }: TrustContext): string {
  const trusted = [...keys.values()].map(({ fingerprint, bounds }) => [
    fingerprint,
    bounds ?? null,
    bounds !== undefined && isExpired(bounds, now),
  ])
  return sha256Hex(
    JSON.stringify([trusted.sort(), [...revoked.keys()].sort(), [...approvals].sort(), policy]),
  )
}
