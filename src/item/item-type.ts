// The four types of item, and the folder of `.ai/` for each. `config` is signed and verified like an item,
// but never searched or run.

export const ITEM_TYPES = ['directive', 'tool', 'knowledge', 'skill'] as const
export type ItemType = (typeof ITEM_TYPES)[number]

/** Everything that carries a signature. */
export type SignedType = ItemType | 'config'

const FOLDERS: Record<SignedType, string> = {
  directive: 'directives',
  tool: 'tools',
  knowledge: 'knowledge',
  skill: 'skills',
  config: 'config',
}

export function isItemType(value: unknown): value is ItemType {
  return ITEM_TYPES.includes(value as ItemType)
}

/** The folder below `.ai/` that holds items of this type. */
export function folderOf(type: SignedType): string {
  return FOLDERS[type]
}

/** The type whose folder this is: `tools` → `tool`. */
export function typeOfFolder(folder: string): SignedType | undefined {
  return (Object.keys(FOLDERS) as SignedType[]).find(type => FOLDERS[type] === folder)
}
