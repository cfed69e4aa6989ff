// The only way to the content of an item: its file is read once, and the bytes verified are the bytes used.
import { basename } from 'node:path'
import { AppError, sha256Hex } from '../base/index.ts'
import type { Extractors, ParsedItem } from '../extract/index.ts'
import { type FileState, fileState, type ReadFile, readFile } from '../files/index.ts'
import { printRef, type Space } from '../item/index.ts'
import { type ItemFile, WALK_LIMITS } from '../scan/index.ts'
import type { ResolvedEntry } from '../space/index.ts'
import { SKILL_SIGNATURE, type TrustContext, type Verdict, verify, verifySkill } from '../trust/index.ts'
import { parseItem } from './parsed-tools.ts'
import { joinDigests, type LeftOut, onlySearched, readFolder, type SeenState } from './read-folder.ts'

/** An item as it was read. Its verdict is about exactly the bytes that may be shown or run. */
export interface OpenedItem {
  readonly file: ItemFile
  readonly bytes: Uint8Array
  readonly digest: string
  /** Digest of everything that was read, including every file of a folder item. */
  contentDigest(): string
  /** Digest of the searched content, by which the index knows the item. */
  searchedDigest(): string
  readonly verdict: Verdict
  /** The user trusts the signer for something, or has revoked its key: trusting it is not what is missing. */
  readonly knowsSigner: boolean
  /** Spaces of lower precedence that have an item of this type and id. */
  readonly shadows: readonly Space[]
  /** File state when it was read; for a folder item, when it was found. */
  readonly state: FileState
  /** Everything that content and verdict were read from. Empty when unknown. */
  readonly seen: readonly SeenState[]
  /** Every file of a folder item except its signature, read at the same time. Empty for a plain item. */
  readonly parts: ReadonlyMap<string, Uint8Array>
  /** SHA-256 of each part, as verified. */
  readonly partDigests: ReadonlyMap<string, string>
  /** Entries in the folder that are not part of the item, with the reason. */
  readonly leftOut: readonly LeftOut[]
  /** The bytes of the signature file, if the signature is detached. */
  readonly detached: Uint8Array | undefined
  parse(): Promise<ParsedItem>
}

const SIGNATURE_BYTES = 4096

/** Reads and verifies an item; the caller decides whether the verdict is good enough. */
export function readItem(
  found: ResolvedEntry<ItemFile>,
  extractors: Extractors,
  trust: TrustContext,
): OpenedItem {
  const file = found.entry
  const extractor = extractors.get(file.type)
  if (!extractor) throw new Error(`unreachable: no extractor for ${file.type}`)
  const read = extractor.itemFile === null ? readPlain(file, extractors, trust) : readSkillFolder(file, trust)
  const digest = sha256Hex(read.bytes)
  const { signer } = read.verdict
  let parsed: Promise<ParsedItem> | undefined
  return {
    contentDigest: () => digest,
    searchedDigest: () => digest,
    ...read,
    file,
    digest,
    knowsSigner: signer !== null && (trust.keys.has(signer) || trust.revoked.has(signer)),
    shadows: found.shadows.map(entry => entry.space),
    parse() {
      parsed ??= parseItem(extractor, { id: file.id, extension: file.extension, bytes: read.bytes }, digest)
      return parsed
    },
  }
}

function readPlain(file: ItemFile, extractors: Extractors, trust: TrustContext) {
  const format = extractors.get(file.type)?.signatureFormats.get(file.extension)
  if (!format) throw new Error(`unreachable: no signature format for ${file.type} ${file.extension}`)
  const { bytes, stat } = mustRead(file)
  const detached = format.detached
    ? readFile(`${file.path}.sig`, { maxBytes: SIGNATURE_BYTES, root: file.base })
    : undefined
  const signed = {
    type: file.type,
    id: file.id,
    root: file.base,
    extension: file.extension,
    bytes,
    format,
    ...(detached && { detached: detached.bytes }),
  }
  return {
    bytes,
    verdict: verify(signed, trust),
    parts: new Map<string, Uint8Array>(),
    partDigests: new Map<string, string>(),
    leftOut: [],
    detached: detached?.bytes,
    state: fileState(stat),
    seen: format.detached ? [] : [{ ...fileState(stat), path: file.path }],
  }
}

function readSkillFolder(file: ItemFile, trust: TrustContext) {
  const { parts, leftOut, seen } = readFolder(file)
  const bytes = parts.get(basename(file.path))
  if (!bytes) throw vanished(file)
  const digests = Array.from(parts, ([path, content]): [string, string] => [path, sha256Hex(content)])
  const signature = parts.get(SKILL_SIGNATURE)
  parts.delete(SKILL_SIGNATURE)
  const files = new Map(digests.filter(([path]) => path !== SKILL_SIGNATURE))
  const verdict = verifySkill({ id: file.id, root: file.base, files, ...(signature && { signature }) }, trust)
  return {
    bytes,
    verdict,
    parts,
    partDigests: files,
    leftOut,
    detached: signature,
    state: file,
    seen,
    contentDigest: () => joinDigests(digests),
    searchedDigest: () => joinDigests(onlySearched(digests)),
  }
}

function mustRead(file: ItemFile): ReadFile {
  const read = readFile(file.path, { maxBytes: WALK_LIMITS.fileBytes, root: file.base })
  if (!read) throw vanished(file)
  return read
}

function vanished(file: ItemFile): AppError {
  return new AppError(
    'ITEM_NOT_FOUND',
    `${printRef({ id: file.id })} was removed while it was read: \`${file.path}\``,
  )
}
