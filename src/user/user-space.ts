// The user space of somebody who has none yet: a home directory may be named before it is made, and some cannot be written.
import { join } from 'node:path'
import { AppError, systemErrorCode } from '../base/index.ts'
import { canWrite, makeFolders } from '../files/index.ts'

const ELSEWHERE = 'set USER_SPACE to a folder that you can write to, for your key and your own items'

/** Makes the folder that holds the user's `.ai/`, where it is missing. Throws `WRITE_FAILED`, also where `.ai/` cannot be written. */
export function makeUserSpace(userSpace: string): void {
  makeHome(userSpace)
  const problem = userSpaceProblem(userSpace)
  if (problem) throw new AppError('WRITE_FAILED', problem.message, { hint: problem.hint })
}

/** The folder alone: for what lies beside `.ai/`. */
export function makeHome(folder: string): void {
  try {
    makeFolders(folder, 0o700)
  } catch (cause) {
    throw new AppError(
      'WRITE_FAILED',
      `cannot make the user space \`${folder}\`: ${systemErrorCode(cause)}`,
      {
        hint: ELSEWHERE,
        cause,
      },
    )
  }
}

/** Why nothing can be kept in the user space, if that is so, and what to do. */
export function userSpaceProblem(userSpace: string): { message: string; hint: string } | undefined {
  if (canWrite(join(userSpace, '.ai'))) return undefined
  return { message: `\`${userSpace}\` cannot be written`, hint: ELSEWHERE }
}
