// Reads as much of a stored text as is embedded. If it is not packed, SQLite reads no more than that.
import { EMBEDDED_BODY } from '../../meaning/embedder.ts'
import { unpackText } from '../packed-text.ts'

/** A column of `body`: the beginning of its text, or all of a packed one. */
export const BEGINNING = `CASE typeof(text) WHEN 'text' THEN substr(text, 1, ${EMBEDDED_BODY}) ELSE text END`

/** Unpacks a row that has `BEGINNING` as its `body`. */
export function readBeginning<Row extends { readonly body: string | Uint8Array }>(
  row: Row,
): Omit<Row, 'body'> & { readonly body: string } {
  const { body } = row
  return { ...row, body: typeof body === 'string' ? body : firstCharacters(unpackText(body)) }
}

/** Counts like SQLite, for which a character outside the basic plane is one. */
function firstCharacters(text: string): string {
  const start = text.slice(0, EMBEDDED_BODY)
  if (!/[\ud800-\udfff]/.test(start)) return start
  return [...text.slice(0, 2 * EMBEDDED_BODY)].slice(0, EMBEDDED_BODY).join('')
}
