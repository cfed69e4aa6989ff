// The command line: finds the command, runs it, and returns its exit status. Only the caller of `runCli` ends
// the process.
import { ACTIONS, type ActionEntry } from '../../actions/index.ts'
import { nearest, printVisibleJson, systemErrorCode } from '../../base/index.ts'
import { hasFlag } from './arguments.ts'
import { completionCommand } from './completion/command.ts'
import { overview } from './help.ts'
import type { Host } from './host.ts'
import { type OtherCommand, runOther } from './other-command.ts'
import { renderFailure } from './render/failure.ts'
import type { CommandSettings } from './run-command.ts'
import { createTerminal, type Terminal } from './terminal.ts'

export interface CliSettings extends CommandSettings {
  readonly version: string
  /** Commands of other surfaces. */
  readonly others: readonly OtherCommand[]
}

export async function runCli(words: readonly string[], settings: CliSettings): Promise<number> {
  const color = !settings.environment.NO_COLOR && settings.environment.TERM !== 'dumb'
  const terminal = createTerminal(settings.host.stdout, settings.host.stderr, {
    color,
    quiet: hasFlag(words, '--quiet'),
  })
  const others = [...settings.others, completionCommand(settings.others, text => terminal.print(text))]
  const [first] = words
  if (first === undefined || first === 'help' || (first.startsWith('-') && hasFlag(words, '--help', '-h'))) {
    terminal.print(overview([...ACTIONS, ...others], settings.version, terminal.columns))
    return 0
  }
  if (first === 'completion' && words[1] === 'items') return printItems(terminal, words[2], settings)
  // `mcp` is a command by itself, and `mcp add` is another.
  const found = findCommand(words)
  const other = found || isWrongSecond(words) ? undefined : others.find(({ name }) => name === first)
  // A server that has lost its client must not simply go on.
  if (other?.name !== 'mcp') outliveReader(settings.host)
  if (other) return runOther(terminal, other, words.slice(1), settings)
  if (found) {
    // Imported late, so that a server starts without the code that actions need.
    const { runCommand } = await import('./run-command.ts')
    return runCommand(terminal, found.entry, found.rest, settings)
  }
  return unknownCommand(terminal, words, { version: settings.version, others })
}

/** Called by completion scripts with what was typed so far. */
async function printItems(terminal: Terminal, typed = '', settings: CliSettings): Promise<number> {
  const { findItems } = await import('./completion/items.ts')
  const names = await findItems(typed, settings)
  if (names.length > 0) terminal.print(names.join('\n'))
  return 0
}

/** A reader such as `head` may close our output early, which is not an error. */
function outliveReader({ stdout, stderr, exit }: Host): void {
  stdout.on('error', thrown => {
    const code = systemErrorCode(thrown)
    if (code === 'EPIPE') return
    if (code === undefined) throw thrown
    stderr.write(`error: cannot write the output: ${code}\n`)
    exit(1)
  })
}

/**
 * `mcp frob`: the first word is a command, but the only words it takes are those that make another command of
 * it.
 */
function isWrongSecond([first, second]: readonly string[]): boolean {
  const isWord = second !== undefined && !second.startsWith('-')
  return isWord && ACTIONS.some(({ name }) => name.startsWith(`${first} `))
}

/** `keys generate` is one command of two words. */
function findCommand(words: readonly string[]): { entry: ActionEntry; rest: readonly string[] } | undefined {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ')
    const entry = words.length >= length ? ACTIONS.find(candidate => candidate.name === name) : undefined
    if (entry) return { entry, rest: words.slice(length) }
  }
  return undefined
}

function unknownCommand(
  terminal: Terminal,
  words: readonly string[],
  { version, others }: Pick<CliSettings, 'version' | 'others'>,
): number {
  const entries = [...ACTIONS, ...others]
  const group = entries.filter(({ name }) => name.startsWith(`${words[0]} `))
  if (group.length > 0) {
    if (hasFlag(words, '--help', '-h')) {
      terminal.print(overview(group, version, terminal.columns))
      return 0
    }
    const expected = `expected one of ${group.map(({ name }) => `\`rye ${name}\``).join(', ')}`
    if (!words[1] || words[1].startsWith('-')) return sayWrong(terminal, words, expected)
    const typed = `${words[0]} ${words[1]}`
    return sayWrong(terminal, words, unknown(typed, group), expected)
  }
  const hint = 'list the commands with `rye --help`'
  // Only flags of every command may come before the command.
  if (words[0]!.startsWith('-')) return sayWrong(terminal, words, missingCommand(words), hint)
  return sayWrong(terminal, words, unknown(words[0]!, entries), hint)
}

function unknown(typed: string, entries: readonly { readonly name: string }[]): string {
  const names = entries.map(({ name }) => name)
  const close = nearest(typed, names)[0]
  return `unknown command \`${typed}\`${close ? `; did you mean \`rye ${close}\`?` : ''}`
}

function missingCommand(words: readonly string[]): string {
  const command = words.find(word => !word.startsWith('-'))
  return `expected a command, got \`${words[0]}\`${command ? '; flags come after the command' : ''}`
}

/** Reports a call that was wrong before any action was found. */
function sayWrong(terminal: Terminal, words: readonly string[], error: string, hint?: string): number {
  const answer = { status: 'error', error, code: 'INVALID_INPUT', ...(hint && { hint }) }
  if (hasFlag(words, '--json')) terminal.print(printVisibleJson(answer))
  else terminal.say(renderFailure(answer))
  return 2
}
