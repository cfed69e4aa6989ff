// The command line: find the command, read its words, run its action, print the answer.
// Only the caller of `runCli` ends the process.
import { resolve } from 'node:path'
import { ACTIONS, type ActionEntry, type Fields, readInput, runAction } from '../../actions/index.ts'
import { AppError, isRecord, nearest } from '../../base/index.ts'
import { readArguments } from './arguments.ts'
import { exitStatus } from './exit-status.ts'
import { commandHelp, overview, usage } from './help.ts'
import { renderAnswer } from './render/index.ts'
import { createTerminal, type Terminal } from './terminal.ts'

/** A command that another surface brings along: `mcp`, `ui`. */
export interface ForeignCommand {
  readonly name: string
  readonly summary: string
  run(words: readonly string[]): Promise<number>
}

export interface CliSettings {
  readonly version: string
  readonly foreign: readonly ForeignCommand[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly directory: string
}

export async function runCli(words: readonly string[], settings: CliSettings): Promise<number> {
  const color = !settings.environment.NO_COLOR && settings.environment.TERM !== 'dumb'
  const terminal = createTerminal(process.stdout, process.stderr, { color, quiet: words.includes('--quiet') })
  if (words.length === 0 || words[0] === '--help' || words[0] === '-h' || words[0] === 'help') {
    terminal.print(overview([...ACTIONS, ...settings.foreign], settings.version))
    return 0
  }
  const foreign = settings.foreign.find(command => command.name === words[0])
  if (foreign) return foreign.run(words.slice(1))
  const found = findCommand(words)
  if (!found) return unknownCommand(terminal, words, settings)
  return runCommand(terminal, found.entry, found.rest, settings)
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
  const names = [...ACTIONS.map(entry => entry.name), ...settings.foreign.map(command => command.name)]
  const group = names.filter(name => name.startsWith(`${words[0]} `))
  if (group.length > 0) {
    const typed = words[1] && !words[1].startsWith('-') ? `unknown command \`${words[0]} ${words[1]}\`: ` : ''
    terminal.say(`${typed}expected one of ${group.map(name => `\`rye ${name}\``).join(', ')}`)
    return 2
  }
  const close = nearest(words[0]!, names)[0]
  terminal.say(`unknown command \`${words[0]}\`${close ? `; did you mean \`rye ${close}\`?` : ''}`)
  terminal.say('rye --help lists the commands')
  return 2
}

async function runCommand(
  terminal: Terminal,
  entry: ActionEntry,
  words: readonly string[],
  settings: CliSettings,
): Promise<number> {
  const action = await entry.load()
  if (words.includes('--help') || words.includes('-h')) {
    terminal.print(commandHelp(entry, action.fields))
    return 0
  }
  const { openLibrary } = await import('../../workspace/index.ts')
  const library = openLibrary({ environment: settings.environment })
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
    if (words.includes('--json')) terminal.print(JSON.stringify(answer, null, 2))
    else if (!failed) terminal.print(renderAnswer(action.name, answer, terminal))
    else sayFailure(terminal, answer, status === 2 ? usage(entry.name, action.fields) : undefined)
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

function sayFailure(terminal: Terminal, answer: object, howToCall: string | undefined): void {
  if (!isRecord(answer)) return
  terminal.say(`error: ${answer.error}`)
  if (Array.isArray(answer.issues)) for (const issue of answer.issues) terminal.say(`  - ${issue}`)
  if (answer.hint !== undefined) terminal.say(`hint: ${answer.hint}`)
  if (howToCall) terminal.say(`usage: ${howToCall}`)
}
