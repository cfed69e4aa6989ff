// The user space of somebody who has none yet: a home directory may be named before it is made.
import { mkdirSync } from 'node:fs'
import { AppError, systemErrorCode } from '../base/index.ts'

/** Makes the folder that holds the user's `.ai/`, where it is missing. Throws `WRITE_FAILED`. */
export function makeUserSpace(userSpace: string): void {
  try {
    mkdirSync(userSpace, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new AppError(
      'WRITE_FAILED',
      `cannot make the user space \`${userSpace}\`: ${systemErrorCode(cause)}`,
      {
        hint: 'set USER_SPACE to a folder that you can write to',
        cause,
      },
    )
  }
}
