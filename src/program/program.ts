// What the command runs: joins the surfaces, which do not know each other, and keeps its compiled code for the next start. What it needs of
// its process is given to it (`start.ts`).
import { VERSION } from '../base/index.ts'
import { type Host, runCli } from '../surfaces/cli/index.ts'
import { type ChangeCheck, type FoundProject, findProject } from '../workspace/index.ts'
import type { NewCode } from './code-cache.ts'
import { otherCommands } from './other-commands.ts'

export interface Start {
  /** The file of the command, to start it again. */
  readonly command: string
  readonly directory: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly host: Host
  /** The project that the directory is of, where it was looked for already. */
  readonly findProject?: () => FoundProject
  /** Of a search: whether the files of the project have changed since they were indexed. */
  readonly changeCheck?: ChangeCheck | undefined
  /** Given when there was no usable code in the cache. */
  readonly code?: NewCode
}

/** A command that runs for longer has started by then, and V8 still has the code of its start. */
const STARTED_MS = 3000

/** Answers with the exit status. */
export async function run(words: readonly string[], start: Start): Promise<number> {
  const keep = createCodeWriter(start.code)
  const timer = setTimeout(keep, STARTED_MS).unref()
  const { command: program, directory, environment, host, changeCheck } = start
  const status = await runCli(words, {
    version: VERSION,
    environment,
    directory,
    host,
    findProject: start.findProject ?? (() => findProject(environment, directory)),
    changeCheck,
    others: otherCommands({ environment, program, onStarted: keep }),
  })
  clearTimeout(timer)
  // A failure may have ended before most of the command was compiled, and would be the code of all that share its name.
  if (status === 0) await keep()
  return status
}

/** Writes new code once, however often it is called. */
function createCodeWriter(code: NewCode | undefined): () => Promise<void> {
  let written = code === undefined
  return async () => {
    if (written) return
    written = true
    // Made before the module that writes it is loaded: the next start does not need that one.
    const made = code!.make()
    const { writeCode } = await import('./write-code-cache.ts')
    writeCode(code!.cache, made)
  }
}
