// Starts the program: one script, compiled from the code that an earlier start left behind, where there is any.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { type EarlyLook, lookEarly } from '../workspace/index.ts'
import { describeCodeCache, readCode } from './code-cache.ts'
import type { run } from './program.ts'

export async function start(words: readonly string[], command: string): Promise<void> {
  const directory = currentDirectory()
  if (directory === undefined) {
    sayGone(words)
    return
  }
  // First of all: it goes on beside everything else.
  const early = look(words, directory)
  const path = join(import.meta.dirname, 'program.cjs')
  const cache = describeCodeCache(path, words[0], process.env)
  const cachedData = readCode(cache)
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
    early,
    ...(!known && { code: { cache, make: () => script.createCachedData() } }),
  })
}

/** A search looks at the files of its project, where that is known before its words are read. */
function look(words: readonly string[], directory: string): EarlyLook | undefined {
  const isHere = words[0] === 'search' && !words.some(word => word.startsWith('--project'))
  return isHere ? lookEarly(process.env, directory) : undefined
}

function currentDirectory(): string | undefined {
  try {
    return process.cwd()
  } catch {
    // Removed under our feet. Nothing works without it, not even Node's own `path`.
    return undefined
  }
}

function sayGone(words: readonly string[]): void {
  const error = 'the current directory is gone'
  const hint = 'go to a directory that exists'
  if (words.includes('--json'))
    process.stdout.write(
      `${JSON.stringify({ status: 'error', error, code: 'PROJECT_NOT_FOUND', hint }, null, 2)}\n`,
    )
  else process.stderr.write(`error: ${error}\nhint: ${hint}\n`)
  process.exitCode = 1
}
