// The script for a shell. Commands, flags and values come from the definitions; the script asks for names of
// items while someone types. When none of these fits, the shell completes file names.
import { ACTIONS } from '../../../actions/index.ts'
import { ALL_GLOBALS } from '../arguments.ts'
import { OTHER_FLAGS, type OtherCommand } from '../other-command.ts'
import { bashScript } from './bash.ts'
import type { CompletedCommand } from './commands.ts'
import { fishScript } from './fish.ts'
import { zshScript } from './zsh.ts'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript }

export async function writeScript(
  shell: keyof typeof SCRIPTS,
  others: readonly OtherCommand[],
): Promise<string> {
  const actions = ACTIONS.map(
    async ({ name, summary, load }): Promise<CompletedCommand> => ({
      name,
      summary,
      fields: (await load()).fields,
      globals: ALL_GLOBALS,
    }),
  )
  const rest = others.map(
    async ({ name, summary, load }): Promise<CompletedCommand> => ({
      name,
      summary,
      fields: (await load()).fields,
      globals: OTHER_FLAGS,
    }),
  )
  return SCRIPTS[shell](await Promise.all([...actions, ...rest]))
}
