// Commands that an answer advises are there to be pasted, so they name the place that the person named. Pure.
import { ACTIONS } from '../../actions/index.ts'
import { isRecord, quoteShellWord } from '../../base/index.ts'

/** Fields of an answer that give advice, in one sentence or several. */
const ADVICE: ReadonlySet<string> = new Set(['hint', 'fix', 'next', 'accept_command'])
/** Fields that list objects, which may give advice of their own. */
const LISTS: ReadonlySet<string> = new Set(['checks', 'failed', 'sources'])
/**
 * Actions whose `message` advises about this project. In other answers it is about another project, or comes
 * from a tool.
 */
const SENTENCES: ReadonlySet<string> = new Set(['add', 'update', 'install'])
/**
 * The text that a person reads for these contains commands that are not in the answer, and no text from
 * others.
 */
const COMPOSED: ReadonlySet<string> = new Set(['init', 'mcp add', 'mcp list', 'mcp grants'])

/** Without `keys`: keys belong to the user, and the `--project` of those commands is a bound of trust. */
const COMMANDS = [...new Set([...ACTIONS.map(({ name }) => name.split(' ')[0]!), 'dev', 'ui'])].filter(
  name => name !== 'keys',
)
const ADVISED = new RegExp(`(?<![\\w/.-])rye (?=(?:${COMMANDS.join('|')})(?![\\w-]))`, 'g')

/** Where a command works, as far as the person typed it. */
export interface Place {
  /** The directory after `-C`. */
  readonly elsewhere?: string | undefined
  readonly project?: string | undefined
}

/** The flags that name the place again; undefined when none was named. */
export function placeFlags({ elsewhere, project }: Place): string | undefined {
  const words = [
    ...(elsewhere === undefined ? [] : ['-C', elsewhere]),
    ...(project === undefined ? [] : ['--project', project]),
  ]
  return words.length === 0 ? undefined : words.map(quoteShellWord).join(' ')
}

/** The answer of an action, with these flags added to the commands that it advises. */
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

/** The same for the text of an answer as shown. */
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
