// Commands that are not actions: they serve, or show something, instead of answering. Their flags are fields
// all the same, so they are read, checked, completed and explained like those of any other command.
import { type Fields, type InputOf, readInput } from '../../actions/index.ts'
import { AppError, printHint } from '../../base/index.ts'
import { namePlace, placeFlags } from './advised-commands.ts'
import { gatherInput, hasFlag, namedProject } from './arguments.ts'
import { codeStatus } from './exit-status.ts'
import { sayWithFlags } from './flag-words.ts'
import { commandHelp, usage } from './help.ts'
import { type ProjectSettings, projectFinder } from './project-finder.ts'
import { renderFailure } from './render/failure.ts'
import type { Terminal } from './terminal.ts'

export interface OtherCommand {
  readonly name: string
  readonly summary: string
  load(): Promise<LoadedCommand>
}

export interface LoadedCommand<F extends Fields = Fields> {
  readonly fields: F
  /** Returns the exit status, or throws an `AppError`. */
  run(input: InputOf<F>): Promise<number>
}

/** These commands have no answer to print as JSON, and no progress that `--quiet` could hide. */
export const OTHER_FLAGS = ['help'] as const

export async function runOther(
  terminal: Terminal,
  command: OtherCommand,
  words: readonly string[],
  settings: ProjectSettings,
): Promise<number> {
  const { name } = command
  const { fields, run } = await command.load()
  if (hasFlag(words, '--help', '-h')) {
    terminal.print(commandHelp(command, fields, { columns: terminal.columns, globals: OTHER_FLAGS }))
    return 0
  }
  try {
    if (hasFlag(words, '--json'))
      throw new AppError('INVALID_INPUT', `\`rye ${name}\` has no answer to print as JSON`, {
        hint: 'leave `--json` out',
      })
    const { directory } = settings
    const { find } = projectFinder(terminal, settings)
    const input = gatherInput(fields, words, { directory, findProject: find, globals: OTHER_FLAGS })
    return await run(readInput(fields, input, 'person'))
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const { message: error, code } = thrown
    const hint = thrown.hint && printHint(thrown.hint, 'person')
    const failure = { error, hint, code }
    const flags = placeFlags({ elsewhere: settings.elsewhere, project: namedProject(fields, words) })
    const shown = flags === undefined ? failure : namePlace(failure, flags)
    terminal.say(renderFailure(sayWithFlags(shown, { name, fields })))
    const status = codeStatus(code)
    if (status === 2) terminal.say(`usage: ${usage(name, fields)}`)
    return status
  }
}
