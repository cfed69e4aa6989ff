// The command line: find the command, read its words, run its action, print the answer.
// Only the caller of `runCli` ends the process.
import { resolve } from 'node:path'
import { ACTIONS, type ActionEntry, type Fields, readInput, runAction } from '../../actions/index.ts'
import { AppError, nearest, systemErrorCode } from '../../base/index.ts'
import type { ChangeCheck } from '../../workspace/index.ts'
import { readArguments } from './arguments.ts'
import { exitStatus } from './exit-status.ts'
import { sayWithFlags } from './flag-words.ts'
import { commandHelp, overview, usage } from './help.ts'
import { renderFailure } from './render/failure.ts'
import { renderAnswer } from './render/index.ts'
import { createTerminal, type Terminal } from './terminal.ts'

/** A command that another surface brings along: `mcp`, `ui`. */
export interface ForeignCommand {
  readonly name: string
  readonly summary: string
  /** Its flags, for completion. */
  readonly fields?: () => Promise<Fields>
  run(words: readonly string[]): Promise<number>
}

export interface CliSettings {
  readonly version: string
  readonly foreign: readonly ForeignCommand[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly directory: string
  readonly changeCheck?: ChangeCheck | undefined
}

export async function runCli(words: readonly string[], settings: CliSettings): Promise<number> {
  const color = !settings.environment.NO_COLOR && settings.environment.TERM !== 'dumb'
  const terminal = createTerminal(process.stdout, process.stderr, { color, quiet: hasFlag(words, '--quiet') })
  if (words.length === 0 || (words.length === 1 && HELP.includes(words[0]!))) {
    terminal.print(
      overview([...ACTIONS, ...settings.foreign, COMPLETION], settings.version, terminal.columns),
    )
    return 0
  }
  if (words[0] === 'help') return runCli([...words.slice(1), '--help'], settings)
  const foreign = settings.foreign.find(command => command.name === words[0])
  if (foreign) return foreign.run(words.slice(1))
  outliveReader()
  if (words[0] === COMPLETION.name) {
    const { runCompletion } = await import('./completion/index.ts')
    const printed = await runCompletion(words.slice(1), settings)
    if (printed.status === 2) return sayWrong(terminal, words, printed.text)
    if (printed.text !== '') terminal.print(printed.text)
    return 0
  }
  const found = findCommand(words)
  if (!found) return unknownCommand(terminal, words, settings)
  return runCommand(terminal, found.entry, found.rest, settings)
}

const HELP: readonly string[] = ['--help', '-h', 'help']
const COMPLETION = { name: 'completion', summary: 'completion for bash, zsh or fish' }

/** Words after `--` are words, whatever they look like. */
function hasFlag(words: readonly string[], flag: string): boolean {
  const end = words.indexOf('--')
  return (end === -1 ? words : words.slice(0, end)).includes(flag)
}

/** Whoever reads our output may stop early, as `head` does: that is no failure of ours. */
function outliveReader(): void {
  process.stdout.on('error', thrown => {
    if (systemErrorCode(thrown) !== 'EPIPE') throw thrown
  })
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

function unknownCommand(terminal: Terminal, words: readonly string[], settings: CliSettings): number {
  const entries = [...ACTIONS, ...settings.foreign, COMPLETION]
  const group = entries.filter(({ name }) => name.startsWith(`${words[0]} `))
  if (group.length > 0) {
    if (hasFlag(words, '--help')) {
      terminal.print(overview(group, settings.version, terminal.columns))
      return 0
    }
    const typed = words[1] && !words[1].startsWith('-') ? `unknown command \`${words[0]} ${words[1]}\`: ` : ''
    const expected = group.map(({ name }) => `\`rye ${name}\``).join(', ')
    return sayWrong(terminal, words, `${typed}expected one of ${expected}`)
  }
  const close = nearest(
    words[0]!,
    entries.map(({ name }) => name),
  )[0]
  const suggestion = close ? `; did you mean \`rye ${close}\`?` : ''
  return sayWrong(
    terminal,
    words,
    `unknown command \`${words[0]}\`${suggestion}`,
    'rye --help lists the commands',
  )
}

/** The call was wrong before any action was found. */
function sayWrong(terminal: Terminal, words: readonly string[], error: string, hint?: string): number {
  const answer = { status: 'error', error, code: 'INVALID_INPUT', ...(hint && { hint }) }
  if (hasFlag(words, '--json')) terminal.print(JSON.stringify(answer, null, 2))
  else terminal.say(renderFailure(answer))
  return 2
}

async function runCommand(
  terminal: Terminal,
  entry: ActionEntry,
  words: readonly string[],
  settings: CliSettings,
): Promise<number> {
  const action = await entry.load()
  if (hasFlag(words, '--help') || hasFlag(words, '-h')) {
    terminal.print(commandHelp(entry, action.fields, terminal.columns))
    return 0
  }
  const { openLibrary } = await import('../../workspace/index.ts')
  const library = openLibrary({ environment: settings.environment, changeCheck: settings.changeCheck })
  const interruption = listenForInterrupt()
  try {
    const { failed, answer } = await runAction({
      action,
      read: async () => readInput(action.fields, await gatherInput(action.fields, words, settings.directory)),
      context: {
        library,
        caller: 'person',
        signal: interruption.signal,
        onProgress: ({ message, done, total }) => terminal.progress(message, done, total),
        onNote: text => terminal.say(text),
      },
    })
    const status = exitStatus(action, answer, failed)
    if (library.devMode) terminal.say('RYE_DEV_MODE=1: unsigned items of the project are accepted')
    if (hasFlag(words, '--json')) terminal.print(JSON.stringify(answer, null, 2))
    else if (!failed) terminal.print(renderAnswer(action.name, answer, terminal))
    else {
      // A failure is an object of facts.
      const failure = sayWithFlags(answer as Record<string, unknown>, {
        name: entry.name,
        fields: action.fields,
      })
      terminal.say(renderFailure(failure))
      if (status === 2) terminal.say(`usage: ${usage(entry.name, action.fields)}`)
    }
    return status
  } finally {
    interruption.stop()
    await library.close()
  }
}

/** The words as raw input; `--params -` is read from standard input, and the project defaults to the directory. */
async function gatherInput(
  fields: Fields,
  words: readonly string[],
  directory: string,
): Promise<Record<string, unknown>> {
  const { input, project } = readArguments(fields, words)
  if (input.parameters === '-') input.parameters = parseJson(await readAll(process.stdin))
  if (Object.hasOwn(fields, 'project_path')) input.project_path = resolve(directory, project ?? '.')
  return input
}

async function readAll(stream: AsyncIterable<Uint8Array | string>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('INVALID_INPUT', `standard input is not JSON: ${(cause as Error).message}`, { cause })
  }
}

function listenForInterrupt(): { signal: AbortSignal; stop: () => void } {
  const abort = new AbortController()
  const interrupt = () => abort.abort(new AppError('EXECUTION_CANCELLED', 'interrupted'))
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  return {
    signal: abort.signal,
    stop() {
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', interrupt)
    },
  }
}
