// The columns of the tables of a catalogue.
import type { Schema } from 'apache-arrow'
import type { Arrow } from '../../lance/index.ts'

export const ITEMS = 'items'
/** Items that are too large for a row, by digest. */
export const OBJECTS = 'objects'
/** How many items have a word. */
export const WORDS = 'items_words'

/** Of the vectors of the built-in model. */
export const DIMENSIONS = 256

/** Raised whenever rows are made in another way: then all are written again. */
const FORMAT = 3

export function madeBy(analysis: number, model: string): string {
  return `${FORMAT}.${analysis} ${model}`
}

const TEXTS = [
  ...['key', 'root', 'type', 'id', 'extension', 'name', 'title', 'description', 'category', 'tags'],
  ...['parameters', 'content', 'words', 'digest', 'signer', 'version', 'source', 'commit', 'stamp', 'made'],
  'metadata',
]

export function itemsSchema(arrow: Arrow): Schema {
  const item = new arrow.Field('item', new arrow.Float32(), true)
  return new arrow.Schema([
    ...TEXTS.map(name => new arrow.Field(name, new arrow.Utf8(), false)),
    new arrow.Field('size', new arrow.Int32(), false),
    new arrow.Field('bytes', new arrow.Binary(), true),
    new arrow.Field('vector', new arrow.FixedSizeList(DIMENSIONS, item), true),
  ])
}

export function objectsSchema(arrow: Arrow): Schema {
  return new arrow.Schema([
    new arrow.Field('digest', new arrow.Utf8(), false),
    new arrow.Field('written', new arrow.Float64(), false),
    new arrow.Field('bytes', new arrow.Binary(), false),
  ])
}

export function wordsSchema(arrow: Arrow): Schema {
  return new arrow.Schema([
    new arrow.Field('word', new arrow.Utf8(), false),
    new arrow.Field('holders', new arrow.Int32(), false),
  ])
}
