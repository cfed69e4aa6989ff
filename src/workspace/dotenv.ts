// The project's `.env`, for the names that a tool or a registry asks for.
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../base/index.ts'
import { readFile } from '../files/index.ts'

const MAX_BYTES = 65_536

/** Null without one; a folder of that name is a Python environment. Throws if too large, or no plain file. */
export function readDotenv(projectPath: string): string | null {
  const path = join(projectPath, '.env')
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return null
  try {
    return readFile(path, { maxBytes: MAX_BYTES })?.bytes.toString('utf8') ?? null
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    throw new AppError(thrown.code, thrown.message, {
      hint: 'set the variables that the tool asks for in your own environment, or make `.env` a plain file of at most 64 KB',
      cause: thrown,
    })
  }
}
