// What to do next. An agent calls tools and a person types commands: a hint that names a call has both spellings until the
// surface is known, and only this file decides how they are spelled.
import type { JsonValue } from './json.ts'
import { quoteShellWord } from './shell-word.ts'

/** On whose behalf an action is called: policy and hints treat an agent and a person differently. */
export type Caller = 'person' | 'agent'

/** A sentence for everyone, or one for each. */
export type Hint = string | Readonly<Record<Caller, string>>

/** A hint with a call in it: `pieces` are joined, and each call is spelled for its reader. */
export function hintWith(...pieces: readonly Hint[]): Hint {
  const join = (caller: Caller) => pieces.map(piece => printHint(piece, caller)).join('')
  return { agent: join('agent'), person: join('person') }
}

/** A call of one of the actions that agents have, too. */
export function callOf(name: string, input: Readonly<Record<string, JsonValue>>): Hint {
  const { item_id, query, ...rest } = input
  const words = [item_id ?? query, ...Object.entries(rest).flatMap(([field, value]) => flagOf(field, value))]
  const typed = words.filter(word => word !== undefined).map(quoteWord)
  return { agent: `\`${name}\` with \`${JSON.stringify(input)}\``, person: ['rye', name, ...typed].join(' ') }
}

/** A command that only people can run; `what` it is for stands before it. */
export function commandOf(what: string, words: string): Hint {
  return { agent: `${what}: ask the user to run \`rye ${words}\``, person: `${what} with \`rye ${words}\`` }
}

export function printHint(hint: Hint, caller: Caller): string {
  return typeof hint === 'string' ? hint : hint[caller]
}

/** Fields whose flags are called otherwise. */
const FLAGS: ReadonlyMap<string, string> = new Map([
  ['destination', 'to'],
  ['item_type', 'type'],
  ['parameters', 'params'],
])

function flagOf(field: string, value: JsonValue): JsonValue[] {
  const flag = `--${FLAGS.get(field) ?? field.replaceAll('_', '-')}`
  return value === true ? [flag] : [flag, value]
}

/** A value as a shell takes it for one word. */
function quoteWord(value: JsonValue): string {
  return quoteShellWord(typeof value === 'string' ? value : JSON.stringify(value))
}
