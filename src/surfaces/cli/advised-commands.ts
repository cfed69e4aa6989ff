// Commands that an answer advises are to be pasted: they name the project that the person named. Pure.
import { ACTIONS } from '../../actions/index.ts'
import { isRecord, quoteShellWord } from '../../base/index.ts'

/** Where answers advise: one sentence or several. */
const ADVICE: ReadonlySet<string> = new Set(['hint', 'fix', 'next'])
/** Lists of objects that may have advice of their own. */
const LISTS: ReadonlySet<string> = new Set(['checks', 'failed'])

/** Keys belong to the user, and `--project` of theirs is a bound. */
const COMMANDS = [...new Set([...ACTIONS.map(({ name }) => name.split(' ')[0]!), 'dev', 'ui'])].filter(
  name => name !== 'keys',
)
const ADVISED = new RegExp(`(?<![\\w/.-])rye (?=(?:${COMMANDS.join('|')})(?![\\w-]))`, 'g')

/** The answer with `--project` in the commands that it advises. */
export function nameProject(
  answer: Readonly<Record<string, unknown>>,
  project: string,
): Readonly<Record<string, unknown>> {
  const command = `rye --project ${quoteShellWord(project)} `
  const advise = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(advise)
    return typeof value === 'string' ? value.replaceAll(ADVISED, () => command) : value
  }
  const entries = Object.entries(answer).map(([key, value]) => {
    if (LISTS.has(key) && Array.isArray(value))
      return [key, value.map(entry => (isRecord(entry) ? nameProject(entry, project) : entry))]
    return [key, ADVICE.has(key) ? advise(value) : value]
  })
  return Object.fromEntries(entries)
}
