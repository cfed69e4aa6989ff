// How long a run may take, whether it may run more than once at a time, and what it may touch: declared by
// the tool, bounded here.
import { isAbsolute, join } from 'node:path'
import { AppError, isRecord, type JsonObject, type JsonValue, quoteText } from '../../base/index.ts'
import { expandSettings, readNetwork } from '../network/hosts.ts'
import type { Permissions, VerifiedTool } from '../types.ts'
import { configOf, declaredIn } from './configuration.ts'

const DEFAULT_TIMEOUT_MS = 120_000
const MAX_TIMEOUT_MS = 24 * 3_600_000

/** The caller's limit, or the first declared one (in seconds), or two minutes; never more than a day. */
export function readTimeout(callerMs: number | null, declared: readonly (JsonValue | undefined)[]): number {
  const seconds = declared.find(value => value !== undefined && value !== null)
  const timeout = callerMs ?? (seconds === undefined ? DEFAULT_TIMEOUT_MS : Number(seconds) * 1000)
  const isNumber = seconds === undefined || typeof seconds === 'number' || callerMs !== null
  if (!isNumber || !(timeout > 0)) {
    throw new AppError(
      'CONFIG_INVALID',
      `expected a timeout in seconds above 0, got ${quoteText(callerMs ?? seconds)}`,
    )
  }
  return Math.min(timeout, MAX_TIMEOUT_MS)
}

export function readConcurrency(tool: VerifiedTool): 'shared' | 'exclusive' {
  const declared = declaredIn(tool, 'concurrency') ?? configOf(tool).concurrency ?? 'shared'
  if (declared === 'shared' || declared === 'exclusive') return declared
  throw new AppError(
    'CONFIG_INVALID',
    `\`${tool.id}\`: expected concurrency shared or exclusive, got ${quoteText(declared)}`,
  )
}

/**
 * `values` holds what signed files decide, since a setting may name a host. The network is closed except for
 * the named hosts.
 */
export function readPermissions(
  tool: Declaring & Pick<VerifiedTool, 'id'>,
  projectPath: string,
  values: JsonObject = {},
): Permissions {
  const { network, write = [], limits } = declaredPermissions(tool) ?? {}
  const fault = permissionFault(tool)
  if (fault !== undefined) throw new AppError('CONFIG_INVALID', `\`${tool.id}\`: ${fault}`)
  const declared = readNetwork(network)
  const hosts = 'hosts' in declared ? expandSettings(declared.hosts, values) : []
  // Checked by `permissionFault`.
  const paths = (write as string[]).map(path => (isAbsolute(path) ? path : join(projectPath, path)))
  return { network: hosts, write: paths, ...(limits ? { limits: limits as Permissions['limits'] } : {}) }
}

/** What is wrong with the permissions that an item declares, if anything. */
export function permissionFault(tool: Declaring): string | undefined {
  const { network, write = [], limits } = declaredPermissions(tool) ?? {}
  const declared = readNetwork(network)
  if ('fault' in declared) return declared.fault
  if (!Array.isArray(write) || !write.every(path => typeof path === 'string')) {
    return '`permissions.write` must be a list of paths'
  }
  if (!isLimits(limits)) {
    return `\`permissions.limits\` must be whole numbers above 0 for ${LIMITS.join(', ')}`
  }
  return undefined
}

type Declaring = Pick<VerifiedTool, 'extension' | 'metadata'>

/** A program declares them in its `config`, a data item also at its top; both places count. */
export function declaredPermissions(item: Declaring): Record<string, unknown> | undefined {
  const { config } = item.metadata
  const places: unknown[] = [
    declaredIn(item, 'permissions'),
    isRecord(config) ? config.permissions : undefined,
  ]
  const [first, second] = places.filter(isRecord)
  if (first === undefined || second === undefined) return first
  const both: Record<string, unknown> = { ...second, ...first }
  for (const name of ['network', 'write']) {
    const [one, other] = [first[name], second[name]]
    if (Array.isArray(one) && Array.isArray(other)) both[name] = [...one, ...other]
  }
  return both
}

/** What two items declare together. Where both set the same limit, that of `one` wins. */
export function joinPermissions(one: Permissions, other: Permissions): Permissions {
  const limits = { ...other.limits, ...one.limits }
  return {
    network: [...new Set([...one.network, ...other.network])],
    write: [...new Set([...one.write, ...other.write])],
    ...(Object.keys(limits).length > 0 && { limits }),
  }
}

const LIMITS = ['memory_mb', 'processes', 'file_mb']

function isLimits(value: unknown): value is Permissions['limits'] {
  if (value === undefined) return true
  const isFine = ([name, most]: [string, unknown]) =>
    LIMITS.includes(name) && Number.isSafeInteger(most) && Number(most) > 0
  return isRecord(value) && Object.entries(value).every(isFine)
}
