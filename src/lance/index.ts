export { isConflict, isGone, pauseBefore } from './conflicts.ts'
export { findTable } from './find-table.ts'
export { shownUri } from './lance-error.ts'
export type { Arrow, Lance } from './load-lance.ts'
export { connectLance, guardLance, isAddress, type OpenLance, untilAborted } from './open-lance.ts'
export {
  type ColumnKind,
  type ColumnValue,
  type EncodedColumns,
  encodeColumn,
  joinColumns,
  makeBatch,
} from './record-batch.ts'
export { hasSchema, vectorLength } from './schema.ts'
export { quoteSql } from './sql-text.ts'
