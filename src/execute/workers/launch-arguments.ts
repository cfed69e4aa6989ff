// How a script gets arguments that no list of processes shows, since any user may read those: a launcher of ours, in the same
// process, reads them from descriptor 3 and adds them to the arguments before the script begins.
import type { FunctionInvocation, ProcessInvocation } from '../../plan/index.ts'
import { programsDirectory } from '../process/programs-directory.ts'

export interface LaunchArguments {
  /** Before the script's own path. */
  readonly args: readonly string[]
  /** What the launcher reads from descriptor 3. */
  readonly input: string
  /** What must be readable for the interpreter. */
  readonly directory: string
}

const LAUNCHERS: Readonly<Record<FunctionInvocation['host'], (directory: string) => string>> = {
  python: directory => `${directory}/private_arguments.py`,
  node: directory => `--require=${directory}/private-arguments.cjs`,
}

export function launchArguments({ privateArgs }: ProcessInvocation): LaunchArguments | undefined {
  if (privateArgs === null) return undefined
  const directory = programsDirectory()
  return {
    args: [LAUNCHERS[privateArgs.host](directory)],
    // No argument contains a NUL character.
    input: privateArgs.args.map(argument => `${argument}\0`).join(''),
    directory,
  }
}
