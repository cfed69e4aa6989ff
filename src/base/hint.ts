// What to do next. An agent calls tools and a person types commands, so a hint that contains a call keeps
// both spellings until the surface is known. Only this file decides how calls are spelled.
import type { JsonValue } from './json.ts'
import { quoteShellWord } from './shell-word.ts'

/** On whose behalf an action is called: policy and hints treat an agent and a person differently. */
export type Caller = 'person' | 'agent'

/** One sentence for everyone, or one per kind of caller. */
export type Hint = string | Readonly<Record<Caller, string>>

/** A hint that contains a call: `pieces` are joined, and each call is spelled for its reader. */
export function hintWith(...pieces: readonly Hint[]): Hint {
  const join = (caller: Caller) => pieces.map(piece => printHint(piece, caller)).join('')
  return { agent: join('agent'), person: join('person') }
}

/** A call of an action that agents have too. */
export function callOf(name: string, input: Readonly<Record<string, JsonValue>>): Hint {
  const { item_id, query, ...rest } = input
  const words = [item_id ?? query, ...Object.entries(rest).flatMap(([field, value]) => flagOf(field, value))]
  const typed = words.filter(word => word !== undefined).map(quoteWord)
  return { agent: `\`${name}\` with \`${JSON.stringify(input)}\``, person: ['rye', name, ...typed].join(' ') }
}

/** A command that only people can run. `what` says what it is for, and is printed before it. */
export function commandOf(what: string, words: string): Hint {
  return { agent: `${what}: ask the user to run \`rye ${words}\``, person: `${what} with \`rye ${words}\`` }
}

export function printHint(hint: Hint, caller: Caller): string {
  return typeof hint === 'string' ? hint : hint[caller]
}

/** Fields whose flag has another name. */
const FLAGS: ReadonlyMap<string, string> = new Map([
  ['destination', 'to'],
  ['item_type', 'type'],
  ['parameters', 'params'],
])

function flagOf(field: string, value: JsonValue): JsonValue[] {
  const flag = `--${FLAGS.get(field) ?? field.replaceAll('_', '-')}`
  return value === true ? [flag] : [flag, value]
}

/** A value quoted as one shell word. */
function quoteWord(value: JsonValue): string {
  return quoteShellWord(typeof value === 'string' ? value : JSON.stringify(value))
}
