// What a tool says that it needs, read before anybody trusts it, for the person who decides. It is read as a plan would read it, and
// nothing is thrown: a declaration with a fault is none that would run, and its fault is told.
import { AppError, isRecord, type JsonObject } from '../base/index.ts'
import { declaredPermissions, permissionFault } from './configuration/limits.ts'
import { type DeclaringElement, envConfigOf, secretNames } from './environment/environment.ts'
import { readNetwork } from './network/hosts.ts'

export interface DeclaredNeeds {
  /** What runs it; a primitive has none. */
  readonly executor?: string
  /** Hosts; `*` is every public one. */
  readonly network: readonly string[]
  /** Places besides the project. */
  readonly write: readonly string[]
  readonly limits: Readonly<Record<string, number>>
  /** Names of variables that it takes from the project's `.env` or sets itself. */
  readonly variables: readonly string[]
  readonly secrets: readonly string[]
  readonly faults: readonly string[]
}

export function declaredNeeds(tool: DeclaringElement): DeclaredNeeds {
  const { executor_id: executor } = tool.metadata
  const { network, write, limits } = declaredPermissions(tool) ?? {}
  const declared = readNetwork(network)
  const fault = permissionFault(tool)
  const environment = readEnvironment(tool)
  return {
    ...(typeof executor === 'string' && { executor }),
    network: 'hosts' in declared ? declared.hosts : [],
    write: Array.isArray(write) ? write.filter(path => typeof path === 'string') : [],
    // With a fault, nothing runs.
    limits: fault === undefined && isRecord(limits) ? (limits as Record<string, number>) : {},
    ...environment,
    faults: [...(fault === undefined ? [] : [fault]), ...environment.faults],
  }
}

function readEnvironment(tool: DeclaringElement): Pick<DeclaredNeeds, 'variables' | 'secrets' | 'faults'> {
  try {
    const { dotenv, env } = envConfigOf(tool)
    const named = Array.isArray(dotenv) ? dotenv.filter(name => typeof name === 'string') : []
    const set = isRecord(env) ? Object.keys(env as JsonObject) : []
    return { variables: [...new Set([...named, ...set])], secrets: secretNames(tool), faults: [] }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { variables: [], secrets: [], faults: [thrown.message] }
  }
}
