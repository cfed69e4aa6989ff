// Defaults that no call can use. Metadata keeps a whole number past 2^53 as text, which a schema that asks for whole numbers refuses:
// the author is told, and a caller who left the parameter out is not blamed.
import { isRecord, type JsonObject, quoteText } from '../../base/index.ts'
import { type AllowedTypes, allowedTypesIn } from './allowed-types.ts'
import { isLargeWhole, NOT_KEPT, WHOLE_RANGE } from './kept-numbers.ts'
import { faultOf, type ParameterFault } from './parameter-faults.ts'
import { DATA, MAPS } from './schema-steps.ts'

const MOST_TOLD = 10

/** What is wrong with the defaults of a schema, for whoever signs the tool. */
export function defaultFaults(schema: unknown): string[] {
  const allowedTypes = allowedTypesIn(schema)
  const faults: string[] = []
  const pending = [{ node: schema, path: '', isMap: false }]
  // What is added while it is visited is visited, too.
  for (const { node, path, isMap } of pending) {
    if (typeof node !== 'object' || node === null) continue
    if (isRecord(node) && !isMap && isLargeWhole(node.default) && wantsWhole(allowedTypes(node)))
      faults.push(describeDefault(path, node.default))
    for (const [key, value] of Object.entries(node))
      if (isMap || !DATA.has(key))
        pending.push({ node: value, path: `${path}/${key}`, isMap: !isMap && MAPS.has(key) })
  }
  const more = faults.length - MOST_TOLD
  return more > 0 ? [...faults.slice(0, MOST_TOLD), `and ${more} more such defaults`] : faults
}

function wantsWhole(allowed: AllowedTypes): boolean {
  return allowed?.has('integer') === true && !allowed.has('number') && !allowed.has('string')
}

function describeDefault(path: string, digits: string): string {
  return `the default ${quoteText(digits)} at ${quoteText(path || '/')} of the schema cannot be kept exactly, and each call that leaves the parameter out fails: expected ${WHOLE_RANGE}, or a text where the schema takes texts`
}

/** Faults of the values that `filled` has beyond what was `given`, told as those of the tool: one for each value. */
export function blameDefaults(
  faults: readonly ParameterFault[],
  given: JsonObject,
  filled: JsonObject,
): ParameterFault[] {
  const blamed = new Map<string, ParameterFault>()
  const others: ParameterFault[] = []
  for (const fault of faults) {
    const value = valueAt(filled, fault.path)
    if (value === undefined || valueAt(given, fault.path) !== undefined) others.push(fault)
    else if (!blamed.has(fault.path)) blamed.set(fault.path, blameDefault(fault, value))
  }
  return [...others, ...blamed.values()]
}

function blameDefault({ path, message }: ParameterFault, value: unknown): ParameterFault {
  const reason = isLargeWhole(value) ? NOT_KEPT : message
  return faultOf(
    path,
    `the default of the tool is at fault, not the call: ${reason}; give a value, or correct the tool`,
  )
}

/** By a JSON pointer; `/` is the whole. */
function valueAt(whole: JsonObject, path: string): unknown {
  let found: unknown = whole
  for (const part of path === '/' ? [] : path.slice(1).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[name]
  }
  return found
}
