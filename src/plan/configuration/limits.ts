// How long a run may take, whether it may run more than once at a time, and what it may touch: declared by the tool, bounded here.
import { isAbsolute, join } from 'node:path'
import { AppError, isRecord, type JsonValue } from '../../base/index.ts'
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
      `expected a timeout in seconds above 0, got \`${String(callerMs ?? seconds)}\``,
    )
  }
  return Math.min(timeout, MAX_TIMEOUT_MS)
}

export function readConcurrency(tool: VerifiedTool): 'shared' | 'exclusive' {
  const declared = declaredIn(tool, 'concurrency') ?? configOf(tool).concurrency ?? 'shared'
  if (declared === 'shared' || declared === 'exclusive') return declared
  throw new AppError(
    'CONFIG_INVALID',
    `\`${tool.id}\`: expected concurrency shared or exclusive, got \`${String(declared)}\``,
  )
}

/** The network is open unless the tool closes it: most tools declare nothing, and without a sandbox it could not be closed. */
export function readPermissions(tool: VerifiedTool, projectPath: string): Permissions {
  const declared = [declaredIn(tool, 'permissions'), configOf(tool).permissions].find(isRecord)
  const { network = true, write = [], limits } = (declared ?? {}) as Record<string, unknown> // checked by `find`
  if (typeof network !== 'boolean') throw invalid(tool, '`permissions.network` must be true or false')
  if (!Array.isArray(write) || !write.every(path => typeof path === 'string')) {
    throw invalid(tool, '`permissions.write` must be a list of paths')
  }
  if (!isLimits(limits)) {
    throw invalid(tool, `\`permissions.limits\` must be whole numbers above 0 for ${LIMITS.join(', ')}`)
  }
  const paths = write.map(path => (isAbsolute(path) ? path : join(projectPath, path)))
  return { network, write: paths, ...(limits && { limits }) }
}

const LIMITS = ['memory_mb', 'processes', 'file_mb']

function isLimits(value: unknown): value is Permissions['limits'] {
  if (value === undefined) return true
  const isFine = ([name, most]: [string, unknown]) =>
    LIMITS.includes(name) && Number.isSafeInteger(most) && Number(most) > 0
  return isRecord(value) && Object.entries(value).every(isFine)
}

function invalid(tool: VerifiedTool, problem: string): AppError {
  return new AppError('CONFIG_INVALID', `\`${tool.id}\`: ${problem}`)
}
