// Limits what checking parameters may cost. A schema of a few lines can refer to itself so often that a check
// never ends, and nothing can tell beforehand, so steps are counted during the check. Only references can
// make a check repeat work, so only they are counted: by the size of the target, and of the value that it is
// applied to.
import { isRecord, type JsonObject } from '../../base/index.ts'
import { allowedTypesIn } from './allowed-types.ts'
import { markWhole } from './kept-numbers.ts'
import { findTarget, targetOf } from './schema-reference.ts'

/** Added beside each reference, with the size of its target. */
export const STEPS_KEYWORD = 'x-rye-steps'

/** A fraction of a second, and more if the parameters themselves are large. */
const MOST_STEPS = 2_000_000
const STEPS_PER_VALUE = 200
/**
 * For a check that goes on after the first fault: it copies all faults at each reference that fails, so its
 * cost grows with the square of their number.
 */
const MOST_STEPS_TO_ALL_FAULTS = 50_000

/** Thrown from inside a check. */
export class TooManySteps extends Error {
  override readonly name = 'TooManySteps'
}

/** The steps of one check. */
export class StepCounter {
  readonly #most: number
  #steps = 0

  private constructor(most: number) {
    this.#most = most
  }

  static forFirstFault(parameters: JsonObject): StepCounter {
    return new StepCounter(MOST_STEPS + STEPS_PER_VALUE * countValues(parameters))
  }

  static forAllFaults(): StepCounter {
    return new StepCounter(MOST_STEPS_TO_ALL_FAULTS)
  }

  count(size: number, value: unknown): void {
    const values = Array.isArray(value) ? value.length : isRecord(value) ? Object.keys(value).length : 0
    // The author may have written this keyword with any value. It counts for at least one step, so it cannot
    // lower the count.
    this.#steps += Math.max(1, size) * (1 + values)
    if (this.#steps > this.#most) throw new TooManySteps(`expected at most ${this.#most} steps, got more`)
  }
}

/**
 * `MAPS`: keywords whose values map names to schemas. `DATA`: keywords whose values are data that must stay
 * as they are.
 */
export const MAPS: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'],
])
export const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default'])

/**
 * Marks a schema in place: writes the size of the target beside each reference, and marks what asks for whole
 * numbers.
 */
export function markSchema(schema: JsonObject): void {
  const whole = countValues(schema)
  const allowedTypes = allowedTypesIn(schema)
  const sizes = new Map<unknown, number>()
  const seen = { schemas: new Set<unknown>(), maps: new Set<unknown>() }
  /** A reference is resolved from the nearest part with an id of its own; here each such part is tried. */
  const bases: unknown[] = [schema]
  const references: JsonObject[] = []
  const pending: { node: unknown; isMap: boolean }[] = [{ node: schema, isMap: false }]
  const walk = () => {
    for (let next = pending.pop(); next; next = pending.pop()) {
      const { node, isMap } = next
      if (Array.isArray(node)) for (const entry of node) pending.push({ node: entry, isMap: false })
      const known = isMap ? seen.maps : seen.schemas
      if (!isRecord(node) || known.has(node)) continue
      known.add(node)
      if (!isMap) markWhole(node, allowedTypes(node))
      if (!isMap && targetOf(node) !== undefined) references.push(node as JsonObject)
      if (!isMap && (typeof node.$id === 'string' || typeof node.id === 'string')) bases.push(node)
      for (const [key, value] of Object.entries(node))
        if (isMap || !DATA.has(key)) pending.push({ node: value, isMap: !isMap && MAPS.has(key) })
    }
  }
  walk()
  for (let at = 0; at < references.length; at++) {
    const reference = references[at]!
    const found = bases.flatMap(base => findTarget(base, targetOf(reference)!) ?? [])
    for (const one of found) {
      if (!sizes.has(one)) sizes.set(one, countValues(one))
      // The target of a reference is a schema, wherever it stands.
      pending.push({ node: one, isMap: false })
    }
    walk()
    reference[STEPS_KEYWORD] = Math.max(...(found.length > 0 ? found.map(one => sizes.get(one)!) : [whole]))
  }
}

function countValues(value: unknown): number {
  let count = 0
  const pending = [value]
  while (pending.length > 0) {
    const node = pending.pop()
    count++
    if (Array.isArray(node) || isRecord(node)) for (const entry of Object.values(node)) pending.push(entry)
  }
  return count
}
