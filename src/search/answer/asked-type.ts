// The type of item that the words of a question ask for.
import { ITEM_TYPES, type ItemType } from '../../item/index.ts'
import { nameKey } from '../text/name-key.ts'
import { type AskedType, askedType } from '../text/type-words.ts'
import type { SearchRequest } from './search-request.ts'
import type { OpenSpace } from './stored-space.ts'

/** The type that a question asks for, if there are items of that type. */
export function findAskedType(
  spaces: readonly OpenSpace[],
  { text, match, scope, spaces: wanted }: SearchRequest,
): AskedType | undefined {
  if (match !== 'auto' || scope.type !== 'all') return undefined
  const asked = askedType(nameKey(text).split(' '))
  const has = ({ space, reader }: OpenSpace) =>
    asked && wanted.includes(space) && reader.docsOfType(typeNumber(asked.type)).members().length > 0
  return spaces.some(has) ? asked : undefined
}

/** The number of a type in the index, where 0 means none. */
export function typeNumber(type: ItemType): number {
  return 1 + ITEM_TYPES.indexOf(type)
}
