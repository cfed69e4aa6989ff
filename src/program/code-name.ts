// Which compiled code a call starts from. Commands that are waited for all day have their own, with the functions that they call and no
// others; the rest share, because each file is about a megabyte and what they share is most of it.

/** They start often: for an agent, in a loop, at every step of a person. */
const OWN: readonly string[] = ['search', 'execute']

/** They read and check items, as `load` does. */
const LIKE_LOAD: readonly string[] = [
  ...['load', 'fetch', 'show', 'sign', 'verify', 'parse'],
  ...['init', 'doctor', 'index', 'dev'],
]

/** Undefined for a call whose code is not worth keeping: the tour runs a bit of everything, once. */
export function codeName(words: readonly string[]): string | undefined {
  const [command, second] = words
  if (command === undefined || command.startsWith('-') || command === 'help') return 'help'
  if (words.includes('--help') || words.includes('-h')) return 'help'
  if (command === 'demo') return undefined
  if (OWN.includes(command)) return command
  if (LIKE_LOAD.includes(command)) return 'load'
  // The server; `mcp list` and its like are small.
  if (command === 'mcp' && (second === undefined || second.startsWith('-'))) return 'mcp'
  return 'other'
}

/** Whether a call starts from code that many kinds of calls share: none of them waits for what one more has left in it. */
export function isShared(words: readonly string[]): boolean {
  return ['load', 'other'].includes(codeName(words) ?? '')
}
