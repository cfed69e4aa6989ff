// `rye completion SHELL`: prints a completion script, made from the same definitions as help.
import type { OtherCommand } from '../other-command.ts'

const FIELDS = {
  shell: {
    type: 'string',
    about: 'which shell to print a script for',
    required: true,
    values: ['bash', 'zsh', 'fish'],
    flag: { position: 'first', value: 'SHELL' },
  },
} as const

/** Completes the commands in `others` as well as the actions. */
export function completionCommand(
  others: readonly OtherCommand[],
  print: (text: string) => void,
): OtherCommand {
  const command: OtherCommand = {
    name: 'completion',
    summary: 'completion for bash, zsh or fish',
    load: async () => ({
      fields: FIELDS,
      run: async ({ shell }) => {
        const { writeScript } = await import('./write-script.ts')
        // Safe: the field only allows these values.
        print(await writeScript(shell as 'bash' | 'zsh' | 'fish', [...others, command]))
        return 0
      },
    }),
  }
  return command
}
