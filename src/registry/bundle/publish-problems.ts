// What keeps files from being published: all problems at once, each with its file.
import { type Extractors, extractItem, isHelper, validateItem } from '../../extract/index.ts'
import { programFaults } from '../../plan/index.ts'
import type { TrustContext, Verdict } from '../../trust/index.ts'
import { type BundleItem, itemsOf } from './bundle-items.ts'
import { type Files, pathProblem } from './bundle-path.ts'

export interface Judging {
  readonly extractors: Extractors
  readonly trust: TrustContext
  /** The folder that holds the `.ai/` of the items. */
  readonly root: string
  /** Known secrets, which must not be sent to anybody. */
  readonly secrets: readonly string[]
}

/** `PATH: problem`, in the order of the paths. */
export async function publishProblems(files: Files, judging: Judging): Promise<string[]> {
  const { items, strays } = itemsOf(files, judging.extractors)
  const found: (readonly [path: string, problem: string])[] = []
  for (const [path, bytes] of files) {
    const problem = pathProblem(path)
    if (problem !== undefined) found.push([path, problem])
    if (holdsSecret(bytes, judging.secrets)) found.push([path, 'it holds what looks like a key or a token'])
  }
  for (const path of strays) found.push([path, UNSIGNED])
  for (const item of items) {
    const refusal = refusalOf(item.judge(judging.trust, judging.root))
    if (refusal !== undefined) found.push([item.path, refusal])
    else found.push(...(await invalidParts(item, judging.extractors)))
  }
  return found.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([path, text]) => `.ai/${path}: ${text}`)
}

const UNSIGNED = 'it is not signed: read it, then sign it'

function refusalOf({ status, signer, reason, approved }: Verdict): string | undefined {
  // An item accepted here has no signature that would show this elsewhere.
  if (approved) return 'it was accepted here, not signed: publish it only if it is yours, then sign it'
  switch (status) {
    case 'verified':
      return undefined
    case 'unsigned':
      return UNSIGNED
    case 'tampered':
      return 'it was changed after it was signed, or signed in an old way: read it, then sign it'
    case 'malformed':
      return `its signature cannot be read: ${reason}`
    case 'untrusted':
      return `its signer ${signer} is not one that you trust: ${reason}`
  }
}

async function invalidParts(item: BundleItem, extractors: Extractors): Promise<[string, string][]> {
  const extractor = extractors.get(item.type)!
  const parsed = await extractItem(extractor, item)
  const problems = [
    ...parsed.diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message),
    ...(isHelper(parsed) ? [] : validateItem(extractor, parsed).map(({ message }) => message)),
    ...(item.type === 'tool' ? programFaults({ ...parsed, bytes: item.bytes }) : []),
  ]
  return problems.map(problem => [item.path, `it is not valid: ${problem}`])
}

/** Typical forms of keys and tokens. Searched for in bytes, since a file may have any encoding. */
const SECRETS = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/,
  /\bnpm_[A-Za-z0-9]{36}/,
  /\bgh[pousr]_[A-Za-z0-9]{36}/,
  /\bgithub_pat_\w{60}/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bsk-[A-Za-z0-9_-]{32}/,
  /\bxox[baprs]-[0-9A-Za-z-]{20}/,
  /\bglpat-[A-Za-z0-9_-]{20}/,
]

/** Shorter secrets, or an empty password beside a token, would be found in any text. */
const LEAST_SECRET = 8

function holdsSecret(bytes: Uint8Array, secrets: readonly string[]): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const isIn = (secret: string) => secret.length >= LEAST_SECRET && text.includes(secret)
  return SECRETS.some(pattern => pattern.test(text)) || secrets.some(isIn)
}
