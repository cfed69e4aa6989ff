// Calls an action, shared by every surface, for the person using the page.
import { type Action, findAction, type Progress, readInput, runAction } from '../../actions/index.ts'
import type { Library } from '../../workspace/index.ts'
import type { PageCall } from './calls.ts'

export interface CallOptions {
  readonly signal: AbortSignal
  readonly onProgress?: (progress: Progress) => void
  /** Called with each line that a tool writes while it runs. */
  readonly onOutput?: (line: string) => void
}

export async function callAction(
  library: Library,
  project_path: string,
  { action, input }: Omit<PageCall, 'project'>,
  options: CallOptions,
): Promise<object> {
  return runPageAction(library, project_path, await findAction(action)!.load(), input, options)
}

export async function runPageAction(
  library: Library,
  project_path: string,
  action: Action,
  input: PageCall['input'],
  { signal, onProgress = () => {}, onOutput }: CallOptions,
): Promise<object> {
  const raw = Object.hasOwn(action.fields, 'project_path') ? { ...input, project_path } : input
  const { answer } = await runAction({
    action,
    read: () => readInput(action.fields, raw, 'person'),
    context: {
      library,
      caller: 'person',
      client: 'rye ui',
      signal,
      onProgress,
      onOutput,
      onNote: () => {},
    },
  })
  return answer
}
