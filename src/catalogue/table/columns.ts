// The columns of the tables of a catalogue.
import type { Schema } from 'apache-arrow'
import type { Arrow, ColumnKind } from '../../lance/index.ts'

export const ITEMS = 'items'
/** Items that are too large for a row, stored by digest. */
export const OBJECTS = 'objects'
/** How many items contain each word. */
export const WORDS = 'items_words'

/** Length of the vectors of the built-in model. */
export const DIMENSIONS = 256

/** Must be raised whenever rows are made differently; all rows are then written again. */
const FORMAT = 5

export function madeBy(analysis: number, model: string): string {
  return `${FORMAT}.${analysis} ${model}`
}

/** Whether a row has the format that this version reads. */
export function isOfThisFormat(made: unknown): boolean {
  return typeof made === 'string' && made.startsWith(`${FORMAT}.`)
}

/** Warns about rows of another format. */
export function outdatedWarning(rows: number): string {
  const which = rows === 1 ? '1 row of the catalogue was' : `${rows} rows of the catalogue were`
  return `${which} written by another version of rye, and cannot be read: sync with this one, or use that one`
}

const TEXTS = [
  ...['key', 'root', 'type', 'id', 'extension', 'name', 'title', 'description', 'category', 'tags'],
  ...['parameters', 'content', 'words', 'digest', 'signer', 'version', 'source', 'commit', 'stamp', 'made'],
  'metadata',
]

/** The layout of each column except `bytes`. */
export const KINDS: Readonly<Record<string, ColumnKind>> = {
  ...Object.fromEntries(TEXTS.map(name => [name, 'bytes' as const])),
  size: 'whole',
  vector: { vector: DIMENSIONS },
}

/** A key in the metadata of the schema: tells this table apart from others made at the same address. */
const NAME = 'rye.table'

/** `name` is given only when a table is being made. */
export function itemsSchema(arrow: Arrow, name?: string): Schema {
  const item = new arrow.Field('item', new arrow.Float32(), true)
  const fields = [
    ...TEXTS.map(text => new arrow.Field(text, new arrow.Utf8(), false)),
    new arrow.Field('size', new arrow.Int32(), false),
    new arrow.Field('bytes', new arrow.Binary(), true),
    new arrow.Field('vector', new arrow.FixedSizeList(DIMENSIONS, item), true),
  ]
  return new arrow.Schema(fields, name === undefined ? undefined : new Map([[NAME, name]]))
}

/** Undefined for a table made by an older version of rye. */
export function tableName({ metadata }: Schema): string | undefined {
  return metadata.get(NAME)
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
