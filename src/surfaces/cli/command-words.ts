// Puts the words of a call into the order that all other code expects: the command first, by its own name.
// Pure, and small enough for the start.

/** Names that people know from other programs. */
const ALIASES: Readonly<Record<string, string>> = { run: 'execute', exec: 'execute' }

/** Flags of every command. One with a value is two words, or one with `=`. */
const LEADING = /^(?:--json|--quiet|--help|-h|--project=.*)$/s

/**
 * `--project DIR list` becomes `list --project DIR`, `run` becomes `execute`, and `help list` becomes
 * `list --help`. Without a command, the words stay as they are.
 */
export function commandWords(words: readonly string[]): readonly string[] {
  let length = 0
  while (length < words.length) {
    if (LEADING.test(words[length]!)) length += 1
    else if (words[length] === '--project') length += 2
    else break
  }
  const [typed, ...rest] = words.slice(length)
  if (typed === undefined) return words
  if (typed === 'help' && rest.length > 0) return commandWords([...words.slice(0, length), ...rest, '--help'])
  const command = Object.hasOwn(ALIASES, typed) ? ALIASES[typed]! : typed
  // A command may have two words, and the words after `--` are not ours.
  const at = rest.findIndex(word => word.startsWith('-') && word !== '-')
  const end = at === -1 ? rest.length : at
  return [command, ...rest.slice(0, end), ...words.slice(0, length), ...rest.slice(end)]
}
