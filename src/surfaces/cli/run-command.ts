// One action on the command line: reads its words, runs it, prints the answer.
import {
  type Action,
  type ActionContext,
  type ActionEntry,
  describeFailure,
  type Failure,
  type Fields,
  type Progress,
  readInput,
  runAction,
} from '../../actions/index.ts'
import { AppError, printVisibleJson } from '../../base/index.ts'
import { type ChangeCheck, describeDevMode, type Library, openLibrary } from '../../workspace/index.ts'
import { namePlace, nameShown, placeFlags } from './advised-commands.ts'
import { gatherInput, hasFlag, namedProject, type Surroundings } from './arguments.ts'
import { exitStatus } from './exit-status.ts'
import { sayWithFlags } from './flag-words.ts'
import { commandHelp, usage } from './help.ts'
import type { Host } from './host.ts'
import { listenForInterrupt } from './interruption.ts'
import { type ProjectSettings, projectFinder } from './project-finder.ts'
import { renderAnswer } from './render/answer.ts'
import { renderFailure } from './render/failure.ts'
import type { Terminal } from './terminal.ts'

export interface CommandSettings extends ProjectSettings {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly changeCheck?: ChangeCheck | undefined
  /** Called when a command does more than answer: it is indexing, or waiting for something slow. */
  readonly onProgress?: (progress: Progress) => void
  readonly host: Host
  readonly startThread?: ActionContext['startThread']
}

/** These actions do something, and their answer only reports success: with `--quiet`, silence says that. */
const REPORTS: readonly string[] = [
  ...['init', 'new', 'sign', 'edit', 'mv', 'rm', 'index', 'mcp add', 'mcp remove', 'mcp revoke'],
  ...['skills install', 'skills remove', 'skills sync'],
  ...['generate', 'trust', 'offer', 'rotate', 'revoke', 'remove'].map(verb => `keys ${verb}`),
]

export async function runCommand(
  terminal: Terminal,
  entry: ActionEntry,
  words: readonly string[],
  settings: CommandSettings,
): Promise<number> {
  const action = await entry.load()
  if (hasFlag(words, '--help', '-h')) {
    terminal.print(commandHelp(entry, action.fields, { columns: terminal.columns }))
    return 0
  }
  const command = { terminal, action, words, settings, isJson: hasFlag(words, '--json') }
  const { environment, changeCheck } = settings
  const library = orFailure(() => openLibrary({ environment, changeCheck }))
  if ('status' in library) {
    if (command.isJson) terminal.print(printVisibleJson(library))
    else printFailure(terminal, action, library, 1)
    return 1
  }
  try {
    return await runWith(library, command)
  } finally {
    await library.close()
  }
}

interface Command {
  readonly terminal: Terminal
  readonly action: Action
  readonly words: readonly string[]
  readonly settings: CommandSettings
  readonly isJson: boolean
}

async function runWith(library: Library, command: Command): Promise<number> {
  const { terminal, action, words, settings, isJson } = command
  const { directory, host } = settings
  const interruption = listenForInterrupt()
  const project = projectFinder(terminal, settings, { isNew: action.name === 'init' })
  try {
    const { failed, answer } = await runAction({
      action,
      read: async () =>
        readInput(
          action.fields,
          await readWords(action.fields, words, { directory, findProject: project.find, host }),
          'person',
        ),
      context: contextOf(command, library, interruption.signal),
    })
    const interrupted = interruption.status()
    if (failed && interrupted !== undefined && !isJson) {
      terminal.say('interrupted')
      return interrupted
    }
    const status = interrupted ?? exitStatus(action, answer, failed)
    const mode = describeDevMode(settings.environment)
    if (mode !== undefined) terminal.say(mode)
    if (isJson) {
      terminal.print(printVisibleJson(project.nameIn(answer)))
      return status
    }
    const flags = placeFlags({
      elsewhere: settings.elsewhere,
      project: namedProject(action.fields, words),
    })
    // An answer is an object of facts.
    const shown =
      flags === undefined ? answer : namePlace(answer as Record<string, unknown>, flags, action.name)
    if (failed) printFailure(terminal, action, shown, status)
    else printAnswer(naming(terminal, action, flags), action, shown, status)
    return status
  } finally {
    interruption.stop()
  }
}

