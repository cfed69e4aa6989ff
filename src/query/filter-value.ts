// A metadata value of an item, prepared for filters. What they compare is computed once: a search may have a
// hundred filter values.
import { compareVersions, parseVersion, type Version } from '../item/index.ts'
import { type Moment, parseMoment } from './date.ts'

/** The smallest and the largest of several entries. These two decide every comparison. */
export interface Extremes<T> {
  readonly least: T
  readonly greatest: T
}

export class FilterValue {
  readonly #texts: readonly string[]
  readonly #folded: ReadonlySet<string>
  #versions: { readonly found: Extremes<Version> | undefined } | undefined
  #moments: { readonly found: Extremes<Moment> | undefined } | undefined

  constructor(value: unknown) {
    this.#texts = (Array.isArray(value) ? value : [value]).flatMap(scalarText)
    this.#folded = new Set(this.#texts.map(text => text.toLowerCase()))
  }

  /** Whether the value is `text`, or is a list that contains it. `text` must be in lower case. */
  has(text: string): boolean {
    return this.#folded.has(text)
  }

  /** The extremes of the entries that are versions; undefined when there are none. */
  versions(): Extremes<Version> | undefined {
    this.#versions ??= { found: extremes(this.#texts.map(parseVersion), compareVersions) }
    return this.#versions.found
  }

  /**
   * The extremes of the entries that are dates, ordered by when they begin; undefined when there are none.
   */
  moments(): Extremes<Moment> | undefined {
    this.#moments ??= { found: extremes(this.#texts.map(parseMoment), (a, b) => a.first - b.first) }
    return this.#moments.found
  }
}

function extremes<T>(
  entries: readonly (T | undefined)[],
  compare: (a: T, b: T) => number,
): Extremes<T> | undefined {
  const sorted = entries.filter(entry => entry !== undefined).sort(compare)
  const [least, greatest] = [sorted[0], sorted.at(-1)]
  return least === undefined || greatest === undefined ? undefined : { least, greatest }
}

function scalarText(value: unknown): string[] {
  if (typeof value === 'string') return [value.trim()]
  return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : []
}
