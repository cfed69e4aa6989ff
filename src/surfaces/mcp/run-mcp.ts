// Serves MCP until the client or the person ends it, then ends everything it started. Standard output belongs
// to the protocol; everything else goes to standard error.
import type { InputOf } from '../../actions/index.ts'
import { AppError } from '../../base/index.ts'
import type { Library } from '../../workspace/index.ts'
import type { MCP_FIELDS } from './fields.ts'
import { createServerFactory } from './server.ts'
import type { McpSettings } from './settings.ts'
import { createLog, type Log } from './telemetry/log.ts'

/** A call that ignores its cancellation keeps the process alive no longer than this. */
const LINGER_MS = 3000

/** What a client requests right after its first answer still belongs to the start. */
const STARTED_MS = 200

const TERMINATED = 143

type Flags = InputOf<typeof MCP_FIELDS>

/** Serves until it is ended; returns the exit status. */
export async function runMcp(flags: Flags, settings: McpSettings): Promise<number> {
  refuseIdle(flags)
  const log = createLog(process.stderr, flags.log ?? 'text', () => new Date())
  surviveErrors(log)
  const status = flags.http
    ? await (await import('./http/run-http.ts')).runHttp(flags, settings, log)
    : await runStdio(flags, settings, log)
  setTimeout(() => process.exit(), LINGER_MS).unref()
  return status
}

/** Refuses a flag that has no effect here: the person who set it expected one. */
function refuseIdle({ http, project_path: _, profile: __, ...forHttp }: Flags): void {
  const idle = http
    ? undefined
    : Object.entries(forHttp).find(([, value]) => value !== undefined && value !== false)
  if (idle) throw new AppError('INVALID_INPUT', `\`${idle[0]}\` only works with \`http\``)
}

async function runStdio(flags: Flags, settings: McpSettings, log: Log): Promise<number> {
  const library = lazyLibrary(settings, flags.project_path)
  const [factory, { serveStdio }, { LineTransport }] = await Promise.all([
    createServerFactory({
      library: library.open,
      version: settings.version,
      profile: flags.profile,
      defaultProject: flags.project_path,
      onError: log.error,
    }),
    import('@modelcontextprotocol/server/stdio'),
    import('./line-transport.ts'),
  ])
  let answered = false
  const transport = new LineTransport(process.stdin, process.stdout, {
    onAnswer() {
      if (!answered) setTimeout(settings.onStarted, STARTED_MS).unref()
      answered = true
    },
  })
  const handle = serveStdio(() => factory(), { transport, onerror: error => log.error(error.message) })
  const status = await Promise.race([transport.closed.then(() => 0), settings.untilInterrupted()])
  await handle.close()
  await library.close()
  // A client ends a server by closing its input, or with this signal; neither is a failure.
  return status === TERMINATED ? 0 : status
}

/** Opens the library on the first call that needs it: listing the tools needs little of our code. */
function lazyLibrary(
  { environment }: McpSettings,
  chosenProject: string | undefined,
): {
  open: () => Promise<Library>
  close: () => Promise<void>
} {
  let opened: Promise<Library> | undefined
  return {
    open() {
      opened ??= import('./open-library.ts').then(({ openLibrary }) =>
        openLibrary({ environment, caller: 'agent', chosenProject }),
      )
      return opened
    },
    close: async () => (await opened)?.close(),
  }
}

/**
 * Logs an error outside of any call and goes on serving. That is safe: no call can leave state half changed
 * for the next, and every file is written whole or not at all.
 */
function surviveErrors(log: Log): void {
  process.on('uncaughtException', log.error)
  process.on('unhandledRejection', log.error)
  // Nobody may be reading our log; writing to it must not cause the next error.
  process.stderr.on('error', () => {})
}
