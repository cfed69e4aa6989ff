// `rye mcp --http`: who may call, what is logged and measured, and an orderly end.
import type { InputOf } from '../../../actions/index.ts'
import { AppError } from '../../../base/index.ts'
import { makeToken, readTokenFile, watchAccessTokens } from '../../../user/access/index.ts'
import {
  type Library,
  narrowLibrary,
  openLibrary,
  openRunner,
  runnerUsage,
  type UserSeparation,
} from '../../../workspace/index.ts'
import type { MCP_FIELDS } from '../fields.ts'
import { createServerFactory } from '../server.ts'
import type { McpSettings } from '../settings.ts'
import type { Log } from '../telemetry/log.ts'
import { ServerMetrics } from '../telemetry/server-metrics.ts'
import { openTraces } from '../telemetry/traces.ts'
import { CallLimits } from './call-limits.ts'
import { type Callers, manyCallers, oneCaller } from './callers.ts'
import { serveHttp } from './serve.ts'

type Flags = InputOf<typeof MCP_FIELDS>

/** Serves until it is told to end; returns the exit status. */
export async function runHttp(flags: Flags, settings: McpSettings, log: Log): Promise<number> {
  const { environment, version } = settings
  const { callers, separation, token } = await openCallers(flags)
  const metrics = new ServerMetrics()
  const traces = openTraces(environment, version, problem => log.error(problem))
  const library = openLibrary({
    environment,
    caller: 'agent',
    onVerdict: verdict => metrics.countVerdict(verdict),
    separation,
  })
  if (separation) await checkIsolation(library)
  const limits = new CallLimits()
  const factory = await createServerFactory({
    library: async grant => (grant ? narrowLibrary(library, grant) : library),
    version,
    profile: flags.profile,
    defaultProject: undefined,
    onError: log.error,
    onCall(call) {
      metrics.countCall(call)
      const { tool, project, user, outcome, durationMs } = call
      const duration_ms = Math.round(durationMs * 10) / 10
      log.call({ tool, user, project, outcome, duration_ms, trace_id: traces.record(call) })
    },
  })
  const server = await serveHttp({
    host: flags.host ?? '127.0.0.1',
    port: flags.port ?? 4477,
    names: flags.allow_host ?? [],
    callers,
    limits,
    factory: ({ token: shown, traceparent }) => factory({ grant: shown, traceparent }),
    metrics: () =>
      metrics.print({
        busy: server.busy,
        waiting: () => limits.waiting,
        droppedSpans: traces.dropped,
        runner: () => runnerUsage(library),
      }),
    onRequest: (path, status) => metrics.countRequest(path, status),
    onError: log.error,
  })
  // Set up before anyone can know that the server runs.
  const interrupted = settings.untilInterrupted()
  if (token !== undefined) log.say('token', token)
  if (separation) void warnOfIsolation(library, log)
  log.say('listening', server.address)
  const status = await interrupted
  const { drain = DRAIN_SECONDS, drain_notice = 0 } = flags
  if (drain_notice > 0) log.say('draining', `for ${drain_notice} s as not ready, then for ${drain} s at most`)
  const cut = await server.drain({ noticeMs: drain_notice * 1000, limitMs: drain * 1000 })
  if (cut > 0) log.say('cut', `${cut} requests were unfinished after ${drain} s`)
  await Promise.all([library.close(), traces.close()])
  return status
}

const DRAIN_SECONDS = 2

/** A person who set `process-group` decided that for their own tools, not for those of several users. */
async function checkIsolation(library: Library): Promise<void> {
  if (library.separation?.withoutSandbox || (await library.policy()).execute.isolation !== 'process-group')
    return
  throw new AppError(
    'POLICY_DENIED',
    'execute.isolation is `process-group`: nothing would keep the tools of one user from the files of another',
    { hint: 'set it to `auto`, or start with `--without-sandbox` if every user may see everything' },
  )
}

/** Runs in the background: a server that only searches needs no sandbox. */
async function warnOfIsolation(library: Library, log: Log): Promise<void> {
  try {
    const isolation = await (await openRunner({ library })).isolation()
    if (isolation === 'process-group')
      log.say('warning', 'no sandbox: nothing keeps the tools of one user from the files of another')
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    log.say('warning', 'bubblewrap does not work here: tools that need a process will not run')
  }
}

interface OpenedCallers {
  readonly callers: Callers
  /** Keeps the tools of several users apart. Undefined for a single caller. */
  readonly separation?: UserSeparation
  /** A token made at the start, to be printed once. */
  readonly token?: string
}

async function openCallers(flags: Flags): Promise<OpenedCallers> {
  const { token_file, tokens: path, log, without_sandbox: withoutSandbox } = flags
  if (path === undefined) {
    if (token_file !== undefined) return { callers: oneCaller(readTokenFile(token_file)) }
    if (log === 'json') {
      throw new AppError('INVALID_INPUT', '`log` `json` needs `token_file` or `tokens`', {
        hint: 'a token that is made at the start would be printed into the log',
      })
    }
    const token = makeToken()
    return { callers: oneCaller(token), token }
  }
  if (token_file !== undefined) {
    throw new AppError('INVALID_INPUT', 'expected `token_file` or `tokens`, got both', {
      hint: '`tokens` is for several users, `token_file` for one',
    })
  }
  const read = watchAccessTokens(path)
  // Reports a faulty file at the start, not to the first client.
  await read()
  const hidden = async () => [path, ...(await read()).flatMap(({ projects }) => projects)]
  return { callers: manyCallers(read, () => new Date()), separation: { hidden, withoutSandbox } }
}
