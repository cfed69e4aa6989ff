// A skill is signed as a folder. `SKILL.sig` holds the signature line, then one line `sha256 path` for every
// other file, sorted by the bytes of the path, as `sha256sum -c` reads it. The line covers the list, the list
// covers the files, and the list must match the folder: one file more or less is tampering.
import { AppError, quoteText, sha256Hex } from '../base/index.ts'
import { idProblem } from '../item/index.ts'
import { approvedVerdict } from './approval.ts'
import { asBuffer } from './byte-line.ts'
import type { SigningKey } from './key.ts'
import { makeLine, type SignOptions } from './sign.ts'
import { encodeSignature, printSignatureLine, SIDECAR_MARKS } from './signature-line.ts'
import { splitSignedContent } from './signed-content.ts'
import type { SignatureLine, SignedSkill, TrustContext, Verdict } from './types.ts'
import { isOfRevoked, judge, refuse, systemVerdict } from './verify.ts'

export const SKILL_SIGNATURE = 'SKILL.sig'
const SKILL_FILE = 'SKILL.md'
const ENTRY = /^[0-9a-f]{64} {2}\S/
const DIGEST = /^[0-9a-f]{64}$/

/** The text that is signed: one line per file. Throws `ITEM_MALFORMED` for a path that cannot be listed. */
export function printSkillManifest(files: ReadonlyMap<string, string>): string {
  const lines: string[] = []
  for (const path of sortedPaths(files)) {
    const problem = pathProblem(path)
    if (problem !== undefined)
      throw new AppError('ITEM_MALFORMED', `a skill cannot hold the file ${quoteText(path, 120)}: ${problem}`)
    lines.push(`${files.get(path)}  ${path}\n`)
  }
  return lines.join('')
}

export interface SignedSkillResult {
  /** The bytes of `SKILL.sig`. */
  readonly bytes: Uint8Array
  readonly signature: SignatureLine & { readonly encoded: string }
}

/** Signs a skill folder, given as a list of files. Always v2. */
export function signSkill(
  skill: Omit<SignedSkill, 'signature'>,
  key: SigningKey,
  options: Omit<SignOptions, 'format'>,
): SignedSkillResult {
  const manifest = Buffer.from(printSkillManifest(skill.files))
  const item = { type: 'skill', id: skill.id, file: SKILL_FILE } as const
  const line = makeLine(item, manifest, key, { ...options, format: 'v2' })
  const bytes = Buffer.concat([Buffer.from(`${printSignatureLine(line, SIDECAR_MARKS)}\n`), manifest])
  return { bytes, signature: { ...line, encoded: encodeSignature(line.signature) } }
}

/** Judges a skill folder. Never throws. */
export function verifySkill(skill: SignedSkill, context: TrustContext): Verdict {
  const own = verifyOwn(skill, context)
  if (own.status === 'verified' || isOfRevoked(own, context)) return own
  if (hasOddPath(skill.files) || !hasFittingSignature(skill)) return own
  const item = { type: 'skill', id: skill.id, root: skill.root, name: `skill:${skill.id}` } as const
  return approvedVerdict({ ...item, digest: () => digestSkill(skill.files) }, context) ?? own
}

/**
 * An approval does not cover `SKILL.sig`. It has to be absent or a list of exactly these files; otherwise
 * anything could be put there, for users of the skill to read or run.
 */
export function hasFittingSignature({ signature, files }: Pick<SignedSkill, 'signature' | 'files'>): boolean {
  if (signature === undefined) return true
  const content = splitSignedContent(signature, { ...SIDECAR_MARKS, afterShebang: false })
  if (content.kind !== 'signed') return false
  const listed = parseSkillManifest(asBuffer(content.covered).toString('utf8'))
  return typeof listed !== 'string' && findDifference(listed, files) === undefined
}

/** Identifies a skill in approvals: the digest of its file list. Throws `ITEM_MALFORMED` for a bad path. */
export function digestSkill(files: ReadonlyMap<string, string>): string {
  return sha256Hex(printSkillManifest(files))
}

