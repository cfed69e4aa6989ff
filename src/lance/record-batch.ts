// Encodes rows as an Arrow table, column by column. LanceDB would do it value by value, which takes longer
// than writing them.
import type { Data, DataType, Field, Schema, Table } from 'apache-arrow'
import type { Arrow } from './load-lance.ts'

export type ColumnValue = string | number | Uint8Array | Float32Array | null

/** Text or bytes, 32-bit integers, 64-bit floats, or vectors of the given length. */
export type ColumnKind = 'bytes' | 'whole' | 'number' | { readonly vector: number }

/** One column in Arrow's layout. It can be transferred between threads. */
export interface EncodedColumn {
  readonly length: number
  readonly data: Uint8Array | Int32Array | Float32Array | Float64Array
  readonly valueOffsets?: Int32Array
  readonly nullCount: number
  readonly nullBitmap?: Uint8Array
}

export type EncodedColumns = Readonly<Record<string, EncodedColumn>>

type Rows = readonly Readonly<Record<string, ColumnValue>>[]

export function makeBatch(arrow: Arrow, schema: Schema, rows: Rows): Table {
  const columns = schema.fields.map(({ name, type }) => [
    name,
    encodeColumn(
      kindOf(arrow, type),
      rows.map(row => row[name] ?? null),
    ),
  ])
  return joinColumns(arrow, schema, Object.fromEntries(columns))
}

/** `columns` must have every column of the schema. */
export function joinColumns(arrow: Arrow, schema: Schema, columns: EncodedColumns): Table {
  const children = schema.fields.map(field => dataOf(arrow, field, columns[field.name]!))
  const { length = 0 } = children[0] ?? {}
  const type = new arrow.Struct(schema.fields)
  const data = arrow.makeData({ type, length, nullCount: 0, children })
  return new arrow.Table(schema, [new arrow.RecordBatch(schema, data)])
}

export function encodeColumn(kind: ColumnKind, values: readonly ColumnValue[]): EncodedColumn {
  const { length } = values
  if (kind === 'whole') return { length, nullCount: 0, data: Int32Array.from(values, Number) }
  if (kind === 'number') return { length, nullCount: 0, data: Float64Array.from(values, Number) }
  return kind === 'bytes' ? encodeBytes(values) : encodeVectors(values, kind.vector)
}

/** Writes each value directly into place: a separate buffer per text would take as much memory again. */
function encodeBytes(values: readonly ColumnValue[]): EncodedColumn {
  const valueOffsets = new Int32Array(values.length + 1)
  values.forEach((value, at) => {
    valueOffsets[at + 1] = valueOffsets[at]! + sizeOf(value)
  })
  const data = Buffer.allocUnsafeSlow(valueOffsets[values.length]!)
  values.forEach((value, at) => {
    if (typeof value === 'string') data.write(value, valueOffsets[at]!)
    else if (value instanceof Uint8Array) data.set(value, valueOffsets[at]!)
  })
  return { length: values.length, ...nullsOf(values), valueOffsets, data }
}

function sizeOf(value: ColumnValue): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  return value instanceof Uint8Array ? value.length : 0
}

function encodeVectors(values: readonly ColumnValue[], dimensions: number): EncodedColumn {
  const data = new Float32Array(values.length * dimensions)
  values.forEach((value, at) => {
    if (value instanceof Float32Array) data.set(value, at * dimensions)
  })
  return { length: values.length, ...nullsOf(values), data }
}

function nullsOf(values: readonly ColumnValue[]): Pick<EncodedColumn, 'nullCount' | 'nullBitmap'> {
  const nullCount = values.filter(value => value === null).length
  if (nullCount === 0) return { nullCount }
  const nullBitmap = new Uint8Array((values.length + 7) >> 3)
  values.forEach((value, at) => {
    if (value !== null) nullBitmap[at >> 3]! |= 1 << (at & 7)
  })
  return { nullCount, nullBitmap }
}

function kindOf(arrow: Arrow, type: DataType): ColumnKind {
  if (arrow.DataType.isInt(type)) return 'whole'
  if (arrow.DataType.isFloat(type)) return 'number'
  return arrow.DataType.isFixedSizeList(type) ? { vector: type.listSize } : 'bytes'
}

function dataOf(arrow: Arrow, { type }: Field, column: EncodedColumn): Data {
  const { data, ...props } = column
  if (arrow.DataType.isFixedSizeList(type)) {
    const child = arrow.makeData({ type: new arrow.Float32(), data })
    return arrow.makeData({ type, ...props, child })
  }
  if (arrow.DataType.isInt(type)) return arrow.makeData({ type, data })
  if (arrow.DataType.isFloat(type)) return arrow.makeData({ type, data })
  const { valueOffsets = new Int32Array(1) } = props
  return arrow.DataType.isBinary(type)
    ? arrow.makeData({ type, ...props, valueOffsets, data })
    : arrow.makeData({ type: new arrow.Utf8(), ...props, valueOffsets, data })
}
