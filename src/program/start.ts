// Starts the program: one script, from the compiled code that an earlier start kept, if there is any.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { commandWords } from '../surfaces/cli/index.ts'
import { describeCodeCache, readCode } from './code-cache.ts'
import { codeName } from './code-name.ts'
import type { run } from './program.ts'

export async function start(typed: readonly string[], command: string): Promise<void> {
  const words = commandWords(typed)
  const directory = currentDirectory()
  if (directory === undefined) {
    reportMissingDirectory(words)
    return
  }
  const path = join(import.meta.dirname, 'program.cjs')
  const name = codeName(words)
  const cache = name === undefined ? undefined : describeCodeCache(path, name, process.env)
  const cachedData = cache && readCode(cache)
  // The build wrote it in ASCII.
  const script = new Script(readFileSync(path, 'latin1'), {
    filename: path,
    ...(cachedData && { cachedData }),
  })
  const program: { run: typeof run } = script.runInThisContext()(createRequire(path), path)
  const known = cachedData !== undefined && !script.cachedDataRejected
  await program.run(words, {
    command,
    directory,
    ...(cache && !known && { code: { cache, make: () => script.createCachedData() } }),
  })
}

function currentDirectory(): string | undefined {
  try {
    return process.cwd()
  } catch {
    // It was removed. Nothing works without it, not even Node's own `path`.
    return undefined
  }
}

function reportMissingDirectory(words: readonly string[]): void {
  const error = 'the current directory is gone'
  const hint = 'go to a directory that exists'
  if (words.includes('--json'))
    process.stdout.write(
      `${JSON.stringify({ status: 'error', error, code: 'PROJECT_NOT_FOUND', hint }, null, 2)}\n`,
    )
  else process.stderr.write(`error: ${error}\nhint: ${hint}\n`)
  process.exitCode = 1
}
