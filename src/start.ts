// Starts the program: one script, compiled from the code that an earlier start left behind, where there is any.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { codeCacheFor, readCode } from './code-cache.ts'
import type { run } from './program.ts'

export async function start(words: readonly string[], command: string): Promise<void> {
  const path = join(import.meta.dirname, 'program.cjs')
  const cache = codeCacheFor(path, words[0], process.env)
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
    ...(!known && { code: { cache, make: () => script.createCachedData() } }),
  })
}
