// Finds defaults that no call can use. Metadata keeps a whole number past 2^53 as text, which a schema that
// asks for whole numbers refuses. The author is told, and a caller who left the parameter out is not blamed.
import { isRecord, type JsonObject, type JsonValue, quoteText } from '../../base/index.ts'
import { type AllowedTypes, allowedTypesIn } from './allowed-types.ts'
import { isLargeWhole, NOT_KEPT, WHOLE_RANGE } from './kept-numbers.ts'
import { faultOf, type ParameterFault, pointerNames } from './parameter-faults.ts'
import { DATA, MAPS } from './schema-steps.ts'

const MOST_TOLD = 10

/** What is wrong with the defaults of a schema, for the person who signs the tool. */
export function defaultFaults(schema: unknown): string[] {
  const allowedTypes = allowedTypesIn(schema)
  const faults: string[] = []
  const pending = [{ node: schema, path: '', isMap: false }]
  // Entries added during the loop are visited, too.
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
  return `the default ${quoteText(digits)} at ${quoteText(path || '/')} of the schema cannot be kept exactly, so every call that leaves out the parameter fails: expected ${WHOLE_RANGE}, or a string where the schema allows strings`
}

/**
 * Names that every object inherits. The validator takes such a parameter as given, because it finds the
 * inherited value.
 */
const INHERITED = Object.getOwnPropertyNames(Object.prototype).filter(name => name !== '__proto__')

/** Fills in the defaults of parameters called `constructor` and the like, which the validator would not. */
export function fillInherited(schema: JsonValue, parameters: JsonObject): void {
  const properties = isRecord(schema) ? schema.properties : undefined
  if (!isRecord(properties)) return
  for (const name of INHERITED) {
    if (!Object.hasOwn(properties, name) || Object.hasOwn(parameters, name)) continue
    const property = properties[name]
    if (isRecord(property) && property.default !== undefined)
      parameters[name] = structuredClone(property.default)
  }
}

/**
 * Rewrites the faults of values that `filled` has and `given` lacks as faults of the tool, one for each
 * value.
 */
export function blameDefaults(
  faults: readonly ParameterFault[],
  given: JsonObject,
  filled: JsonObject,
): ParameterFault[] {
  const blamed = new Map<string, ParameterFault>()
  const others: ParameterFault[] = []
  for (const fault of faults) {
    const names = fault.path === '/' ? [] : pointerNames(fault.path.slice(1))
    if (!isFilled(given, filled, names)) others.push(fault)
    else if (!blamed.has(fault.path)) blamed.set(fault.path, blameDefault(fault, valueAt(filled, names)))
  }
  return [...others, ...blamed.values()]
}

function blameDefault({ path, message }: ParameterFault, value: unknown): ParameterFault {
  const reason = isLargeWhole(value) ? NOT_KEPT : message
  return faultOf(path, `the tool's default is wrong, not the call: ${reason}; pass a value, or fix the tool`)
}

/** Whether the path leads into a value that only `filled` has. */
function isFilled(given: unknown, filled: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined || !hasOwn(filled, name)) return false
  return !hasOwn(given, name) || isFilled(given[name], filled[name], rest)
}

function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value
  return hasOwn(value, name) ? valueAt(value[name], rest) : undefined
}

function hasOwn(value: unknown, name: string): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
}
