// Makes the user space when there is none yet: a home directory may be named before it exists, and some
// cannot be written.
import { join } from 'node:path'
import { AppError, systemErrorCode } from '../base/index.ts'
import { canWrite, makeFolders } from '../files/index.ts'

const ELSEWHERE = 'set USER_SPACE to a folder that you can write to, for your key and your own items'

/** Makes the folder for `.ai/`, if missing. Throws `WRITE_FAILED`, also when `.ai/` cannot be written. */
export function makeUserSpace(userSpace: string): void {
  makeHome(userSpace)
  const problem = userSpaceProblem(userSpace)
  if (problem) throw new AppError('WRITE_FAILED', problem.message, { hint: problem.hint })
}

/** Makes only the folder, for files beside `.ai/`. */
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

/** Why the user space cannot be written and what to do; undefined when it can be. */
export function userSpaceProblem(userSpace: string): { message: string; hint: string } | undefined {
  if (canWrite(join(userSpace, '.ai'))) return undefined
  return { message: `\`${userSpace}\` cannot be written`, hint: ELSEWHERE }
}
