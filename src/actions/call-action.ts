// One call of an action from a program: the same checks and the same answer as on every surface.
import { AppError } from '../base/index.ts'
import type { Library } from '../workspace/index.ts'
import type { Progress } from './definition/action.ts'
import { readInput } from './definition/read-input.ts'
import { runAction } from './run-action.ts'
import { ACTIONS, findAction } from './table.ts'

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
}

/** Answers with what `rye NAME --json` prints; a failure is an answer with `status: "error"`. */
export async function callAction(
  library: Library,
  name: string,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions = {},
): Promise<object> {
  const entry = findAction(name)
  if (!entry) {
    const known = ACTIONS.map(action => action.name).join(', ')
    throw new AppError('INVALID_INPUT', `unknown action \`${name}\`: expected one of ${known}`)
  }
  const action = await entry.load()
  const { answer } = await runAction({
    action,
    read: () => readInput(action.fields, input),
    context: {
      library,
      caller: 'person',
      signal: options.signal ?? new AbortController().signal,
      onProgress: options.onProgress ?? (() => {}),
      onNote: () => {},
    },
  })
  return answer
}
