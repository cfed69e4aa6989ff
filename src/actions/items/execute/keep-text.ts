// Keeps a text that is too long for an answer, for `load` to read on.
import { AppError, systemErrorCode } from '../../../base/index.ts'
import { keepOutput } from '../../../user/index.ts'
import type { Workspace } from '../../../workspace/index.ts'

/** Its id for `load`, or why it could not be kept. */
export function keepText(
  { library, projectPath }: Workspace,
  text: string,
): { readonly id: string; readonly lost?: never } | { readonly id: null; readonly lost: string } {
  try {
    return { id: `output:${keepOutput(library.states.make(projectPath).path, text)}` }
  } catch (thrown) {
    const reason = thrown instanceof AppError ? thrown.message : systemErrorCode(thrown)
    if (reason === undefined) throw thrown
    return { id: null, lost: `the whole output was not kept: ${reason}` }
  }
}
