// What the scripts of all shells are made from: commands, their flags, and what their first word can be.
import type { Fields } from '../../../actions/index.ts'
import { flagName, GLOBAL_FLAGS, type GlobalFlag } from '../arguments.ts'

export interface CompletedCommand {
  /** One word, or two: `keys generate`. */
  readonly name: string
  readonly summary: string
  readonly fields: Fields
  /** Flags of every command that this one accepts too. */
  readonly globals: readonly GlobalFlag[]
}

export interface Flag {
  readonly name: string
  readonly about: string
  readonly takesValue: boolean
  readonly values: readonly string[]
}

export function flagsOf({ fields, globals }: CompletedCommand): Flag[] {
  const own = Object.entries(fields)
    .filter(([, field]) => !field.flag?.position && !field.flag?.hidden)
    .map(
      ([name, field]): Flag => ({
        name: flagName(name, field),
        about: field.about,
        takesValue: field.type !== 'boolean',
        values: field.values ?? [],
      }),
    )
  const shared = globals.map(
    (name): Flag => ({ name, about: GLOBAL_FLAGS[name], takesValue: false, values: [] }),
  )
  const project = { name: 'project', about: 'the project', takesValue: true, values: [] }
  return [...own, ...shared, ...(Object.hasOwn(fields, 'project_path') ? [project] : [])]
}

/**
 * What the first word after a command can be: one of a few values, the name of an item, or something that
 * only the person knows.
 */
export function firstWordOf({ fields }: CompletedCommand): { values: readonly string[]; isItem: boolean } {
  const first = Object.entries(fields).find(([, field]) => field.flag?.position)
  return { values: first?.[1].values ?? [], isItem: first?.[0] === 'item_id' }
}

export function firstWords(commands: readonly CompletedCommand[]): string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ')[0]!))]
}

/** The first words that need a second, each with its second words. */
export function groups(commands: readonly CompletedCommand[]): [string, string[]][] {
  const found = new Map<string, string[]>()
  for (const { name } of commands) {
    const [first, second] = name.split(' ')
    if (second !== undefined) found.set(first!, [...(found.get(first!) ?? []), second])
  }
  return [...found]
}

export function summaryOf(commands: readonly CompletedCommand[], name: string): string {
  const seconds = groups(commands).find(([group]) => group === name)?.[1]
  return commands.find(command => command.name === name)?.summary ?? seconds?.join(', ') ?? ''
}
