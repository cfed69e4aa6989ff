// An item as a set of files, wherever they came from: what it says, and what its signature is worth. The
// names of the files follow from type, id and extension; any other file is refused.
import { AppError, quoteText, sha256Hex } from '../../base/index.ts'
import { chooseItemFiles, type Extractor, type Extractors, extractItem } from '../../extract/index.ts'
import { type ItemType, nameOf } from '../../item/index.ts'
import { type SearchDocument, searchDocument } from '../../search/index.ts'
import { SKILL_SIGNATURE, type TrustContext, type Verdict, verify, verifySkill } from '../../trust/index.ts'

export interface ItemFiles {
  readonly type: ItemType
  readonly id: string
  /** With its dot. */
  readonly extension: string
  /**
   * For a plain item `NAME.EXT`, and `NAME.EXT.sig` if detached. For a tool also the files beside it that it
   * uses, each verified by its own signature when the tool runs. For a skill every path below its folder.
   */
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** Trusts nobody. A verdict under it still says whose signature an item claims to have. */
export const NO_TRUST: TrustContext = {
  keys: new Map(),
  revoked: new Map(),
  manifest: new Map(),
  approvals: new Map(),
  policy: { legacy: 'refuse' },
  now: new Date('9999-01-01'),
}

/** The name of the item's main file. Throws `ITEM_MALFORMED` when the files are not those of such an item. */
export function mainFileOf({ type, id, extension, files }: ItemFiles, extractors: Extractors): string {
  const extractor = extractorOf(extractors, type)
  const expected =
    extractor.itemFile === null
      ? extractor.extensions.includes(extension) && `${nameOf(id)}${extension}`
      : chooseItemFiles(extractor, topNames(files)).find(one => one.extension === extension)?.name
  if (!expected || !files.has(expected))
    throw malformed(type, id, `there is no file of a ${type} with the extension ${quoteText(extension, 40)}`)
  if (extractor.itemFile !== null) return expected
  const odd = [...files.keys()].find(
    name =>
      name !== expected &&
      !(name === `${expected}.sig` && isDetached(extractor, extension)) &&
      !(type === 'tool' && isBeside(name, id, extractor)),
  )
  if (odd !== undefined) throw malformed(type, id, `${quoteText(odd, 120)} is no file of it`)
  return expected
}

/** What is needed to read and judge items of a catalogue. */
export interface ReadingView {
  readonly sharedExtractors: Extractors
  readonly trust: TrustContext
}

/** The verdict, by the same rules as for a file of a space. `root` is where the item would lie. */
export function judgeFiles(
  item: ItemFiles,
  { extractors, trust, root }: { extractors: Extractors; trust: TrustContext; root: string },
): Verdict {
  const { type, id, extension, files } = item
  const main = mainFileOf(item, extractors)
  const extractor = extractorOf(extractors, type)
  if (extractor.itemFile !== null) {
    const digests = [...files].filter(([path]) => path !== SKILL_SIGNATURE)
    const signature = files.get(SKILL_SIGNATURE)
    const listed = new Map(digests.map(([path, bytes]) => [path, sha256Hex(bytes)]))
    return verifySkill({ id, root, files: listed, ...(signature && { signature }) }, trust)
  }
  const format = extractor.signatureFormats.get(extension)
  if (!format) throw malformed(type, id, `files with the extension \`${extension}\` carry no signature`)
  const detached = files.get(`${main}.sig`)
  return verify(
    { type, id, root, extension, bytes: files.get(main)!, format, ...(detached && { detached }) },
    trust,
  )
}

/** The document that is searched. */
export async function documentOf(item: ItemFiles, extractors: Extractors): Promise<SearchDocument> {
  const { type, id, extension, files } = item
  const bytes = files.get(mainFileOf(item, extractors))!
  const extractor = extractorOf(extractors, type)
  const parsed = await extractItem(extractor, { id, extension, bytes, outline: true })
  if (extractor.itemFile === null) return searchDocument(parsed)
  const { withSkillText } = await import('../skill-text.ts')
  return searchDocument(await withSkillText(parsed, files))
}

function extractorOf(extractors: Extractors, type: ItemType): Extractor {
  const extractor = extractors.get(type)
  if (!extractor) throw new Error(`unreachable: no extractor for ${type}`)
  return extractor
}

/** Whether a file may lie beside the tool. A second file with the same id could be taken for the item. */
function isBeside(path: string, id: string, { extensions }: Extractor): boolean {
  return !extensions.some(extension => path === `${nameOf(id)}${extension}`)
}

/** A skill's main file is at the top of its folder. */
function topNames(files: ReadonlyMap<string, unknown>): string[] {
  return [...files.keys()].filter(path => !path.includes('/'))
}

function isDetached({ signatureFormats }: Extractor, extension: string): boolean {
  return signatureFormats.get(extension)?.detached === true
}

function malformed(type: string, id: string, what: string): AppError {
  return new AppError('ITEM_MALFORMED', `\`${type}:${id}\` is malformed: ${what}`)
}
