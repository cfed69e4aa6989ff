// `rye completion SHELL`: a script for a shell, made from the same definitions as help.
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

/** Completes the commands of `others` beside the actions. */
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
        // One of the values.
        print(await writeScript(shell as 'bash' | 'zsh' | 'fish', [...others, command]))
        return 0
      },
    }),
  }
  return command
}
