// The output of a failed tool names the private copy that it ran from, but its author knows the original. So
// the paths of the original are put into messages, tracebacks and all other evidence.
import { pathToFileURL } from 'node:url'
import { AppError, isRecord, type JsonValue } from '../../base/index.ts'
import type { CopyOrigin } from '../../plan/index.ts'
import type { PrimitiveOutcome } from './primitive.ts'

/** Success is passed on unchanged: a tool's data is not ours to change. */
export function withOriginalPaths(
  outcome: PrimitiveOutcome,
  origin: CopyOrigin | undefined,
): PrimitiveOutcome {
  if (origin === undefined || outcome.status === 'success') return outcome
  const rename = renamer(origin)
  const { code, message, hint, details } = outcome.error
  return {
    ...outcome,
    error: new AppError(code, rename(message), { hint, details }),
    data: renameAll(outcome.data, rename),
  }
}

function renamer({ copy, original }: CopyOrigin): (text: string) => string {
  const urls = [pathToFileURL(copy).href, pathToFileURL(original).href] as const
  return text => text.replaceAll(urls[0], urls[1]).replaceAll(copy, original)
}

function renameAll(value: JsonValue, rename: (text: string) => string): JsonValue {
  if (typeof value === 'string') return rename(value)
  if (Array.isArray(value)) return value.map(entry => renameAll(entry, rename))
  if (!isRecord(value)) return value
  // Made from entries, so that `__proto__` is a name like any other.
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, renameAll(entry, rename)]))
}
