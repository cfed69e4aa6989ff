// What the command runs: joins the surfaces, which do not know each other, and keeps its compiled code for the next start.
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { VERSION } from '../base/index.ts'
import { runCli } from '../surfaces/cli/index.ts'
import { type ChangeCheck, type FoundProject, findProject, startChangeCheck } from '../workspace/index.ts'
import type { NewCode } from './code-cache.ts'
import { otherCommands } from './other-commands.ts'

export interface Start {
  /** The file of the command, to start it again. */
  readonly command: string
  readonly directory: string
  /** Given when there was no usable code in the cache. */
  readonly code?: NewCode
}

/** A command that runs for longer has started by then, and V8 still has the code of its start. */
const STARTED_MS = 3000

export async function run(words: readonly string[], start: Start): Promise<void> {
  const { command: program, directory } = start
  const findHere = () => findProject(process.env, directory)
  // First of all: it runs beside everything else.
  const changeCheck = checkForChanges(words, findHere)
  const keep = createCodeWriter(start.code)
  const timer = setTimeout(keep, STARTED_MS).unref()
  let isUsual = true
  // What is for LanceDB alone is no part of what tools are given.
  const environment = { ...process.env }
  prepareLance()
  const status = await runCli(words, {
    version: VERSION,
    environment,
    directory,
    findProject: findHere,
    changeCheck,
    onProgress: () => {
      isUsual = false
    },
    others: otherCommands({ environment, program, onStarted: keep }),
  })
  process.exitCode = status
  clearTimeout(timer)
  // A failure may have ended before most of the command was compiled, and would be the code of all that share its name. One that built
  // an index has compiled much that later ones do without, and little of how they answer from it.
  if (status === 0 && isUsual) await keep()
  leaveLance()
}

/** A search checks the files of its project, where the project is known before the words are read. */
function checkForChanges(words: readonly string[], findHere: () => FoundProject): ChangeCheck | undefined {
  const isHere = words[0] === 'search' && !words.some(word => word.startsWith('--project'))
  return isHere ? startChangeCheck(process.env, findHere().path) : undefined
}

const LEAVE_MS = 100

/** LanceDB cannot be interrupted: what it was asked and nobody waits for any more does not hold up the end, unless output is still on its way. */
function leaveLance(): void {
  const loaded = Object.keys(createRequire(import.meta.url).cache ?? {})
  if (!loaded.some(path => path.includes('lancedb'))) return
  const leave = () => {
    if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit()
    else setTimeout(leave, LEAVE_MS).unref()
  }
  setTimeout(leave, LEAVE_MS).unref()
}

/**
 * LanceDB reads these when it is loaded. It would report on standard error that a table is about to be made, and with two threads it
 * stands still for minutes while it writes many rows.
 */
function prepareLance(): void {
  process.env.LANCE_CPU_THREADS ??= String(Math.max(3, availableParallelism()))
  process.env.LANCEDB_LOG ??= 'error'
  process.env.RUST_LOG ??= 'error'
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
