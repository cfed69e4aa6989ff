// The error of a failed call to another MCP server. The protocol layer says only that something went wrong,
// often just that the connection was closed. The reason is known below it, to the code that started the
// server or connected to it.
import { isAbsolute, relative } from 'node:path'
import { AppError, cutText, escapeHidden, flattenText } from '../../../base/index.ts'
import type { McpServer } from '../../../plan/index.ts'
import type { RefusedHost } from '../../network/sandbox-network.ts'
import type { Bounds, Ending } from '../../process/deadline.ts'
import { findOnPath } from '../../process/find-program.ts'
import { searchPath } from '../../process/search-path.ts'
import { lastLines } from '../last-lines.ts'

/** What went wrong below the protocol layer. */
export interface TransportFaults {
  /** How a server ended, if it has. */
  ending(): string | undefined
  /** The last lines that a stdio server wrote outside of the protocol. */
  evidence(): string
  /** Hosts that a stdio server was refused since the last call. */
  takeRefusedHosts?(): readonly RefusedHost[]
  /** Why the last request was refused or failed. Forgotten once it is read. */
  takeRefusal(): AppError | undefined
}

const REASON_LENGTH = 300
const MESSAGE_LENGTH = 800

type StdioServer = Extract<McpServer, { transport: 'stdio' }>

/** What was called, and for which project. */
export interface Called {
  readonly server: McpServer
  readonly projectPath: string
}

/** `details.stderr` is the evidence, if there is any. */
export function asAppError(thrown: unknown, called: Called, faults: TransportFaults | undefined): AppError {
  const { server } = called
  if (thrown instanceof AppError) return thrown
  const refusal = faults?.takeRefusal()
  if (refusal) return refusal
  const stderr = faults?.evidence() ?? ''
  const said = lastLines(stderr)
  const reason = faults?.ending() ?? (thrown instanceof Error ? thrown.message : String(thrown))
  const fact = `server \`${server.id}\` failed: ${cutText(flattenText(reason), REASON_LENGTH)}`
  const message = `${fact}${said && `; it said: ${said}`}`
  const [unreached] = faults?.takeRefusedHosts?.() ?? []
  const hint = unreached?.reason ?? hintOfUnseen(called, stderr)
  return new AppError('REMOTE_FAILED', cutText(escapeHidden(message, { oneLine: true }), MESSAGE_LENGTH), {
    cause: thrown,
    ...(hint !== undefined && { hint }),
    ...(stderr === '' ? {} : { details: { stderr } }),
  })
}

const NOT_FOUND = /cannot find|not found|no such file|enoent|no module named/i
/** Does not match what a registry or a shell could not find. */
const FILE_NOT_FOUND = /cannot find (?:module|package)|no such file|enoent|no module named/i

/** `./run`, `server.py`, `servers/units`: neither an option nor an address. */
function isRelativePath(arg: string): boolean {
  return /^[^/@-][^:]*$/.test(arg) && /[./]/.test(arg)
}

/**
 * The hint for a path in the server's command that the server reports as missing. Whether it exists is not
 * looked up: not every caller may learn that.
 */
function hintOfUnseen({ server, projectPath }: Called, stderr: string): string | undefined {
  if (server.transport !== 'stdio' || !NOT_FOUND.test(stderr)) return undefined
  const relative = server.args.find(arg => isRelativePath(arg) && stderr.includes(arg))
  if (relative !== undefined) {
    const shown = escapeHidden(relative, { oneLine: true })
    return `a server starts in \`${server.cwd}\`: in its item, a file of the project is \`{project_path}/${shown}\``
  }
  const path = server.args.find(
    arg => isAbsolute(arg) && stderr.includes(arg) && !`${arg}/`.startsWith(`${projectPath}/`),
  )
  if (path === undefined) return hintOfStart(server, projectPath, stderr)
  const shown = escapeHidden(path, { oneLine: true })
  return `if \`${shown}\` exists, the sandbox hides it: add it, or its folder, to \`readable\` under \`[isolation]\` in the user's \`rye.toml\``
}

/**
 * What is missing is usually part of the project: the caller finds it in the current folder, or through the
 * interpreter that is active there.
 */
function hintOfStart(server: StdioServer, projectPath: string, stderr: string): string | undefined {
  if (!FILE_NOT_FOUND.test(stderr)) return undefined
  const { command, env, cwd } = server
  const first = findOnPath(command, env.PATH ?? '')
  if (first !== undefined && first !== findOnPath(command, searchPath(env, projectPath))) {
    const shown = `{project_path}/${escapeHidden(relative(projectPath, first), { oneLine: true })}`
    return `the bare name \`${command}\` does not stand for a program inside the project: to use that one, give its path in the item, \`${shown}\``
  }
  if (cwd !== '/') return undefined
  return 'servers start in `/`: if this one expects files or modules of the project in its current folder, set `cwd: "{project_path}"` in its item, as `rye mcp add --cwd DIR` does'
}

export function endingError(ending: Ending, server: McpServer, bounds: Bounds): AppError {
  return ending === 'timeout'
    ? new AppError(
        'EXECUTION_TIMEOUT',
        `server \`${server.id}\` did not answer within ${bounds.timeoutMs / 1000} s`,
      )
    : new AppError('EXECUTION_CANCELLED', 'the call was cancelled')
}

/** A JSON-RPC error is an answer: nothing is wrong with the connection. */
export function isServersAnswer(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'ProtocolError'
}
