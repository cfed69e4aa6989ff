// Serves the page until the person ends it, and then ends everything it started.
import { resolve } from 'node:path'
import type { InputOf } from '../../actions/index.ts'
import { escapeHidden } from '../../base/index.ts'
import { checkProject, openLibrary } from '../../workspace/index.ts'
import type { UI_FIELDS } from './fields.ts'
import { openBrowser } from './open-browser.ts'
import { createPageLibrary } from './page-library.ts'
import { serveUi } from './serve-ui.ts'

/** A call that ignores its cancellation does not keep the process for longer than this. */
const LINGER_MS = 3000

export interface UiSettings {
  readonly version: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Called when the page can be opened. */
  readonly onStarted: () => void
  /** Resolves to the exit status once the person, or the system, ends it. */
  readonly untilInterrupted: () => Promise<number>
}

export async function runUi(flags: InputOf<typeof UI_FIELDS>, settings: UiSettings): Promise<number> {
  const projects = [flags.project_path, ...flags.also.map(path => resolve(path))].map(checkProject)
  const library = openLibrary({ environment: settings.environment, caller: 'person', watches: true })
  const server = await serveUi({
    port: flags.port,
    library: createPageLibrary(library, [...new Set(projects)]),
    version: settings.version,
    readOnly: flags.read_only,
    onError: report,
  })
  process.stderr.on('error', () => {})
  process.on('unhandledRejection', report)
  // Listened for before anybody can know that it runs.
  const interrupted = settings.untilInterrupted()
  process.stdout.write(`listening: ${server.address}\n`)
  settings.onStarted()
  if (!flags.no_open) openBrowser(server.address, settings.environment)
  const status = await interrupted
  await server.close()
  await library.close()
  setTimeout(() => process.exit(), LINGER_MS).unref()
  return status
}

function report(thrown: unknown): void {
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  process.stderr.write(`ui: ${escapeHidden(text)}\n`)
}
