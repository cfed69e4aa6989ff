// `rye mcp`: reads its flags, opens the library, serves until the client or the person ends it.
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { AppError } from '../../base/index.ts'
import { openLibrary, readTokenFile } from '../../workspace/index.ts'
import { LineTransport } from './line-transport.ts'
import { createServerFactory, PROFILES, type Profile } from './server.ts'

const HELP = `usage: rye mcp [flags]

serve the library to an agent over MCP; on standard input and output unless --http is given

  --profile four|three|all  which tools are listed (default four)
  --project DIR             the project of calls that name none (default: the current directory; stdio only)
  --http                    streamable HTTP on loopback; every call must name its project_path
  --port N                  port (default 4477; 0 for a free one)
  --host NAME               address to listen on (default 127.0.0.1)
  --token-file FILE         read the bearer token from FILE; without it one is made and printed once`

export async function runMcp(words: readonly string[], version: string): Promise<number> {
  const say = (text: string) => process.stderr.write(`${text}\n`)
  try {
    const flags = readFlags(words)
    if (flags.help) {
      process.stdout.write(`${HELP}\n`)
      return 0
    }
    return await (flags.http ? runHttp(flags, version, say) : runStdio(flags, version, say))
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

async function runStdio(flags: Flags, version: string, say: (text: string) => void): Promise<number> {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
  const library = openLibrary({ environment: process.env })
  const factory = await createServerFactory({
    library,
    version,
    profile: flags.profile,
    defaultProject: resolve(flags.project),
  })
  const transport = new LineTransport(process.stdin, process.stdout)
  const ended = new Promise<void>(done => {
    process.stdin.once('end', done)
    process.stdin.once('close', done)
    process.stdout.once('error', done)
    process.once('SIGTERM', done)
    process.once('SIGINT', done)
  })
  const handle = serveStdio(factory, { transport, onerror: error => say(`mcp: ${error.message}`) })
  await ended
  await handle.close()
  await library.close()
  return 0
}

async function runHttp(flags: Flags, version: string, say: (text: string) => void): Promise<number> {
  const { serveHttp } = await import('./serve-http.ts')
  const token =
    flags.tokenFile === undefined
      ? randomBytes(32).toString('base64url')
      : await readTokenFile(flags.tokenFile)
  const library = openLibrary({ environment: process.env })
  const factory = await createServerFactory({
    library,
    version,
    profile: flags.profile,
    defaultProject: undefined,
  })
  const server = await serveHttp({
    host: flags.host,
    port: flags.port,
    token,
    factory,
    onError: error => say(`mcp: ${error.message}`),
  })
  if (flags.tokenFile === undefined) say(`token: ${token}`)
  say(`listening: ${server.address}`)
  await new Promise<void>(done => {
    process.once('SIGTERM', () => done())
    process.once('SIGINT', () => done())
  })
  await server.close()
  await library.close()
  return 0
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
