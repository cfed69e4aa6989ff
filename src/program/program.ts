// What the command runs: joins the surfaces, which do not know each other, and saves its compiled code for the next start.
import { VERSION } from '../base/index.ts'
import { runCli } from '../surfaces/cli/index.ts'
import type { EarlyLook } from '../workspace/index.ts'
import type { NewCode } from './code-cache.ts'
import { otherCommands } from './other-commands.ts'

export interface Start {
  /** The file of the command, for whoever has to start it again. */
  readonly command: string
  readonly directory: string
  /** Of a search, at the files of the project. */
  readonly early?: EarlyLook | undefined
  /** Given when there was no usable code in the cache. */
  readonly code?: NewCode
}

/** What runs for longer has started by then, and what it called first is still compiled. */
const SETTLED_MS = 3000
const WRONG_CALL = 2

export async function run(words: readonly string[], start: Start): Promise<void> {
  quietLance()
  const saveCode = codeSaver(start.code)
  const timer = setTimeout(saveCode, SETTLED_MS).unref()
  const { command: program, directory, early } = start
  const environment = process.env
  const status = await runCli(words, {
    version: VERSION,
    environment,
    directory,
    program,
    early,
    others: otherCommands({ environment, program, onStarted: saveCode }),
  })
  process.exitCode = status
  clearTimeout(timer)
  if (status !== WRONG_CALL) await saveCode()
}

/** LanceDB reads this when it is loaded, and would report on standard error that a table is about to be made. */
function quietLance(): void {
  process.env.LANCEDB_LOG ??= 'error'
  process.env.RUST_LOG ??= 'error'
}

/** Saves new code once, however often it is called. */
function codeSaver(code: NewCode | undefined): () => Promise<void> {
  let saved = code === undefined
  return async () => {
    if (saved) return
    saved = true
    // Made before anything is loaded to write it, which the next start does not need.
    const made = code!.make()
    const { writeCode } = await import('./write-code-cache.ts')
    writeCode(code!.cache, made)
  }
}
