// One item as a row of the `items` table, and back. Whoever can write to the table can put anything into a row, so that everything
// which is read of one is checked, and nothing in it is believed that the bytes of the item do not say.
import { isDeeperThan, isRecord, type JsonObject } from '../base/index.ts'
import { type ItemType, idProblem, isItemType, nameOf } from '../item/index.ts'
import { SEARCH_FIELDS, type SearchField } from '../query/index.ts'
import { carriedDocument, isCarriable, type SearchDocument } from '../search/index.ts'

/** An item as it was read from a root. */
export interface CatalogueItem {
  readonly extension: string
  readonly document: SearchDocument
  /** All of its files, as `packFiles` writes them. */
  readonly packed: Uint8Array
  /** Fingerprint of the key whose signature it bears, good or not; empty without one. */
  readonly signer: string
  /** Where it came from and in which state, if the lock of its root knows. */
  readonly source: string
  readonly commit: string
  /** Of its files on the machine that wrote the row; empty where it says nothing. */
  readonly stamp: string
}

/** An item whose row is to be written. Its files are left out: nothing more is made of them. */
export interface ItemToWrite extends Omit<CatalogueItem, 'packed'> {
  readonly size: number
  readonly digest: string
}

/** All columns but `bytes`. */
export type ItemRow = Readonly<Record<string, string | number | Float32Array | null>>

/** What is known of an item that may fit a question. */
export interface Candidate {
  readonly root: string
  readonly type: ItemType
  readonly id: string
  readonly extension: string
  /** SHA-256 of its files as they are packed. */
  readonly digest: string
  readonly signer: string
  readonly source: string
  readonly commit: string
  /** Null for a large item: it is fetched by its digest. */
  readonly bytes: Uint8Array | null
  readonly document: SearchDocument
}

/** Larger items are in a table of their own. */
export const INLINE_BYTES = 64 * 1024
/** Between two texts of a field. */
const SEPARATOR = '\u001f'
/** Of a name of a root, a source or a commit. */
const MAX_NAME = 20_000
/** Bytes of the JSON of one row, from a document that is carried: no row is even decoded that has more. */
export const MAX_ENTRY = 4_000_000
const DIGEST = /^[0-9a-f]{64}$/
/** Deeper metadata have no honest use, and what walks them would run out of stack. */
const DEEPEST = 100

export function keyOf(root: string, type: string, id: string): string {
  return `${root} ${type}:${id}`
}

export interface RowOrigin {
  readonly root: string
  /** By which rules the row was made. */
  readonly made: string
}

export interface RowExtras {
  /** By which candidates are found. */
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

/** Those that are made of others are not written twice. */
function isKept(field: SearchField): boolean {
  return !['name', 'description'].includes(field)
}

/**
 * Columns from which a candidate is read. `metadata` has all that ranking and showing it takes: what is read of a row costs a request to
 * storage for each column.
 */
export const CANDIDATE_COLUMNS = ['metadata', 'bytes']

/** Undefined for a row that no sync of ours writes. */
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
  // JSON.parse makes JSON.
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
