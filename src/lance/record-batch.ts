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

/** Written where they belong: a buffer for each text would be as much memory again. */
function makeTexts(arrow: Arrow, { type }: Field, values: readonly ColumnValue[]): Data {
  const valueOffsets = new Int32Array(values.length + 1)
  values.forEach((value, at) => {
    valueOffsets[at + 1] = valueOffsets[at]! + sizeOf(value)
  })
  const data = Buffer.allocUnsafeSlow(valueOffsets[values.length]!)
  values.forEach((value, at) => {
    if (typeof value === 'string') data.write(value, valueOffsets[at]!)
    else if (value instanceof Uint8Array) data.set(value, valueOffsets[at]!)
  })
  const props = { length: values.length, ...nullsOf(values), valueOffsets, data }
  return arrow.DataType.isBinary(type)
    ? arrow.makeData({ type, ...props })
    : arrow.makeData({ type: new arrow.Utf8(), ...props })
}

function sizeOf(value: ColumnValue): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  return value instanceof Uint8Array ? value.length : 0
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
