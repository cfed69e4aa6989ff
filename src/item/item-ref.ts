// A reference names an item, and may fix its type and its space: `rye/bash`, `tool:rye/bash`, `tool:rye/bash@system`.
import { AppError, nearest } from '../base/index.ts'
import { checkId } from './item-id.ts'
import { ITEM_TYPES, type ItemType, isItemType, type SignedType } from './item-type.ts'
import { isSpace, OWN_SPACES, type Space } from './space.ts'

export interface ItemRef {
  readonly id: string
  readonly type?: ItemType
  readonly space?: Space
}

/** Reads a reference, or throws `INVALID_ID` naming the part that is wrong. */
export function parseRef(text: string): ItemRef {
  const colon = text.indexOf(':')
  const at = text.lastIndexOf('@')
  const type = colon === -1 ? undefined : text.slice(0, colon)
  const space = at === -1 ? undefined : text.slice(at + 1)
  if (type !== undefined && !isItemType(type)) throw unknownWord('item type', type, ITEM_TYPES)
  if (space !== undefined && !isSpace(space)) throw unknownWord('space', space, OWN_SPACES)
  const id = checkId(text.slice(colon + 1, at === -1 ? undefined : at))
  return { id, ...(type && { type }), ...(space && { space }) }
}

/** Also of a configuration, which no reference that is read can name. */
export function printRef(ref: Omit<ItemRef, 'type'> & { readonly type?: SignedType }): string {
  return `${ref.type ? `${ref.type}:` : ''}${ref.id}${ref.space ? `@${ref.space}` : ''}`
}

function unknownWord(what: string, found: string, expected: readonly string[]): AppError {
  const close = nearest(found, expected)[0]
  return new AppError('INVALID_ID', `unknown ${what} \`${found}\`: expected one of ${expected.join(', ')}`, {
    ...(close && { hint: `did you mean \`${close}\`?` }),
  })
}
