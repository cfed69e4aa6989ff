// The program as the build packed it (`scripts/pack-program.mjs`): one script, and a second one with the
// rest, which is read when something in it is needed. Each is compiled from the code that an earlier start
// kept, if there is any.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { systemErrorCode } from '../base/index.ts'
import { describeCodeCache, type NewCode, readCode } from './code-cache.ts'
import type { run } from './program.ts'

interface Code {
  /** Name of the code that this start is compiled from (`code-name.ts`); undefined for none. */
  readonly name: string | undefined
  /** Scripts without usable code in the cache are added here. */
  readonly compiled: NewCode[]
}

/** A file of the program is missing or not as it was installed. */
export class DamagedProgram extends Error {
  override readonly name = 'DamagedProgram'
  readonly path: string

  constructor(path: string, cause: unknown) {
    const isGone = ['ENOENT', 'MODULE_NOT_FOUND'].includes(systemErrorCode(cause) ?? '')
    super(`rye is damaged: \`${path}\` ${isGone ? 'is missing' : 'is not as it was installed'}`, { cause })
    this.path = path
  }
}

export function loadProgram(folder: string, { name, compiled }: Code): { readonly run: typeof run } {
  const path = join(folder, 'program.cjs')
  const restPath = join(folder, 'program-rest.cjs')
  const nodeRequire = createRequire(path)
  // Only for the program's own files. A package may be missing; the code that needs it reports that.
  const requireOwn = (wanted: string) =>
    wanted.startsWith('./') ? orDamaged(join(folder, wanted), () => nodeRequire(wanted)) : nodeRequire(wanted)
  let rest: object | undefined
  const loadRest = () => {
    rest ??= runScript(restPath, { name: name && `${name}-rest`, compiled })(restPath)
    return rest
  }
  return runScript(path, { name, compiled })(requireOwn, loadRest, path)
}

function runScript(path: string, { name, compiled }: Code) {
  return orDamaged(path, () => {
    const cache = name === undefined ? undefined : describeCodeCache(path, name, process.env)
    const cachedData = cache && readCode(cache)
    // The build wrote the file in ASCII.
    const script = new Script(readFileSync(path, 'latin1'), {
      filename: path,
      ...(cachedData && { cachedData }),
    })
    const isKnown = cachedData !== undefined && !script.cachedDataRejected
    if (cache && !isKnown) compiled.push({ cache, make: () => script.createCachedData() })
    const made = script.runInThisContext()
    if (typeof made !== 'function') throw new SyntaxError(`expected a function, got ${typeof made}`)
    return made
  })
}

function orDamaged<T>(path: string, load: () => T): T {
  try {
    return load()
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError) && systemErrorCode(thrown) === undefined) throw thrown
    throw new DamagedProgram(path, thrown)
  }
}
