// The program as the build packed it (`scripts/pack-program.mjs`): one script, and a second one with the rest, which is read when something
// of it is wanted. Each is compiled from the code that an earlier start kept, if there is any.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { describeCodeCache, type NewCode, readCode } from './code-cache.ts'
import type { run } from './program.ts'

interface Code {
  /** Of the code that this start is compiled from (`code-name.ts`); undefined for none. */
  readonly name: string | undefined
  /** What had no usable code in the cache is added here. */
  readonly compiled: NewCode[]
}

export function loadProgram(folder: string, { name, compiled }: Code): { readonly run: typeof run } {
  const path = join(folder, 'program.cjs')
  const restPath = join(folder, 'program-rest.cjs')
  let rest: object | undefined
  const loadRest = () => {
    rest ??= runScript(restPath, { name: name && `${name}-rest`, compiled })(restPath)
    return rest
  }
  return runScript(path, { name, compiled })(createRequire(path), loadRest, path)
}

function runScript(path: string, { name, compiled }: Code) {
  const cache = name === undefined ? undefined : describeCodeCache(path, name, process.env)
  const cachedData = cache && readCode(cache)
  // The build wrote it in ASCII.
  const script = new Script(readFileSync(path, 'latin1'), {
    filename: path,
    ...(cachedData && { cachedData }),
  })
  const isKnown = cachedData !== undefined && !script.cachedDataRejected
  if (cache && !isKnown) compiled.push({ cache, make: () => script.createCachedData() })
  return script.runInThisContext()
}
