// Serves the page until the person ends it, then ends everything it started.
import { resolve } from 'node:path'
import { parentPort, Worker } from 'node:worker_threads'
import type { InputOf } from '../../actions/index.ts'
import { escapeHidden, releaseMemory } from '../../base/index.ts'
import { checkProject, openLibrary } from '../../workspace/index.ts'
import { answerSweeps } from './answer-sweeps.ts'
import type { UI_FIELDS } from './fields.ts'
import { openBrowser } from './open-browser.ts'
import { createPageLibrary } from './page-library.ts'
import { listProjects } from './projects.ts'
import { serveUi } from './serve-ui.ts'
import { sweepInThreads } from './sweep-thread.ts'
import { createSweeper } from './sweeper.ts'

/** A call that ignores its cancellation keeps the process alive no longer than this. */
const LINGER_MS = 3000
const YOUNG_MB = 4

export interface UiSettings {
  readonly version: string
  /** The file of the command, to run it again in a thread. */
  readonly program: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Called once the page can be opened. */
  readonly onStarted: () => void
  /** Resolves to the exit status once the person, or the system, ends it. */
  readonly untilInterrupted: () => Promise<number>
}

export async function runUi(flags: InputOf<typeof UI_FIELDS>, settings: UiSettings): Promise<number> {
  const projects = listProjects(
    [flags.project_path, ...flags.also.map(path => resolve(path))].map(checkProject),
  )
  const library = openLibrary({ environment: settings.environment, caller: 'person', watches: true })
  // This is the thread that another run of this function started.
  if (parentPort) {
    await answerSweeps(parentPort, createSweeper(library, projects))
    parentPort.close()
    await library.close()
    return 0
  }
  const sweeper = sweepInThreads(
    () => startThread(settings.program),
    () => void releaseMemory().catch(report),
  )
  const server = await serveUi({
    port: flags.port,
    library: createPageLibrary(library, projects, sweeper),
    version: settings.version,
    readOnly: flags.read_only,
    onError: report,
  })
  process.stderr.on('error', () => {})
  process.on('unhandledRejection', report)
  // Set up before anyone can know that the server runs.
  const interrupted = settings.untilInterrupted()
  process.stdout.write(`listening: ${server.address}\n`)
  settings.onStarted()
  if (!flags.no_open) openBrowser(server.address, settings.environment)
  const status = await interrupted
  await server.close()
  await sweeper.close()
  await library.close()
  setTimeout(() => process.exit(), LINGER_MS).unref()
  return status
}

/**
 * Runs the same command with the same arguments. A small heap is enough: it reads many things and keeps
 * little of each.
 */
function startThread(program: string): Worker {
  return new Worker(program, {
    argv: process.argv.slice(2),
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  })
}

function report(thrown: unknown): void {
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  process.stderr.write(`ui: ${escapeHidden(text)}\n`)
}
