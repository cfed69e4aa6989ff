// Words that name a type of item in a question: `a skill for slides`, `deploy workflow`. There they choose
// the type; elsewhere, as in `tool metadata`, they are ordinary words.
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

/** A type word after one of these is what the question asks for. */
const BEFORE = new Set(['which', 'what', 'any'])
/** So is a type word before one of these. */
const AFTER = new Set(['for', 'to', 'that', 'which', 'who', 'with', 'about', 'named', 'called'])

/**
 * So is one at the end of a question, after the subject, as in `deploy workflow`. But after one of these
 * words it is the subject itself: `create a tool`.
 */
const INTRODUCES = new Set(
  'a an the this that my your our new another own some all each every of in into to from by for with as and or write create make add'.split(
    ' ',
  ),
)

export interface AskedType {
  readonly type: ItemType
  /** The words that say so. */
  readonly words: ReadonlySet<string>
}

/**
 * A question that begins with one of these is about doing something with what its last words name: `how do I
 * override a system tool`.
 */
const ASKS_HOW = new Set(['how', 'why', 'when', 'where', 'can', 'may', 'should'])

/** The type that a question asks for; undefined when it names none, or several. */
export function askedType(words: readonly string[]): AskedType | undefined {
  const named = words.filter((word, at) => {
    if (!TYPE_WORDS.has(word)) return false
    const [before, after] = [words[at - 1], words[at + 1]]
    if (before !== undefined && BEFORE.has(before)) return true
    if (after !== undefined) return AFTER.has(after)
    return before !== undefined && !INTRODUCES.has(before) && !ASKS_HOW.has(words[0]!)
  })
  const types = new Set(named.map(word => TYPE_WORDS.get(word)!))
  const [type] = types
  if (type === undefined || types.size > 1 || words.every(word => TYPE_WORDS.has(word))) return undefined
  return { type, words: new Set(named) }
}
