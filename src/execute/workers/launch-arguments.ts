// Gives a script arguments that no list of processes shows, since any user may read such lists. A launcher of
// ours, in the same process, reads them from descriptor 3 and adds them before the script begins.
import type { FunctionInvocation, ProcessInvocation } from '../../plan/index.ts'
import { programsDirectory } from '../process/programs-directory.ts'
import { PYTHON_SAFE_PATH } from './safe-path.ts'

export interface LaunchArguments {
  /** Before the script's own path. */
  readonly args: readonly string[]
  /** What the launcher reads from descriptor 3. */
  readonly input: string
  /** Used where the tool sets none of its own. */
  readonly variables: Readonly<Record<string, string>>
  /** Must be readable for the interpreter. */
  readonly directory: string
}

type Launcher = (
  directory: string,
  moduleRoot: string | undefined,
) => Pick<LaunchArguments, 'args' | 'variables'>

const LAUNCHERS: Readonly<Record<FunctionInvocation['host'], Launcher>> = {
  python: (directory, moduleRoot) => ({
    args: [`${directory}/private_arguments.py`],
    // The launcher removes the second, which is none of the processes' that the program starts.
    variables: { ...PYTHON_SAFE_PATH, ...(moduleRoot !== undefined && { RYE_MODULE_ROOT: moduleRoot }) },
  }),
  node: directory => ({ args: [`--require=${directory}/private-arguments.cjs`], variables: {} }),
}

export function launchArguments({ privateArgs }: ProcessInvocation): LaunchArguments | undefined {
  if (privateArgs === null) return undefined
  const directory = programsDirectory()
  return {
    ...LAUNCHERS[privateArgs.host](directory, privateArgs.moduleRoot),
    // No argument contains a NUL character.
    input: privateArgs.args.map(argument => `${argument}\0`).join(''),
    directory,
  }
}
