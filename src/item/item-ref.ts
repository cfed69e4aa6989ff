// A reference names an item, optionally with its type and space: `rye/bash`, `tool:rye/bash`,
// `tool:rye/bash@system`.
import { AppError, nearest, quoteText } from '../base/index.ts'
import { checkId } from './item-id.ts'
import { ITEM_TYPES, type ItemType, type SignedType } from './item-type.ts'
import { isSpace, OWN_SPACES, type Space } from './space.ts'

export interface ItemRef {
  readonly id: string
  readonly type?: ItemType
  readonly space?: Space
}

/** A reference to several items: `tool:deploy/*@user`. The id is a pattern, or an unchecked id. */
export interface ItemPattern extends Omit<ItemRef, 'type'> {
  readonly type?: SignedType
}

/** Reads a reference, or throws `INVALID_ID` naming the part that is wrong. */
export function parseRef(text: string): ItemRef {
  const ref = splitRef(text, ITEM_TYPES)
  return { ...ref, id: checkId(ref.id) }
}

/** Reads a pattern with an optional type and space, or throws `INVALID_ID`. */
export function parsePattern<T extends SignedType>(
  text: string,
  types: readonly T[],
): ItemPattern & { readonly type?: T } {
  const ref = splitRef(text, types)
  if (ref.id !== '') return ref
  throw new AppError('INVALID_ID', `expected an id or a pattern, got ${quoteText(text)}`, {
    hint: `\`${printRef({ ...ref, id: '*' })}\` is everything there`,
  })
}

function splitRef<T extends SignedType>(text: string, types: readonly T[]): ItemPattern & { type?: T } {
  const colon = text.indexOf(':')
  const at = text.lastIndexOf('@')
  const named = colon === -1 ? undefined : text.slice(0, colon)
  const space = at === -1 ? undefined : text.slice(at + 1)
  const type = types.find(known => known === named)
  if (named !== undefined && !type) throw unknownWord('item type', named, types)
  if (space !== undefined && !isSpace(space)) throw unknownWord('space', space, OWN_SPACES)
  const id = text.slice(colon + 1, at === -1 ? undefined : at)
  return { id, ...(type && { type }), ...(space && { space }) }
}

/** Also prints a reference to a `config` file, which `parseRef` never accepts. */
export function printRef(ref: ItemPattern): string {
  return `${ref.type ? `${ref.type}:` : ''}${ref.id}${ref.space ? `@${ref.space}` : ''}`
}

function unknownWord(what: string, found: string, expected: readonly string[]): AppError {
  const close = nearest(found, expected)[0]
  return new AppError(
    'INVALID_ID',
    `unknown ${what} ${quoteText(found)}: expected one of ${expected.join(', ')}`,
    {
      ...(close && { hint: `did you mean \`${close}\`?` }),
    },
  )
}
