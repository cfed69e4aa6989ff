import type { Schema } from 'apache-arrow'
import { isRecord } from '../base/index.ts'

/** The length of the vectors of a table; undefined when it has none. */
export function vectorLength(schema: Schema): number | undefined {
  const type: unknown = schema.fields.find(field => field.name === 'vector')?.type
  return isRecord(type) && typeof type.listSize === 'number' ? type.listSize : undefined
}

/** Whether two schemas have the same columns. */
export function hasSchema(found: Schema, wanted: Schema): boolean {
  const print = (schema: Schema) =>
    schema.fields
      .map(field => `${field.name}: ${field.type}`)
      .sort()
      .join('\n')
  return print(found) === print(wanted)
}
