// A reference names an item, and may fix its type and its space: `rye/bash`, `tool:rye/bash`, `tool:rye/bash@system`.
import { AppError, nearest } from '../base/index.ts'
import { checkId } from './item-id.ts'
import { ITEM_TYPES, type ItemType, isItemType } from './item-type.ts'
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

/** `NAME/path/in/folder` of a skill. It is no path on disk: its parts are compared with ids, and with the names of a signed list. */
export interface SkillPath {
  readonly segments: readonly string[]
  readonly space?: Space
}

/**
 * Reads `skill:NAME/path/in/folder`, the prefix left out if the type is known. Names of files may hold what ids may not, `@` too:
 * only the name of a space behind it is one. Undefined for what cannot be such a path, for `parseRef` to judge.
 */
export function parseSkillPath(text: string, type?: string): SkillPath | undefined {
  const prefix = 'skill:'
  if (!text.startsWith(prefix) && type !== 'skill') return undefined
  const rest = text.startsWith(prefix) ? text.slice(prefix.length) : text
  const at = rest.lastIndexOf('@')
  const word = rest.slice(at + 1)
  const space = at !== -1 && isSpace(word) ? word : undefined
  const segments = rest.slice(0, space === undefined ? undefined : at).split('/')
  if (segments.length < 2 || segments.some(segment => ['', '.', '..'].includes(segment))) return undefined
  return { segments, ...(space && { space }) }
}

export function printRef(ref: ItemRef): string {
  return `${ref.type ? `${ref.type}:` : ''}${ref.id}${ref.space ? `@${ref.space}` : ''}`
}

function unknownWord(what: string, found: string, expected: readonly string[]): AppError {
  const close = nearest(found, expected)[0]
  return new AppError('INVALID_ID', `unknown ${what} \`${found}\`: expected one of ${expected.join(', ')}`, {
    ...(close && { hint: `did you mean \`${close}\`?` }),
  })
}
