// Words of a question that name a type of item: `a skill for slides`, `deploy workflow`. They choose the type; elsewhere, as in
// `tool metadata`, they are words like others.
import type { ItemType } from '../../item/index.ts'

const TYPE_WORDS: ReadonlyMap<string, ItemType> = new Map([
  ['skill', 'skill'],
  ['skills', 'skill'],
  ['tool', 'tool'],
  ['tools', 'tool'],
  ['directive', 'directive'],
  ['directives', 'directive'],
  ['workflow', 'directive'],
  ['workflows', 'directive'],
])

/** After these the type is what is asked for. */
const BEFORE = new Set(['which', 'what', 'any'])
/** Before these, or at the end, too. */
const AFTER = new Set(['for', 'to', 'that', 'which', 'who', 'with', 'about', 'named', 'called'])

export interface AskedType {
  readonly type: ItemType
  /** The words that say so. */
  readonly words: ReadonlySet<string>
}

/** The type that a question asks for; undefined for none, and for several. */
export function askedType(words: readonly string[]): AskedType | undefined {
  const named = words.filter((word, at) => {
    if (!TYPE_WORDS.has(word)) return false
    const [before, after] = [words[at - 1], words[at + 1]]
    return after === undefined || AFTER.has(after) || (before !== undefined && BEFORE.has(before))
  })
  const types = new Set(named.map(word => TYPE_WORDS.get(word)!))
  const [type] = types
  if (type === undefined || types.size > 1 || words.every(word => TYPE_WORDS.has(word))) return undefined
  return { type, words: new Set(named) }
}
