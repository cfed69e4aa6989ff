// Converts one item to a row of the `items` table, and back. Anyone who can write to the table can put
// anything into a row, so everything read from one is checked, and nothing in it is believed unless the bytes
// of the item say the same.
import { isDeeperThan, isRecord, type JsonObject } from '../base/index.ts'
import { type ItemType, idProblem, isItemType, nameOf } from '../item/index.ts'
import { SEARCH_FIELDS, type SearchField } from '../query/index.ts'
import { carriedDocument, isCarriable, type SearchDocument } from '../search/index.ts'

/** An item as read from a root. */
export interface CatalogueItem {
  readonly extension: string
  readonly document: SearchDocument
  /** All of its files, as written by `packFiles`. */
  readonly packed: Uint8Array
  /**
   * Fingerprint of the key named by its signature, whether the signature is valid or not; empty when there is
   * none.
   */
  readonly signer: string
  /** Where it came from and at which commit; both empty when the lock of its root doesn't know. */
  readonly source: string
  readonly commit: string
  /** Stamp of its files on the machine that wrote the row; empty when there is none. */
  readonly stamp: string
}

/** An item whose row is to be written. Its files are left out: the row is made without them. */
export interface ItemToWrite extends Omit<CatalogueItem, 'packed'> {
  readonly size: number
  readonly digest: string
}

/** All columns except `bytes`. */
export type ItemRow = Readonly<Record<string, string | number | Float32Array | null>>

/** What is known about an item that may match a query. */
export interface Candidate {
  readonly root: string
  readonly type: ItemType
  readonly id: string
  readonly extension: string
  /** SHA-256 of its packed files. */
  readonly digest: string
  readonly signer: string
  readonly source: string
  readonly commit: string
  /** Null for a large item, which is fetched by its digest. */
  readonly bytes: Uint8Array | null
  readonly document: SearchDocument
}

/** Larger items are kept in a separate table. */
export const INLINE_BYTES = 64 * 1024
/** Separates the texts of a field. */
const SEPARATOR = '\u001f'
/** Longest name of a root, a source or a commit. */
const MAX_NAME = 20_000
/**
 * Largest JSON of one row in bytes, given the limits of a carried document. Longer values are not even
 * decoded.
 */
export const MAX_ENTRY = 4_000_000
const DIGEST = /^[0-9a-f]{64}$/
/** Deeper metadata has no honest use, and code that walks it would run out of stack. */
const DEEPEST = 100

export function keyOf(root: string, type: string, id: string): string {
  return `${root} ${type}:${id}`
}

export interface RowOrigin {
  readonly root: string
  /** The version of the rules by which the row was made. */
  readonly made: string
}

export interface RowExtras {
  /** The words by which candidates are found. */
  readonly words: string
  readonly vector: Float32Array | null
}

export function makeRow(item: ItemToWrite, { root, made, words, vector }: RowOrigin & RowExtras): ItemRow {
  const { size, digest } = item
  const document = carriedDocument(item.document)
  const { type, id, fields } = document
  const { extension, signer, source, commit } = item
  const { title, description, category, version, parameters, date, metadata, prose } = document
  const entry = {
    ...{ root, type, id, extension, digest, signer, source, commit },
    ...{ title, description, category, version, parameters, date, metadata, prose },
    fields: Object.fromEntries(SEARCH_FIELDS.filter(isKept).map(field => [field, fields[field]])),
  }
  return {
    key: keyOf(root, type, id),
    root,
    type,
    id,
    extension,
    name: document.name,
    title,
    description,
    category,
    tags: document.tags.join(SEPARATOR),
    parameters,
    content: fields.content.join(SEPARATOR),
    words,
    size,
    digest,
    signer,
    version,
    source,
    commit,
    stamp: item.stamp,
    made,
    metadata: JSON.stringify(entry),
    vector,
  }
}

/** Fields that can be derived from others are not written twice. */
function isKept(field: SearchField): boolean {
  return !['name', 'description'].includes(field)
}

/**
 * The columns from which a candidate is read. `metadata` has everything needed to rank and show it: each
 * column that is read costs a request to storage.
 */
export const CANDIDATE_COLUMNS = ['metadata', 'bytes']

/** Returns undefined for a row that our sync would never write. */
export function readCandidate(row: Readonly<Record<string, unknown>>): Candidate | undefined {
  const { bytes } = row
  const entry = readEntry(row.metadata)
  if (entry === undefined) return undefined
  const text = (name: string) => {
    const value = entry[name]
    return typeof value === 'string' && value.length <= MAX_NAME ? value : undefined
  }
  const [root, type, id, extension] = ['root', 'type', 'id', 'extension'].map(text)
  const [signer, source, commit] = ['signer', 'source', 'commit'].map(text)
  if (root === undefined || !isItemType(type) || id === undefined || idProblem(id) !== undefined)
    return undefined
  if (extension === undefined || !/^\.[a-z0-9]{1,10}$/.test(extension) || signer === undefined)
    return undefined
  const [title, description, category] = ['title', 'description', 'category'].map(text)
  const [version, parameters] = ['version', 'parameters'].map(text)
  if (title === undefined || description === undefined || category === undefined) return undefined
  if (version === undefined || parameters === undefined) return undefined
  const { date, digest, metadata, prose, fields } = entry
  if (typeof digest !== 'string' || !DIGEST.test(digest)) return undefined
  const lists = SEARCH_FIELDS.map(field => [field, textsOf(fields[field])] as const)
  const kept = Object.fromEntries(lists) as Record<SearchField, readonly string[]>
  const document: SearchDocument = {
    ...{ type, id, title, description, category, version, parameters, metadata },
    name: nameOf(id),
    date: typeof date === 'number' ? date : undefined,
    tags: kept.tags,
    fields: { ...kept, name: [nameOf(id)], description: present(description) },
    prose: typeof prose === 'string' ? prose : undefined,
  }
  if (!isCarriable(document)) return undefined
  return {
    ...{ root, type, id, extension, digest, signer, document },
    source: source ?? '',
    commit: commit ?? '',
    bytes: bytes instanceof Uint8Array && bytes.length <= INLINE_BYTES ? bytes : null,
  }
}

type Entry = Readonly<Record<string, unknown>> & {
  readonly metadata: JsonObject
  readonly fields: Readonly<Record<string, unknown>>
}

function readEntry(json: unknown): Entry | undefined {
  if (typeof json !== 'string' || json.length > MAX_ENTRY) return undefined
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return undefined
  }
  if (!isRecord(value) || isDeeperThan(value, DEEPEST)) return undefined
  const { metadata, fields } = value
  // The value comes from JSON.parse, so it is JSON.
  return isRecord(metadata) && isRecord(fields)
    ? { ...value, metadata: metadata as JsonObject, fields }
    : undefined
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(entry => typeof entry === 'string') : []
}

function present(text: string): string[] {
  return text === '' ? [] : [text]
}
