// Calls an action as the person at the terminal would.
import { findAction, readInput, runAction } from '../../../actions/index.ts'
import type { Library } from '../../../workspace/index.ts'

export async function callAction(
  library: Library,
  name: string,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ readonly failed: boolean; readonly answer: Readonly<Record<string, unknown>> }> {
  const action = await findAction(name)!.load()
  const { failed, answer } = await runAction({
    action,
    read: () => readInput(action.fields, input, 'person'),
    context: { library, caller: 'person', signal, onProgress: () => {}, onNote: () => {} },
  })
  // Every answer is an object of JSON values.
  return { failed, answer: answer as Readonly<Record<string, unknown>> }
}
