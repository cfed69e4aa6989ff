// Prepares a tool's schema for the compiler: a plain object of bounded size, without references to anything
// outside it.
import {
  AppError,
  describeType,
  isRecord,
  type JsonObject,
  type JsonValue,
  quoteText,
} from '../../base/index.ts'
import { type AllowedTypes, allowedTypesIn } from './allowed-types.ts'
import { isLargeWhole } from './kept-numbers.ts'

const MAX_NODES = 10_000
/** Keywords whose values are data, not schemas. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples'])
const NUMBER_BOUNDS: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
])
const REFERENCES: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef'])

export interface PreparedSchema {
  readonly schema: JsonObject
  readonly draft: 'current' | 'draft7'
}

export function prepareSchema(itemId: string, declared: JsonValue): PreparedSchema {
  if (!isRecord(declared)) throw invalid(itemId, `expected an object, got ${describeType(declared)}`)
  const version = typeof declared.$schema === 'string' ? declared.$schema : ''
  // A plain copy: metadata has no prototype, and the compiler expects one. Metadata holds JSON values only.
  const schema = JSON.parse(JSON.stringify(declared)) as JsonObject
  const { usesTuples } = adapt(itemId, schema)
  // `$schema` and `$id` name documents, and all references are local. `$async` would make the validator
  // return a promise.
  for (const key of ['$schema', '$id', 'id', '$async']) delete schema[key]
  const isOld = /draft-0[3-7]/.test(version) || (version === '' && usesTuples)
  return { schema, draft: isOld ? 'draft7' : 'current' }
}

function adapt(itemId: string, schema: JsonObject): { usesTuples: boolean } {
  let nodes = 0
  let usesTuples = false
  const allowedTypes = allowedTypesIn(schema)
  const pending: unknown[] = [schema]
  while (pending.length > 0) {
    const node = pending.pop()
    if (++nodes > MAX_NODES) throw invalid(itemId, `expected at most ${MAX_NODES} values`)
    if (Array.isArray(node)) pending.push(...node)
    if (!isRecord(node)) continue
    for (const [key, value] of Object.entries(node)) {
      if (REFERENCES.has(key) && typeof value === 'string' && !value.startsWith('#')) {
        throw invalid(itemId, `\`${key}\` to ${quoteText(value)} points outside of the schema`)
      }
      if (key === 'items' && Array.isArray(value)) usesTuples = true
      // Metadata keeps an integer above 2^53 as text. As a bound it may be rounded, like the numbers it
      // bounds.
      if (NUMBER_BOUNDS.has(key) && typeof value === 'string' && /^-?\d{16,}$/.test(value))
        node[key] = Number(value)
      // So may a default where any number is accepted.
      if (key === 'default' && isRoundable(value) && isNumeric(allowedTypes(node))) node[key] = Number(value)
      if (!DATA_KEYWORDS.has(key)) pending.push(value)
    }
  }
  return { usesTuples }
}

/** False past 1.8e308, where it would become infinite. */
function isRoundable(value: unknown): value is string {
  return isLargeWhole(value) && Number.isFinite(Number(value))
}

function isNumeric(allowed: AllowedTypes): boolean {
  return allowed?.has('number') === true && !allowed.has('string')
}

function invalid(itemId: string, problem: string): AppError {
  return new AppError('CHAIN_INVALID', `the parameter schema of \`${itemId}\` is invalid: ${problem}`)
}
