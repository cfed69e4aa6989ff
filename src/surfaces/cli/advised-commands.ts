// Commands that an answer advises are to be pasted: they name the place that the person named. Pure.
import { ACTIONS } from '../../actions/index.ts'
import { isRecord, quoteShellWord } from '../../base/index.ts'

/** Where answers advise: one sentence or several. */
const ADVICE: ReadonlySet<string> = new Set(['hint', 'fix', 'next', 'accept_command'])
/** Lists of objects that may have advice of their own. */
const LISTS: ReadonlySet<string> = new Set(['checks', 'failed', 'sources'])
/** Their `message` advises about this project; that of others, about another one, or it is of a tool. */
const SENTENCES: ReadonlySet<string> = new Set(['add', 'update', 'install'])
/** What a person reads of these has commands that are not in the answer, and no text of others. */
const COMPOSED: ReadonlySet<string> = new Set(['init', 'mcp add', 'mcp list', 'mcp grants'])

/** Keys belong to the user, and `--project` of theirs is a bound. */
const COMMANDS = [...new Set([...ACTIONS.map(({ name }) => name.split(' ')[0]!), 'dev', 'ui'])].filter(
  name => name !== 'keys',
)
const ADVISED = new RegExp(`(?<![\\w/.-])rye (?=(?:${COMMANDS.join('|')})(?![\\w-]))`, 'g')

/** What the person typed of where a command works. */
export interface Place {
  /** After `-C`. */
  readonly elsewhere?: string | undefined
  readonly project?: string | undefined
}

/** The flags that name it again; undefined where nothing was named. */
export function placeFlags({ elsewhere, project }: Place): string | undefined {
  const words = [
    ...(elsewhere === undefined ? [] : ['-C', elsewhere]),
    ...(project === undefined ? [] : ['--project', project]),
  ]
  return words.length === 0 ? undefined : words.map(quoteShellWord).join(' ')
}

/** The answer of an action with such flags in the commands that it advises. */
export function namePlace(
  answer: Readonly<Record<string, unknown>>,
  flags: string,
  action = '',
): Readonly<Record<string, unknown>> {
  const named = nameIn(answer, flags)
  const { message } = named
  const advises = SENTENCES.has(action) && typeof message === 'string'
  return advises ? { ...named, message: advise(message, flags) } : named
}

/** The same for an answer as it is shown. */
export function nameShown(action: string, text: string, flags: string): string {
  return COMPOSED.has(action) ? advise(text, flags) : text
}

function nameIn(answer: Readonly<Record<string, unknown>>, flags: string): Readonly<Record<string, unknown>> {
  const named = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(named)
    return typeof value === 'string' ? advise(value, flags) : value
  }
  const entries = Object.entries(answer).map(([key, value]) => {
    if (LISTS.has(key) && Array.isArray(value))
      return [key, value.map(entry => (isRecord(entry) ? nameIn(entry, flags) : entry))]
    return [key, ADVICE.has(key) ? named(value) : value]
  })
  return Object.fromEntries(entries)
}

function advise(text: string, flags: string): string {
  return text.replaceAll(ADVISED, () => `rye ${flags} `)
}