/** What an action may ask of the person, and how it reaches them. */
function contextOf(command: Command, library: Library, signal: AbortSignal): ActionContext {
  const { terminal, action, settings } = command
  const { environment, directory, host } = settings
  return {
    library,
    caller: 'person',
    client: 'rye',
    directory,
    signal,
    onProgress: progress => {
      settings.onProgress?.(progress)
      terminal.progress(progress)
    },
    onNote: text => terminal.note(text),
    startThread: settings.startThread,
    runProgram: async call => (await import('./run-program.ts')).runProgram(call, environment),
    confirm: confirmAt(terminal, host, signal),
    ...(readsInParts(command) && {
      showFirst: first => terminal.print(`${renderAnswer(action.name, first, terminal)}\n\nin the registry:`),
    }),
  }
}

/** A terminal that adds the named place to the commands that an answer prints. */
function naming(terminal: Terminal, { name }: Action, flags: string | undefined): Terminal {
  if (flags === undefined) return terminal
  return { ...terminal, print: text => terminal.print(nameShown(name, text, flags)) }
}

function printAnswer(terminal: Terminal, { name }: Action, answer: object, status: number): void {
  if ('status' in answer && 'warning' in answer) terminal.say(`warning: ${answer.warning}`)
  if (!(status === 0 && terminal.quiet && REPORTS.includes(name)))
    terminal.print(renderAnswer(name, answer, terminal))
  // Success is not reported, but warnings are.
  else if ('warnings' in answer && Array.isArray(answer.warnings))
    for (const warning of answer.warnings) terminal.say(`warning: ${warning}`)
}

/** A person can read the first part while waiting for the rest; a program wants one answer, and soon. */
function readsInParts({ action: { name }, settings, isJson }: Command): boolean {
  return (name === 'search' || name === 'fetch') && settings.host.stdout.isTTY === true && !isJson
}

/** Opening the library fails when the user space is not where it should be. */
function orFailure(open: () => Library): Library | Failure {
  try {
    return open()
  } catch (thrown) {
    if (thrown instanceof AppError) return describeFailure(thrown, 'person')
    throw thrown
  }
}

function printFailure(terminal: Terminal, { name, fields }: Action, answer: object, status: number): void {
  // A failure is an object of facts.
  terminal.say(renderFailure(sayWithFlags(answer as Record<string, unknown>, { name, fields })))
  if (status === 2) terminal.say(`usage: ${usage(name, fields)}`)
}

/** Only a person at a terminal can be asked; other programs pass a flag. */
function confirmAt(terminal: Terminal, host: Host, signal: AbortSignal): ActionContext['confirm'] {
  if (!host.canAsk()) return undefined
  return async ({ text }) => {
    terminal.say(text)
    const { createInterface } = await import('node:readline/promises')
    const lines = createInterface({ input: host.stdin, output: host.stderr })
    // During a question, Ctrl-C arrives as a key, not as a signal.
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
    const closed = new Promise<string>(resolve => lines.once('close', () => resolve('')))
    try {
      const answer = await Promise.race([lines.question('[y/N] ', { signal }), closed])
      return /^y(es)?$/i.test(answer.trim())
    } catch (thrown) {
      signal.throwIfAborted()
      // Ctrl-D: no answer is not a yes.
      if (thrown instanceof Error && thrown.name === 'AbortError') return false
      throw thrown
    } finally {
      lines.close()
    }
  }
}

/** Reads the parameters from standard input for `--params -`. */
async function readWords(
  fields: Fields,
  words: readonly string[],
  { host, ...surroundings }: Surroundings & { readonly host: Host },
): Promise<Record<string, unknown>> {
  const input = gatherInput(fields, words, surroundings)
  return input.parameters === '-' ? { ...input, parameters: parseJson(await readAll(host.stdin)) } : input
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
