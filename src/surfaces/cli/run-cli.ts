// The command line: find the command, run it, and answer with its exit status.
// Only the caller of `runCli` ends the process.
import { ACTIONS, type ActionEntry } from '../../actions/index.ts'
import { nearest, printVisibleJson, systemErrorCode } from '../../base/index.ts'
import { hasFlag } from './arguments.ts'
import { completionCommand } from './completion/command.ts'
import { overview } from './help.ts'
import { type OtherCommand, runOther } from './other-command.ts'
import { renderFailure } from './render/failure.ts'
import { type CommandSettings, runCommand } from './run-command.ts'
import { createTerminal, type Terminal } from './terminal.ts'

export interface CliSettings extends CommandSettings {
  readonly version: string
  /** Commands of other surfaces. */
  readonly others: readonly OtherCommand[]
}

const HELP: readonly string[] = ['--help', '-h', 'help']

export async function runCli(words: readonly string[], settings: CliSettings): Promise<number> {
  const color = !settings.environment.NO_COLOR && settings.environment.TERM !== 'dumb'
  const terminal = createTerminal(process.stdout, process.stderr, { color, quiet: hasFlag(words, '--quiet') })
  const others = [...settings.others, completionCommand(settings.others, text => terminal.print(text))]
  if (words.length === 0 || (words.length === 1 && HELP.includes(words[0]!))) {
    terminal.print(overview([...ACTIONS, ...others], settings.version, terminal.columns))
    return 0
  }
  if (words[0] === 'help') return runCli([...words.slice(1), '--help'], settings)
  if (words[0] === 'completion' && words[1] === 'items') return printItems(terminal, words[2], settings)
  // `mcp` is a command by itself, `mcp add` another.
  const found = findCommand(words)
  const other = found ? undefined : others.find(command => command.name === words[0])
  // A server that has lost its client has other work to do than to go on.
  if (other?.name !== 'mcp') outliveReader()
  if (other) return runOther(terminal, other, words.slice(1), settings)
  if (found) return runCommand(terminal, found.entry, found.rest, settings)
  return unknownCommand(terminal, words, { version: settings.version, others })
}

/** Asked by a script of a shell for what was typed so far. */
async function printItems(terminal: Terminal, typed = '', settings: CliSettings): Promise<number> {
  const { findItems } = await import('./completion/items.ts')
  const names = await findItems(typed, settings)
  if (names.length > 0) terminal.print(names.join('\n'))
  return 0
}

/** A reader such as `head` may close our output early: that is not an error. */
function outliveReader(): void {
  process.stdout.on('error', thrown => {
    const code = systemErrorCode(thrown)
    if (code === 'EPIPE') return
    if (code === undefined) throw thrown
    process.stderr.write(`error: cannot write the output: ${code}\n`)
    process.exit(1)
  })
}

/** What people type who know other programs. */
const ALIASES: Readonly<Record<string, string>> = { run: 'execute', exec: 'execute' }

/** `keys generate` is one command of two words. */
function findCommand(words: readonly string[]): { entry: ActionEntry; rest: readonly string[] } | undefined {
  for (const length of [2, 1]) {
    const typed = words.slice(0, length).join(' ')
    const name = Object.hasOwn(ALIASES, typed) ? ALIASES[typed] : typed
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
    const typed = words[1] && !words[1].startsWith('-') ? `unknown command \`${words[0]} ${words[1]}\`: ` : ''
    const expected = group.map(({ name }) => `\`rye ${name}\``).join(', ')
    return sayWrong(terminal, words, `${typed}expected one of ${expected}`)
  }
  const names = entries.map(({ name }) => name)
  const close = nearest(words[0]!, names)[0]
  const suggestion = close ? `; did you mean \`rye ${close}\`?` : ''
  const error = `unknown command \`${words[0]}\`${suggestion}`
  return sayWrong(terminal, words, error, 'list the commands with `rye --help`')
}

/** The call was wrong before any action was found. */
function sayWrong(terminal: Terminal, words: readonly string[], error: string, hint?: string): number {
  const answer = { status: 'error', error, code: 'INVALID_INPUT', ...(hint && { hint }) }
  if (hasFlag(words, '--json')) terminal.print(printVisibleJson(answer))
  else terminal.say(renderFailure(answer))
  return 2
}
