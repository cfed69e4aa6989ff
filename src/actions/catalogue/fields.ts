// The table field that the catalogue actions share, and how its table is opened.
import { type ItemsTable, openItemsTable } from '../../catalogue/index.ts'
import type { ActionContext } from '../definition/action.ts'
import type { FieldSpec } from '../definition/field-spec.ts'
import { resolveUri } from '../skills/open-table.ts'

export const tableUri = {
  type: 'string',
  about: 'a directory or an address that LanceDB accepts: `s3://`, `gs://`, `az://` ...',
  required: true,
  flag: { value: 'URI' },
} as const satisfies FieldSpec

export function openTable(
  context: ActionContext,
  uri: string,
  { isWriter = false }: { readonly isWriter?: boolean } = {},
): ItemsTable {
  const { directory, signal } = context
  return openItemsTable({ uri: resolveUri(context, uri), directory, signal, isWriter })
}
