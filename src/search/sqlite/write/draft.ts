// New items, ready to be written: their words are collected, their texts packed and their vectors made, so
// that of thousands of long items only what is written stays in memory.
import { ITEM_TYPES, type ItemType } from '../../../item/index.ts'
import { copyKeys } from '../../answer/copy-keys.ts'
import { previewSource } from '../../answer/preview.ts'
import { EMBEDDED_BODY, type ItemText, type LocalEmbedder } from '../../meaning/embedder.ts'
import { packVector } from '../../rank/vector-table.ts'
import type { SearchDocument } from '../../text/document.ts'
import { nameKey } from '../../text/name-key.ts'
import { CHUNK_SIZE } from '../chunks.ts'
import type { IndexedItem, TouchedFile } from '../indexed-item.ts'
import { packText } from '../packed-text.ts'
import { type KnownContent, WordCollector } from './word-collector.ts'

export interface DraftedItem {
  readonly file: TouchedFile
  /** The type, as a chunk stores it. */
  readonly type: number
  readonly lengths: readonly number[]
  readonly keys: Uint8Array
  /** As JSON, because a string that was cut out of a text would keep the whole text in memory. */
  readonly row: string
  readonly body: string | Uint8Array
  /** The index of the first item in the draft with the same text. */
  readonly textOf: number
}

/** What is made from an item's text. */
interface DraftedText extends Pick<DraftedItem, 'body' | 'textOf'> {
  readonly document: SearchDocument
  readonly content: KnownContent
}

/**
 * How many recent items are compared to find copies, which are common in collections of skills. Copies are
 * added soon after each other.
 */
const RECENT = 16

/**
 * Items that go through each step together. One by one, parsing, collecting words and embedding take a fifth
 * longer. In larger groups, texts outlive V8's memory for new objects, and clearing them takes longer.
 */
const TOGETHER = { items: 128, bytes: 1_000_000 }

/** The columns of `item` after `doc`. */
export type ItemColumns = readonly (string | number | null)[]

export class Draft {
  readonly #words: WordCollector
  readonly #items: DraftedItem[] = []
  #waiting: IndexedItem[] = []
  #waitingBytes = 0
  readonly embedder: LocalEmbedder | undefined
  /**
   * Packed, by the index of the first item with each text; undefined when the embedder knows none of its
   * words.
   */
  readonly #vectors: (Uint8Array | undefined)[] = []
  #toEmbed: { readonly at: number; readonly text: ItemText }[] = []
  #rowBytes = 0
  /** The recent texts, by the digest of their item. */
  readonly #recent = new Map<string, DraftedText>()

  constructor(embedder: LocalEmbedder | undefined, words = new WordCollector()) {
    this.embedder = embedder
    this.#words = words
  }

  /**
   * An empty draft to go on with once this one is written. It keeps the numbers of words, since most words of
   * a library are in both.
   */
  next(): Draft {
    this.#words.clear()
    return new Draft(this.embedder, this.#words)
  }

  /** The rough size in memory. */
  get bytes(): number {
    return this.#words.bytes + this.#rowBytes
  }

  /** Whether there is no room for another item: all items of a draft go into one chunk. */
  get isFull(): boolean {
    return this.#items.length + this.#waiting.length === CHUNK_SIZE
  }

  get items(): readonly DraftedItem[] {
    this.#takeWaiting()
    return this.#items
  }

  get words(): WordCollector {
    this.#takeWaiting()
    return this.#words
  }

  add(item: IndexedItem): void {
    this.#waiting.push(item)
    this.#waitingBytes += item.size
    if (this.#waiting.length >= TOGETHER.items || this.#waitingBytes > TOGETHER.bytes) this.#takeWaiting()
  }

  #takeWaiting(): void {
    const waiting = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    for (const item of waiting) this.#take(item)
    this.#embed()
  }

  #take(item: IndexedItem): void {
    const { document, path, hash, size, mtimeMs, ctimeMs, inode } = item
    const row = JSON.stringify(columnsOf(item))
    const known = this.#recent.get(hash)
    const isCopy = known !== undefined && hasSameText(known.document, document)
    const lengths = this.#words.add(this.#items.length, document, isCopy ? known.content : undefined)
    const text = isCopy ? known : this.#textOf(document)
    if (!isCopy) this.#remember(hash, text)
    this.#items.push({
      file: { path, hash, size, mtimeMs, ctimeMs, inode },
      type: 1 + ITEM_TYPES.indexOf(document.type as ItemType),
      lengths,
      keys: copyKeys(item),
      row,
      body: text.body,
      textOf: text.textOf,
    })
    this.#rowBytes += 2 * row.length + (isCopy ? 0 : 2 * text.body.length)
  }

  vectorOf({ textOf }: DraftedItem): Uint8Array | undefined {
    return this.#vectors[textOf]
  }

  #textOf(document: SearchDocument): DraftedText {
    const { title, description, prose, fields } = document
    const source = previewSource(prose ?? fields.content.join('\n'))
    const at = this.#items.length
    this.#toEmbed.push({ at, text: { title, description, body: source.slice(0, EMBEDDED_BODY) } })
    return { document, body: packText(source), textOf: at, content: this.#words.lastContent() }
  }

  #embed(): void {
    for (const { at, text } of this.#toEmbed) {
      const vector = this.embedder?.embedItem(text)
      this.#vectors[at] = vector && packVector(vector)
    }
    this.#toEmbed = []
  }

  #remember(hash: string, text: DraftedText): void {
    if (this.#recent.size >= RECENT) this.#recent.delete(this.#recent.keys().next().value!)
    this.#recent.set(hash, text)
  }
}

/** Items with the same digest may differ: what is read from the same files may depend on the id as well. */
function hasSameText(one: SearchDocument, other: SearchDocument): boolean {
  if (one.title !== other.title || one.description !== other.description || one.prose !== other.prose)
    return false
  const { content } = one.fields
  return (
    content.length === other.fields.content.length &&
    content.every((text, index) => text === other.fields.content[index])
  )
}

function columnsOf(item: IndexedItem): ItemColumns {
  const { document } = item
  return [
    item.path,
    item.size,
    item.mtimeMs,
    item.ctimeMs,
    item.inode,
    item.hash,
    document.type,
    document.id,
    item.extension,
    Number(item.mayBeSigned),
    document.name,
    nameKey(document.name),
    document.title,
    document.description,
    document.category,
    document.version,
    document.date ?? null,
    JSON.stringify(document.tags),
    document.parameters,
    JSON.stringify(document.metadata),
  ]
}