/** Judges by the skill's own signature only. */
function verifyOwn(skill: SignedSkill, context: TrustContext): Verdict {
  const idFault = idProblem(skill.id)
  if (idFault !== undefined) return refuse('malformed', `invalid item id: ${idFault}`)
  const odd = sortedPaths(skill.files).find(path => pathProblem(path) !== undefined)
  if (odd !== undefined) return refuse('malformed', `file ${quoteText(odd, 120)}: ${pathProblem(odd)}`)

  const digests = context.manifest.get(`skill:${skill.id}`)
  if (digests !== undefined) {
    const digest = digestSkill(skill.files)
    if (digests.includes(digest)) return systemVerdict(digest)
  }
  if (skill.signature === undefined) return refuse('unsigned', `no \`${SKILL_SIGNATURE}\` in the folder`)
  const content = splitSignedContent(skill.signature, { ...SIDECAR_MARKS, afterShebang: false })
  if (content.kind !== 'signed') return refuse(content.kind, content.reason)
  const item = { type: 'skill', id: skill.id, file: SKILL_FILE, root: skill.root } as const
  const verdict = judge(item, content, context)
  if (verdict.status === 'tampered' || verdict.status === 'malformed') return verdict

  const manifest = parseSkillManifest(asBuffer(content.covered).toString('utf8'))
  if (typeof manifest === 'string') return { ...verdict, status: 'malformed', reason: manifest }
  const difference = findDifference(manifest, skill.files)
  return difference === undefined ? verdict : { ...verdict, status: 'tampered', reason: difference }
}

/** What differs from a skill's signed list, one line per file. Empty when that list cannot be read. */
export function skillChanges(skill: SignedSkill): string[] {
  const content =
    skill.signature && splitSignedContent(skill.signature, { ...SIDECAR_MARKS, afterShebang: false })
  if (content?.kind !== 'signed') return []
  const signed = parseSkillManifest(asBuffer(content.covered).toString('utf8'))
  if (typeof signed === 'string') return []
  const paths = sortedPaths(new Map([...signed, ...skill.files]))
  return paths.flatMap(path => {
    const [before, now] = [signed.get(path), skill.files.get(path)]
    if (before === now) return []
    return `${before === undefined ? 'added' : now === undefined ? 'removed' : 'changed'}: ${quoteText(path, 120)}`
  })
}

/** Returns the files, or a message about what is wrong with the list. */
export function parseSkillManifest(text: string): Map<string, string> | string {
  const files = new Map<string, string>()
  if (text !== '' && !text.endsWith('\n')) return 'the last line of the file list has no line feed'
  for (const line of text.split('\n').slice(0, -1)) {
    const path = line.slice(66)
    if (!ENTRY.test(line) || pathProblem(path) !== undefined || files.has(path))
      return `the file list has a bad line ${quoteText(line, 120)}`
    files.set(path, line.slice(0, 64))
  }
  return printSkillManifest(files) === text ? files : 'the file list is not sorted'
}

function findDifference(
  signed: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, string>,
): string | undefined {
  for (const [path, digest] of signed) {
    const actual = found.get(path)
    if (actual === undefined) return `file ${quoteText(path, 120)} is missing`
    if (actual !== digest || !DIGEST.test(actual)) return `file ${quoteText(path, 120)} differs`
  }
  const extra = sortedPaths(found).find(path => !signed.has(path))
  return extra === undefined ? undefined : `file ${quoteText(extra, 120)} is not in the signed list`
}

function hasOddPath(files: ReadonlyMap<string, string>): boolean {
  return sortedPaths(files).some(path => pathProblem(path) !== undefined)
}

function sortedPaths(files: ReadonlyMap<string, string>): string[] {
  return [...files.keys()]
    .filter(path => path !== SKILL_SIGNATURE)
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}

// Control characters would split a line, a backslash is `sha256sum`'s escape, and different undecodable names
// all become U+FFFD.
function pathProblem(path: string): string | undefined {
  if (path === '' || path.length > 1024) return 'expected a path of 1 to 1024 characters'
  if (/[\p{Cc}\p{Cs}\\\u2028\u2029\ufffd]/u.test(path))
    return 'control characters, backslashes and undecodable bytes are not allowed'
  if (path.trim() !== path) return 'spaces at the ends are not allowed'
  if (path.split('/').some(segment => segment === '' || segment === '.' || segment === '..'))
    return 'expected a plain path below the folder'
  return undefined
}
