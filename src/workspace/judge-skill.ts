// The verdict on a skill anywhere on disk, in a space or not, by its signature over all files of its folder.
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
  /** Absolute path of its SKILL.md. */
  readonly path: string
  /** Links are not followed below it. Also counts as the project, for keys that are trusted in one only. */
  readonly base: string
}

export interface JudgedSkill {
  /** Digest of its file list as it would be signed. Undefined when the files cannot be read or listed. */
  readonly digest: string | undefined
  readonly verdict: Pick<Verdict, 'status' | 'signer'>
}

/** Never throws because of unreadable or bad files. */
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

/** A stamp that changes whenever a verdict may change although no file has. */
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
