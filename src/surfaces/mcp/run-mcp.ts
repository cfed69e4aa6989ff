// `rye mcp`: reads its flags, serves until the client or the person ends it, and then ends everything it started.
// Standard output belongs to the protocol; whatever else there is to say goes to standard error.
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { AppError, escapeHidden } from '../../base/index.ts'
import type { Library } from '../../workspace/index.ts'
import { createServerFactory, PROFILES, type Profile } from './server.ts'

const HELP = `usage: rye mcp [flags]

serve the library to an agent over MCP; on standard input and output unless --http is given

  --profile four|three|all  which tools are listed (default four)
  --project DIR             the project of calls that name none (default: the current directory; stdio only)
  --http                    streamable HTTP on loopback; every call must name its project_path
  --port N                  port (default 4477; 0 for a free one)
  --host NAME               address to listen on (default 127.0.0.1)
  --token-file FILE         read the bearer token from FILE; without it one is made and printed once`

/** A call that ignores its cancellation does not keep the process for longer than this. */
const LINGER_MS = 3000

/** What a client asks right after its first answer is still part of the start. */
const STARTED_MS = 200

/** Serves until it is ended. `onStarted` is called when a client on stdio has what it needs to begin. */
export async function runMcp(
  words: readonly string[],
  version: string,
  onStarted: () => void,
): Promise<number> {
  try {
    const flags = readFlags(words)
    if (flags.help) {
      process.stdout.write(`${HELP}\n`)
      return 0
    }
    outliveFaults()
    await (flags.http ? runHttp(flags, version) : runStdio(flags, version, onStarted))
    setTimeout(() => process.exit(), LINGER_MS).unref()
    return 0
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    say(`error: ${thrown.message}`)
    if (thrown.hint) say(`hint: ${thrown.hint}`)
    return thrown.code === 'INVALID_INPUT' ? 2 : 1
  }
}

interface Flags {
  readonly help: boolean
  readonly http: boolean
  readonly host: string
  readonly port: number
  readonly profile: Profile
  readonly project: string
  readonly tokenFile: string | undefined
}

async function runStdio(flags: Flags, version: string, onStarted: () => void): Promise<void> {
  const library = lazyLibrary()
  const [factory, { serveStdio }, { LineTransport }] = await Promise.all([
    createServerFactory({
      library: library.open,
      version,
      profile: flags.profile,
      defaultProject: resolve(flags.project),
      onError: report,
    }),
    import('@modelcontextprotocol/server/stdio'),
    import('./line-transport.ts'),
  ])
  let answered = false
  const transport = new LineTransport(process.stdin, process.stdout, {
    onAnswer() {
      if (!answered) setTimeout(onStarted, STARTED_MS).unref()
      answered = true
    },
  })
  const handle = serveStdio(factory, { transport, onerror: error => say(`mcp: ${error.message}`) })
  await Promise.race([transport.closed, terminated()])
  await handle.close()
  await library.close()
}

async function runHttp(flags: Flags, version: string): Promise<void> {
  const { serveHttp } = await import('./serve-http.ts')
  const token =
    flags.tokenFile === undefined
      ? randomBytes(32).toString('base64url')
      : await (await import('../../workspace/index.ts')).readTokenFile(flags.tokenFile)
  const library = lazyLibrary()
  const factory = await createServerFactory({
    library: library.open,
    version,
    profile: flags.profile,
    defaultProject: undefined,
    onError: report,
  })
  const server = await serveHttp({ host: flags.host, port: flags.port, token, factory, onError: report })
  if (flags.tokenFile === undefined) say(`token: ${token}`)
  say(`listening: ${server.address}`)
  await terminated()
  await server.close()
  await library.close()
}

/** The library is opened by the first call that needs it: most of our code is not needed to say what we offer. */
function lazyLibrary(): { open: () => Promise<Library>; close: () => Promise<void> } {
  let opened: Promise<Library> | undefined
  return {
    open() {
      opened ??= import('../../workspace/index.ts').then(({ openLibrary }) =>
        openLibrary({ environment: process.env }),
      )
      return opened
    },
    close: async () => (await opened)?.close(),
  }
}

function terminated(): Promise<void> {
  return new Promise(done => {
    process.once('SIGTERM', () => done())
    process.once('SIGINT', () => done())
  })
}

/**
 * A fault outside of any call is written down, and the others are served on: the server keeps no state that one call
 * could leave half changed for the next, and every file is written whole or not at all.
 */
function outliveFaults(): void {
  process.on('uncaughtException', report)
  process.on('unhandledRejection', report)
  // Nobody may be reading our log; writing to it must not become the next fault.
  process.stderr.on('error', () => {})
}

function report(thrown: unknown): void {
  say(`mcp: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`)
}

function say(text: string): void {
  process.stderr.write(`${escapeHidden(text)}\n`)
}

function readFlags(words: readonly string[]): Flags {
  const { values } = parse(words)
  const profile = values.profile ?? 'four'
  if (!Object.hasOwn(PROFILES, profile)) {
    throw new AppError(
      'INVALID_INPUT',
      `expected --profile ${Object.keys(PROFILES).join('|')}, got \`${profile}\``,
    )
  }
  const port = Number(values.port ?? '4477')
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new AppError(
      'INVALID_INPUT',
      `expected --port to be a number from 0 to 65535, got \`${values.port}\``,
    )
  }
  return {
    help: values.help ?? false,
    http: values.http ?? false,
    host: values.host ?? '127.0.0.1',
    port,
    // Checked against the table above.
    profile: profile as Profile,
    project: values.project ?? '.',
    tokenFile: values['token-file'],
  }
}

function parse(words: readonly string[]) {
  const options = {
    help: { type: 'boolean', short: 'h' },
    http: { type: 'boolean' },
    host: { type: 'string' },
    port: { type: 'string' },
    profile: { type: 'string' },
    project: { type: 'string' },
    'token-file': { type: 'string' },
  } as const
  try {
    return parseArgs({ args: [...words], options, strict: true })
  } catch (cause) {
    throw new AppError('INVALID_INPUT', (cause as Error).message, { hint: 'rye mcp --help', cause })
  }
}
