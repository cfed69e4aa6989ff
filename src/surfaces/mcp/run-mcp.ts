// Serves MCP until the client or the person ends it, and then ends everything it started.
// Standard output belongs to the protocol; everything else goes to standard error.
import { randomBytes } from 'node:crypto'
import type { InputOf } from '../../actions/index.ts'
import { AppError, escapeHidden } from '../../base/index.ts'
import type { Library } from '../../workspace/index.ts'
import type { MCP_FIELDS } from './fields.ts'
import { createServerFactory } from './server.ts'

/** A call that ignores its cancellation does not keep the process for longer than this. */
const LINGER_MS = 3000

/** What a client asks right after its first answer is still part of the start. */
const STARTED_MS = 200

const TERMINATED = 143

export interface McpSettings {
  readonly version: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Called when a client on stdio has what it needs to begin. */
  readonly onStarted: () => void
  /** Resolves to the exit status once somebody ends it. */
  readonly untilInterrupted: () => Promise<number>
}

type Flags = InputOf<typeof MCP_FIELDS>

/** Serves until it is ended; answers with the exit status. */
export async function runMcp(flags: Flags, settings: McpSettings): Promise<number> {
  refuseIdle(flags)
  surviveErrors()
  const status = await (flags.http ? runHttp(flags, settings) : runStdio(flags, settings))
  setTimeout(() => process.exit(), LINGER_MS).unref()
  return status
}

/** A flag that changes nothing was meant to change something. */
function refuseIdle({ http, port, host, token_file }: Flags): void {
  const idle = http
    ? undefined
    : Object.entries({ port, host, token_file }).find(([, value]) => value !== undefined)
  if (idle) throw new AppError('INVALID_INPUT', `\`${idle[0]}\` is for \`http\`: on stdio nothing listens`)
}

async function runStdio(flags: Flags, settings: McpSettings): Promise<number> {
  const library = lazyLibrary(settings)
  const [factory, { serveStdio }, { LineTransport }] = await Promise.all([
    createServerFactory({
      library: library.open,
      version: settings.version,
      profile: flags.profile,
      defaultProject: flags.project_path,
      onError: report,
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
  const handle = serveStdio(factory, { transport, onerror: error => say(`mcp: ${error.message}`) })
  const status = await Promise.race([transport.closed.then(() => 0), settings.untilInterrupted()])
  await handle.close()
  await library.close()
  // A client ends a server by closing its input, or with this signal: neither is a failure.
  return status === TERMINATED ? 0 : status
}

async function runHttp(flags: Flags, settings: McpSettings): Promise<number> {
  const { serveHttp } = await import('./serve-http.ts')
  const token =
    flags.token_file === undefined
      ? randomBytes(32).toString('base64url')
      : await (await import('../../workspace/index.ts')).readTokenFile(flags.token_file)
  const library = lazyLibrary(settings)
  const factory = await createServerFactory({
    library: library.open,
    version: settings.version,
    profile: flags.profile,
    defaultProject: undefined,
    onError: report,
  })
  const server = await serveHttp({
    host: flags.host ?? '127.0.0.1',
    port: flags.port ?? 4477,
    token,
    factory,
    onError: report,
  })
  // Listened for before anybody can know that it runs.
  const interrupted = settings.untilInterrupted()
  if (flags.token_file === undefined) say(`token: ${token}`)
  say(`listening: ${server.address}`)
  const status = await interrupted
  await server.close()
  await library.close()
  return status
}

/** The library is opened by the first call that needs it: listing the tools needs little of our code. */
function lazyLibrary({ environment }: McpSettings): {
  open: () => Promise<Library>
  close: () => Promise<void>
} {
  let opened: Promise<Library> | undefined
  return {
    open() {
      opened ??= import('../../workspace/index.ts').then(({ openLibrary }) =>
        openLibrary({ environment, caller: 'agent' }),
      )
      return opened
    },
    close: async () => (await opened)?.close(),
  }
}

/**
 * An error outside of any call is logged, and the server goes on: it keeps no state that one call could leave half changed
 * for the next, and every file is written whole or not at all.
 */
function surviveErrors(): void {
  process.on('uncaughtException', report)
  process.on('unhandledRejection', report)
  // Nobody may be reading our log; writing to it must not cause the next error.
  process.stderr.on('error', () => {})
}

function report(thrown: unknown): void {
  say(`mcp: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`)
}

function say(text: string): void {
  process.stderr.write(`${escapeHidden(text)}\n`)
}
