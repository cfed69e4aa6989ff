// Reads one file that may have changed, for the index. Its content is compared before it is parsed, so a file
// that was only touched costs a read.
import { basename } from 'node:path'
import { AppError, sha256Hex } from '../base/index.ts'
import { type Extractor, type Extractors, extractItem, type ParsedItem } from '../extract/index.ts'
import { isSameState, knownState, readFile } from '../files/index.ts'
import { nameOf } from '../item/index.ts'
import { SIGNATURE_MARKS } from '../parse/index.ts'
import { type ItemFile, WALK_LIMITS } from '../scan/index.ts'
import { type IndexedItem, type KnownFile, searchDocument, type TouchedFile } from '../search/index.ts'
import { SKILL_SIGNATURE } from '../trust/index.ts'
import { digestExtractor } from './extractor-digest.ts'
import { digestParts, readSearched } from './read-folder.ts'
import { joinSkillText, readSkillText, type SkillText } from './skill-text.ts'

export interface FoundFile {
  /** Path in the index. */
  readonly path: string
  readonly file: ItemFile
  /** The index entry of that path; undefined when there is none. */
  readonly known: KnownFile | undefined
}

export interface IndexDiagnostic {
  readonly path: string
  readonly code: string
  readonly message: string
}

export type ReadChange =
  | { readonly item: IndexedItem }
  | { readonly touched: TouchedFile }
  | { readonly problem: IndexDiagnostic }

/** Whether the index entry matches the file and its extractor as they are now. */
export function isIndexed({ known, file }: FoundFile, extractors: Extractors): boolean {
  if (known === undefined || !isSameState(known, file)) return false
  return known.hash.endsWith(hashEnding(getExtractor(extractors, file)))
}

/**
 * Collections of skills often contain copies. Files are read in order of size, so copies follow each other.
 */
const RECENT = 16

/** The items parsed last, by name and content, to be reused for a copy in another place. */
export class RecentItems {
  readonly #items = new Map<string, ParsedFile>()

  async get(key: string, parse: () => Promise<ParsedFile>): Promise<ParsedFile> {
    const known = this.#items.get(key)
    if (known) return known
    const parsed = await parse()
    if (this.#items.size === RECENT) this.#items.delete(this.#items.keys().next().value!)
    this.#items.set(key, parsed)
    return parsed
  }
}

interface ParsedFile {
  readonly plain: ParsedItem
  /** For a skill, the text of its other files. */
  readonly text?: SkillText | undefined
}

export async function readChanged(
  { path, file, known }: FoundFile,
  extractors: Extractors,
  recent: RecentItems,
): Promise<ReadChange> {
  const readAt = Date.now()
  try {
    const extractor = getExtractor(extractors, file)
    const { id, extension } = file
    const parts = extractor.itemFile === null ? undefined : readSearched(file)
    const bytes = parts
      ? parts.get(basename(file.path))
      : readFile(file.path, { maxBytes: WALK_LIMITS.fileBytes, root: file.base })?.bytes
    if (!bytes) return { problem: { path: file.path, code: 'vanished', message: 'the file went away' } }
    const hash = `${parts ? digestParts(parts) : sha256Hex(bytes)}${hashEnding(extractor)}`
    const touched = { path, hash, ...knownState(file, readAt) }
    if (known?.hash === hash) return { touched }
    const { plain, text } = await recent.get(`${nameOf(id)}${extension} ${hash}`, async () => {
      const plain = await extractItem(extractor, { id, extension, bytes, outline: true })
      return { plain, ...(parts && { text: await readSkillText(plain, parts) }) }
    })
    const own = { ...plain, id }
    const parsed = parts ? joinSkillText(own, text) : own
    return {
      item: {
        ...touched,
        extension,
        mayBeSigned: parts ? isSignedFolder(file, parts) : mayBeSigned(bytes, file, extractor),
        document: searchDocument(parsed),
      },
    }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { problem: { path: file.path, code: thrown.code.toLowerCase(), message: thrown.message } }
  }
}

/** Bundled items are verified by their digests. */
function isSignedFolder({ space }: ItemFile, parts: ReadonlyMap<string, unknown>): boolean {
  return space === 'system' || parts.has(SKILL_SIGNATURE)
}

/** Some formats have their signature in a separate file. */
function mayBeSigned(
  bytes: Uint8Array,
  { space, extension }: ItemFile,
  { signatureFormats }: Extractor,
): boolean {
  if (space === 'system' || signatureFormats.get(extension)?.detached !== false) return true
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return SIGNATURE_MARKS.some(mark => content.includes(mark))
}

function getExtractor(extractors: Extractors, { type }: ItemFile): Extractor {
  const extractor = extractors.get(type)
  if (!extractor) throw new Error(`unreachable: no extractor for ${type}`)
  return extractor
}

function hashEnding(extractor: Extractor): string {
  return `-${digestExtractor(extractor)}`
}
