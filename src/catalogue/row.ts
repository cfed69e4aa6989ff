// One item as a row of the `items` table, and back. Whoever can write to the table can put anything into a row, so that everything
// which is read of one is checked, and nothing in it is believed that the bytes of the item do not say.
import { isDeeperThan, isRecord, type JsonObject, sha256Hex } from '../base/index.ts'
import { type ItemType, idProblem, isItemType, nameOf } from '../item/index.ts'
import { SEARCH_FIELDS, type SearchField } from '../query/index.ts'
import type { SearchDocument } from '../search/index.ts'

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

export interface ItemRow
  extends Readonly<Record<string, string | number | Uint8Array | Float32Array | null>> {
  readonly key: string
  readonly digest: string
  readonly bytes: Uint8Array | null
}

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
/** Much more than `searchDocument` makes. */
const MAX = { text: 20_000, content: 8_000_000, json: 400_000 }
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
  /** By which candidates are found. */
  readonly words: string
  readonly vector: Float32Array | null
}

export function makeRow(item: CatalogueItem, { root, made, words, vector }: RowOrigin): ItemRow {
  const { document, packed } = item
  const { type, id, fields } = document
  const rest = {
    date: document.date,
    metadata: document.metadata,
    prose: document.prose,
    fields: Object.fromEntries(SEARCH_FIELDS.filter(isKept).map(field => [field, fields[field]])),
  }
  return {
    key: keyOf(root, type, id),
    root,
    type,
    id,
    extension: item.extension,
    name: document.name,
    title: document.title,
    description: document.description,
    category: document.category,
    tags: document.tags.join(SEPARATOR),
    parameters: document.parameters,
    content: fields.content.join(SEPARATOR),
    words,
    bytes: packed.length <= INLINE_BYTES ? packed : null,
    size: packed.length,
    digest: sha256Hex(packed),
    signer: item.signer,
    version: document.version,
    source: item.source,
    commit: item.commit,
    stamp: item.stamp,
    made,
    metadata: JSON.stringify(rest),
    vector,
  }
}

/** Fields that no column has. */
function isKept(field: SearchField): boolean {
  return !['name', 'description', 'content'].includes(field)
}

/** Columns from which a candidate is read. */
export const CANDIDATE_COLUMNS = [
  ...['root', 'type', 'id', 'extension', 'title', 'description', 'category', 'tags', 'parameters'],
  ...['content', 'bytes', 'digest', 'signer', 'version', 'source', 'commit', 'metadata'],
]

/** Undefined for a row that no sync of ours writes. */
export function readCandidate(row: Readonly<Record<string, unknown>>): Candidate | undefined {
  const text = (name: string, most = MAX.text) => {
    const value = row[name]
    return typeof value === 'string' && value.length <= most ? value : undefined
  }
  const [root, type, id, extension] = ['root', 'type', 'id', 'extension'].map(name => text(name))
  const [digest, signer, source, commit] = ['digest', 'signer', 'source', 'commit'].map(name => text(name))
  const content = text('content', MAX.content)
  const rest = readRest(text('metadata', MAX.json))
  if (root === undefined || !isItemType(type) || id === undefined || idProblem(id) !== undefined)
    return undefined
  if (extension === undefined || !/^\.[a-z0-9]{1,10}$/.test(extension)) return undefined
  if (digest === undefined || !DIGEST.test(digest)) return undefined
  if (signer === undefined || content === undefined || rest === undefined) return undefined
  const { bytes } = row
  const [title, description, category] = ['title', 'description', 'category'].map(name => text(name))
  const [version, parameters] = ['version', 'parameters'].map(name => text(name))
  if (title === undefined || description === undefined || category === undefined) return undefined
  if (version === undefined || parameters === undefined) return undefined
  const document: SearchDocument = {
    type,
    id,
    name: nameOf(id),
    title,
    description,
    category,
    version,
    date: rest.date,
    tags: rest.fields.tags,
    parameters,
    metadata: rest.metadata,
    fields: {
      ...rest.fields,
      name: [nameOf(id)],
      description: present(description),
      content: content === '' ? [] : content.split(SEPARATOR),
    },
    prose: rest.prose,
  }
  return {
    ...{ root, type, id, extension, digest, signer, document },
    source: source ?? '',
    commit: commit ?? '',
    bytes: bytes instanceof Uint8Array && bytes.length <= INLINE_BYTES ? bytes : null,
  }
}

interface Rest {
  readonly date: number | undefined
  readonly metadata: JsonObject
  readonly prose: string | undefined
  readonly fields: Record<SearchField, readonly string[]>
}

function readRest(json: string | undefined): Rest | undefined {
  let value: unknown
  try {
    value = JSON.parse(json ?? '')
  } catch {
    return undefined
  }
  if (isDeeperThan(value, DEEPEST)) return undefined
  if (!isRecord(value) || !isRecord(value.metadata) || !isRecord(value.fields)) return undefined
  const { date, metadata, prose, fields } = value
  const lists = SEARCH_FIELDS.map(field => [field, textsOf(fields[field])] as const)
  return {
    date: typeof date === 'number' ? date : undefined,
    // JSON.parse makes JSON.
    metadata: metadata as JsonObject,
    prose: typeof prose === 'string' ? prose : undefined,
    fields: Object.fromEntries(lists) as Rest['fields'],
  }
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(entry => typeof entry === 'string') : []
}

function present(text: string): string[] {
  return text === '' ? [] : [text]
}
