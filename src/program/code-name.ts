// Which compiled code a call starts from. Commands that people wait for all day have their own, with just the
// functions they call. The others share, because each file is about a megabyte and most of it is common to
// all.

/** These start often: for an agent, in a loop, at every step of a person. */
const OWN: readonly string[] = ['search', 'execute']

/** Like `load`, these read and check items. */
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
  // The server only; `mcp list` and its like are small.
  if (command === 'mcp' && (second === undefined || second.startsWith('-'))) return 'mcp'
  return 'other'
}

/**
 * Whether a call uses code shared by many kinds of calls. A few functions that one more call adds to it slow
 * none of them down.
 */
export function isShared(words: readonly string[]): boolean {
  return ['load', 'other'].includes(codeName(words) ?? '')
}
