// The columns of documents in memory, for order and filters, and lookups of items by id or name.
import type { Approved } from '../answer/search-request.ts'
import type { StoredColumns } from '../answer/stored-space.ts'
import type { SearchDocument } from '../text/document.ts'
import type { ReadDocument } from './read-document.ts'

/** Columns that filters can name. They take precedence over metadata of the same name. */
const COLUMNS = ['type', 'id', 'name', 'title', 'description', 'category', 'version', 'tags'] as const

export class MemoryColumns implements StoredColumns {
  readonly #read: readonly ReadDocument[]
  readonly #documents: readonly SearchDocument[]
  #idRanks: Uint32Array | undefined

  constructor(documents: readonly ReadDocument[]) {
    this.#read = documents
    this.#documents = documents.map(({ item }) => item.document)
  }

  idRanks(): Uint32Array {
    if (this.#idRanks) return this.#idRanks
    const keys = this.#documents.map(({ id, type }) => `${id} ${type}`)
    const order = [...keys.keys()].sort((a, b) => (keys[a]! < keys[b]! ? -1 : 1))
    this.#idRanks = new Uint32Array(order.length)
    for (let rank = 0; rank < order.length; rank++) this.#idRanks[order[rank]!] = rank
    return this.#idRanks
  }

  names(): readonly string[] {
    return this.#documents.map(({ name }) => name)
  }

  mayBeVerified(approved: Approved | undefined): ReadonlySet<number> {
    return new Set(
      this.#docs(({ type, id }, doc) => {
        const { mayBeSigned, extension } = this.#read[doc]!.item
        return mayBeSigned || approved?.has(`${type}:${id}${type === 'skill' ? '' : extension}`) === true
      }),
    )
  }

  dates(): readonly (number | undefined)[] {
    return this.#documents.map(({ date }) => date)
  }

  values(fields: readonly string[]): ReadonlyMap<string, readonly string[]> {
    return new Map(
      fields.map(field => [field, this.#read.map(one => JSON.stringify(fieldValue(one, field)) ?? '')]),
    )
  }

  docsBelow(namespace: string, self: boolean): number[] {
    return this.#docs(({ id }) => id.startsWith(`${namespace}/`) || (self && id === namespace))
  }

  docsOfId(wanted: string): number[] {
    return this.#docs(({ id }) => id === wanted || id === wanted.toLowerCase())
  }

  docsOfNames(keys: readonly string[]): number[] {
    const wanted = new Set(keys)
    return this.#docs((_, doc) => wanted.has(this.#read[doc]!.nameKey))
  }

  docsSpelled(key: string, wanted: string): number[] {
    return this.#docs(({ name }, doc) => name === wanted && this.#read[doc]!.nameKey === key)
  }

  has(type: string, id: string): boolean {
    return this.#documents.some(document => document.id === id && document.type === type)
  }

  #docs(accept: (document: SearchDocument, doc: number) => boolean): number[] {
    return [...this.#documents.keys()].filter(doc => accept(this.#documents[doc]!, doc))
  }
}

/** Undefined when the item has no such value. */
function fieldValue({ item: { document, extension } }: ReadDocument, field: string): unknown {
  const column = COLUMNS.find(name => name === field)
  if (column) return document[column]
  if (field === 'extension') return extension
  return Object.hasOwn(document.metadata, field) ? document.metadata[field] : undefined
}
