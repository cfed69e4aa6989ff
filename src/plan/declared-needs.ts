// What a tool says it needs, for the person who decides whether to trust it. It is read as a plan would read
// it, but nothing is thrown: a faulty declaration could never run, so its fault is reported instead.
import { AppError, isRecord, type JsonObject, type JsonValue, quoteShellWord } from '../base/index.ts'
import { settingsPaths } from './configuration/config-resolve.ts'
import { configOf } from './configuration/configuration.ts'
import { resolvedIds } from './configuration/item-resolve.ts'
import { declaredPermissions, permissionFault } from './configuration/limits.ts'
import { printValue } from './configuration/template.ts'
import { type DeclaringElement, envConfigOf, secretNames } from './environment/environment.ts'
import { authSecrets, hostOfAddress, isUrlOfCaller } from './invocation/http.ts'
import { readNetwork } from './network/hosts.ts'
import { type SetVariable, setVariables } from './set-variables.ts'

export interface DeclaredNeeds {
  /** What runs it. Absent for a primitive. */
  readonly executor?: string
  /** Hosts; `*` means every public one. */
  readonly network: readonly string[]
  /** Places that it may write to, besides the project. */
  readonly write: readonly string[]
  readonly limits: Readonly<Record<string, number>>
  /** Names of variables that it takes from the project's `.env` or sets itself. */
  readonly variables: readonly string[]
  /** The variables that it sets, with their values as written. */
  readonly sets?: readonly SetVariable[]
  readonly secrets: readonly string[]
  /** Items whose definitions and secrets it is given. */
  readonly items?: readonly string[]
  /** Files of `.ai/config` that it reads. */
  readonly settings?: readonly string[]
  /** Hosts of its requests; the address as written where the host is not spelled out. */
  readonly requests?: readonly string[]
  /** Set when the caller chooses the host of its request. */
  readonly any_host?: true
  /** Set when its requests may reach addresses of this machine and of private networks. */
  readonly private_addresses?: true
  /** The command that starts an MCP server, with its arguments and folder, as written. */
  readonly starts?: string
  /** A command that finds its interpreter. It runs before there is a sandbox. */
  readonly outside?: string
  readonly faults: readonly string[]
}

export function declaredNeeds(tool: DeclaringElement): DeclaredNeeds {
  const { executor_id: executor } = tool.metadata
  const { network, write, limits } = declaredPermissions(tool) ?? {}
  const declared = readNetwork(network)
  const fault = permissionFault(tool)
  const configuration = readConfiguration(tool)
  return {
    ...(typeof executor === 'string' && { executor }),
    network: 'hosts' in declared ? declared.hosts : [],
    write: Array.isArray(write) ? write.filter(path => typeof path === 'string') : [],
    // A tool with a fault never runs.
    limits: fault === undefined && isRecord(limits) ? (limits as Record<string, number>) : {},
    ...configuration,
    faults: [...(fault === undefined ? [] : [fault]), ...configuration.faults],
  }
}

type ReadNeeds = Omit<DeclaredNeeds, 'executor' | 'network' | 'write' | 'limits'>

function readConfiguration(tool: DeclaringElement): ReadNeeds {
  try {
    const { dotenv, interpreter } = envConfigOf(tool)
    const named = Array.isArray(dotenv) ? dotenv.filter(name => typeof name === 'string') : []
    const sets = setVariables(tool)
    const settings = [...new Set(settingsPaths(tool))]
    const requests = requestsOf(tool)
    const hosts = requests.flatMap(({ url }) =>
      typeof url === 'string' && !isUrlOfCaller(url, tool) ? [hostOfAddress(url)] : [],
    )
    const items = resolvedIds(tool)
    const outside = findingCommand(interpreter)
    const starts = startOfServer(tool)
    return {
      variables: [...new Set([...named, ...sets.map(({ name }) => name)])],
      ...(sets.length > 0 && { sets }),
      secrets: [...new Set([...secretNames(tool), ...requests.flatMap(({ auth }) => authSecrets(auth))])],
      ...(items.length > 0 && { items }),
      ...(settings.length > 0 && { settings }),
      ...(hosts.length > 0 && { requests: hosts }),
      ...(requests.some(({ url }) => isUrlOfCaller(url, tool)) && { any_host: true }),
      ...(requests.some(request => request.allow_private === true) && { private_addresses: true }),
      ...(starts !== undefined && { starts }),
      ...(outside !== undefined && { outside }),
      faults: [],
    }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { variables: [], secrets: [], faults: [thrown.message] }
  }
}

/** The places that may describe a request: a runtime adds its `inline` part to tools that are data. */
function requestsOf(tool: DeclaringElement): JsonObject[] {
  const config = configOf(tool)
  return isRecord(config.inline) ? [config, config.inline as JsonObject] : [config] // inside metadata, so JSON
}

function startOfServer(tool: DeclaringElement): string | undefined {
  const { command, args, cwd } = configOf(tool)
  if (tool.metadata.tool_type !== 'mcp_server' || command === undefined) return undefined
  const words = [command, ...[args ?? []].flat()].map(word => quoteShellWord(printValue(word)))
  return [...words, ...(cwd === undefined ? [] : ['in', quoteShellWord(printValue(cwd))])].join(' ')
}

function findingCommand(interpreter: unknown): string | undefined {
  if (!isRecord(interpreter) || interpreter.type !== 'command') return undefined
  return [interpreter.resolve_cmd as JsonValue].flat().map(printValue).join(' ') // inside metadata, so JSON
}
