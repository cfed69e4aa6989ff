// What the command runs: joins the surfaces, which do not know each other, and keeps its compiled code for
// the next start. Anything it needs from its process is passed in (`start.ts`).
import type { Worker } from 'node:worker_threads'
import type { ThreadPart } from '../actions/index.ts'
import { VERSION } from '../base/index.ts'
import { type Host, runCli } from '../surfaces/cli/index.ts'
import { type ChangeCheck, type FoundProject, findProject, startChangeCheck } from '../workspace/index.ts'
import type { NewCode } from './code-cache.ts'
import { isShared } from './code-name.ts'
import { createCodeWriter } from './code-writer.ts'
import { otherCommands } from './other-commands.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface Start {
  /** The file of the command, to run it again. */
  readonly command: string
  readonly directory: string
  /** The directory typed after `-C`; undefined without `-C`. */
  readonly elsewhere: string | undefined
  readonly environment: Environment
  readonly host: Host
  /** What has been compiled so far without usable code in the cache. */
  readonly compiled: () => readonly NewCode[]
}

/** What a row thread is started with, in place of a command. */
const ROWS = 'thread:rows'

/** A command that runs longer than this has finished starting, and V8 still has the code of its start. */
const STARTED_MS = 3000
const YOUNG_MB = 8
/**
 * Files that an edit may touch. A start that reads at most this many is typical of its kind, not one that
 * builds the index.
 */
const FEW = 16

/** Returns the exit status. */
export async function run(words: readonly string[], start: Start): Promise<number> {
  const { command: program, directory, elsewhere, environment, host } = start
  if (words[0] === ROWS && (await (await import('./rows-here.ts')).makeRowsHere(environment))) return 0
  const findHere = () => findProject(environment, directory)
  // Comes first, because it runs beside everything else.
  const changeCheck = checkForChanges(words, environment, findHere)
  const code = createCodeWriter(start.compiled)
  const timer = setTimeout(code.keep, STARTED_MS).unref()
  const status = await runCli(words, {
    version: VERSION,
    environment,
    directory,
    elsewhere,
    host,
    findProject: findHere,
    changeCheck,
    onProgress: ({ total = Number.POSITIVE_INFINITY }) => {
      if (total > FEW || !isShared(words)) code.drop()
    },
    startThread: part => startThread(program, part),
    others: otherCommands({ environment, program, onStarted: code.keep }),
  })
  clearTimeout(timer)
  // A failed command may have ended before most of its code was compiled, and every call that shares its name
  // would get that code.
  if (status === 0) await code.keep()
  return status
}

/** A small heap is enough: the thread hands over what it makes at once. */
function startThread(program: string, part: ThreadPart): Worker {
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  return new Worker(program, {
    argv: [`thread:${part}`],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  })
}

/** Only for a search whose project is known before the arguments are read. */
function checkForChanges(
  words: readonly string[],
  environment: Environment,
  findHere: () => FoundProject,
): ChangeCheck | undefined {
  const isHere = words[0] === 'search' && !words.some(word => word.startsWith('--project'))
  return isHere ? startChangeCheck(environment, findHere().path) : undefined
}
