// Metrics in the text format of Prometheus. The values of each label are listed beforehand, and any other
// value counts as `other`: what a client sends cannot make the number of series grow.

type Labels = Readonly<Record<string, string>>

export interface LabelValues {
  readonly [label: string]: readonly string[]
}

export interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  lines(): string[]
}

/** Counts events, by labels. */
export class Counter implements Metric {
  readonly type = 'counter'
  readonly name: string
  readonly help: string
  readonly #labels: LabelValues
  readonly #counts = new Map<string, number>()

  constructor(name: string, help: string, labels: LabelValues) {
    this.name = name
    this.help = help
    this.#labels = labels
  }

  add(labels: Labels): void {
    const key = printLabels(known(this.#labels, labels))
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  lines(): string[] {
    return [...this.#counts].sort().map(([labels, count]) => `${this.name}${labels} ${count}`)
  }
}

/** A current value, read whenever metrics are requested. */
export function gauge(name: string, help: string, read: () => number): Metric {
  return { name, help, type: 'gauge', lines: () => [`${name} ${read()}`] }
}

/** Durations in seconds, by labels. */
export class Histogram implements Metric {
  readonly type = 'histogram'
  readonly name: string
  readonly help: string
  readonly #labels: LabelValues
  readonly #bounds: readonly number[]
  readonly #series = new Map<string, { readonly labels: Labels; readonly counts: number[]; sum: number }>()

  constructor(name: string, help: string, labels: LabelValues, bounds: readonly number[]) {
    this.name = name
    this.help = help
    this.#labels = labels
    this.#bounds = bounds
  }

  observe(given: Labels, value: number): void {
    const labels = known(this.#labels, given)
    const key = printLabels(labels)
    const empty = { labels, counts: new Array<number>(this.#bounds.length + 1).fill(0), sum: 0 }
    const series = this.#series.get(key) ?? empty
    this.#series.set(key, series)
    const at = this.#bounds.findIndex(bound => value <= bound)
    series.counts[at === -1 ? this.#bounds.length : at]! += 1
    series.sum += value
  }

  lines(): string[] {
    return [...this.#series.values()].flatMap(({ labels, counts, sum }) => {
      let total = 0
      const buckets = counts.map((count, at) => {
        total += count
        const le = at === this.#bounds.length ? '+Inf' : String(this.#bounds[at])
        return `${this.name}_bucket${printLabels({ ...labels, le })} ${total}`
      })
      const all = printLabels(labels)
      return [...buckets, `${this.name}_sum${all} ${sum}`, `${this.name}_count${all} ${total}`]
    })
  }
}

export function printMetrics(metrics: readonly Metric[]): string {
  const lines = metrics.flatMap(metric => [
    `# HELP ${metric.name} ${metric.help}`,
    `# TYPE ${metric.name} ${metric.type}`,
    ...metric.lines(),
  ])
  return `${lines.join('\n')}\n`
}

function known(values: LabelValues, labels: Labels): Labels {
  return Object.fromEntries(
    Object.entries(values).map(([label, allowed]) => {
      const value = labels[label] ?? ''
      return [label, allowed.includes(value) ? value : 'other']
    }),
  )
}

function printLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escapeValue(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapeValue(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
