// Rows as an Arrow table, column by column. LanceDB would do it value by value, which takes longer than writing them.
import type { Data, Field, FixedSizeList, Schema, Table } from 'apache-arrow'
import type { Arrow } from './load-lance.ts'

export type ColumnValue = string | number | Uint8Array | Float32Array | null

/** Columns of text, bytes, whole numbers of 32 bits, numbers of 64 bits, and one of vectors. */
export function makeBatch(
  arrow: Arrow,
  schema: Schema,
  rows: readonly Readonly<Record<string, ColumnValue>>[],
): Table {
  const columns = schema.fields.map(field =>
    makeColumn(
      arrow,
      field,
      rows.map(row => row[field.name] ?? null),
    ),
  )
  const children = arrow.makeData({
    type: new arrow.Struct(schema.fields),
    length: rows.length,
    nullCount: 0,
    children: columns,
  })
  return new arrow.Table(schema, [new arrow.RecordBatch(schema, children)])
}

function makeColumn(arrow: Arrow, field: Field, values: readonly ColumnValue[]): Data {
  const { type } = field
  if (arrow.DataType.isInt(type)) return arrow.makeData({ type, data: Int32Array.from(values, Number) })
  if (arrow.DataType.isFloat(type)) return arrow.makeData({ type, data: Float64Array.from(values, Number) })
  if (arrow.DataType.isFixedSizeList(type)) return makeVectors(arrow, type, values)
  return makeTexts(arrow, field, values)
}

function makeTexts(arrow: Arrow, { type }: Field, values: readonly ColumnValue[]): Data {
  const parts = values.map(value => (typeof value === 'string' ? Buffer.from(value) : value))
  const valueOffsets = new Int32Array(values.length + 1)
  parts.forEach((part, at) => {
    valueOffsets[at + 1] = valueOffsets[at]! + (isBytes(part) ? part.length : 0)
  })
  const data = new Uint8Array(valueOffsets[values.length]!)
  parts.forEach((part, at) => {
    if (isBytes(part)) data.set(part, valueOffsets[at]!)
  })
  const props = { length: values.length, ...nullsOf(values), valueOffsets, data }
  return arrow.DataType.isBinary(type)
    ? arrow.makeData({ type, ...props })
    : arrow.makeData({ type: new arrow.Utf8(), ...props })
}

function makeVectors(arrow: Arrow, type: FixedSizeList, values: readonly ColumnValue[]): Data {
  const { listSize } = type
  const numbers = new Float32Array(values.length * listSize)
  values.forEach((value, at) => {
    if (value instanceof Float32Array) numbers.set(value, at * listSize)
  })
  const child = arrow.makeData({ type: new arrow.Float32(), data: numbers })
  return arrow.makeData({ type, length: values.length, ...nullsOf(values), child })
}

function nullsOf(values: readonly ColumnValue[]): { nullCount: number; nullBitmap?: Uint8Array } {
  const nullCount = values.filter(value => value === null).length
  if (nullCount === 0) return { nullCount }
  const nullBitmap = new Uint8Array((values.length + 7) >> 3)
  values.forEach((value, at) => {
    if (value !== null) nullBitmap[at >> 3]! |= 1 << (at & 7)
  })
  return { nullCount, nullBitmap }
}

function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array
}
