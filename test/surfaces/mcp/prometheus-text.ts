// A strict reader of the Prometheus text format, version 0.0.4, to check the server's output.

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/

/** Throws for anything that a scraper would refuse. */
export function parsePrometheus(text: string): Sample[] {
  if (!text.endsWith('\n')) throw new Error('expected a line feed at the end')
  const types = new Map<string, string>()
  const seen = new Set<string>()
  const samples = text
    .slice(0, -1)
    .split('\n')
    .flatMap((line): Sample[] => {
      const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line)
      if (comment?.[1] === 'TYPE') {
        if (types.has(comment[2]!)) throw new Error(`two types: ${line}`)
        if (!['counter', 'gauge', 'histogram'].includes(comment[3]!)) throw new Error(`no type: ${line}`)
        types.set(comment[2]!, comment[3]!)
      }
      if (comment) return []
      const sample = readSample(line)
      const family = types.has(sample.name) ? sample.name : sample.name.replace(/_(bucket|sum|count)$/, '')
      if (!types.has(family)) throw new Error(`no type before ${line}`)
      const key = line.slice(0, line.lastIndexOf(' '))
      if (seen.has(key)) throw new Error(`twice: ${key}`)
      seen.add(key)
      return [sample]
    })
  for (const [name, type] of types) if (type === 'histogram') checkHistogram(name, samples)
  return samples
}

function readSample(line: string): Sample {
  const found = /^([^\s{]+)(?:\{(.*)\})? (\S+)$/.exec(line)
  if (!found || !NAME.test(found[1]!)) throw new Error(`no sample: ${line}`)
  const labels: Record<string, string> = {}
  let rest = found[2] ?? ''
  while (rest !== '') {
    const pair = /^([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,(?=.)|$)/.exec(rest)
    if (!pair) throw new Error(`no label: ${rest}`)
    labels[pair[1]!] = pair[2]!
    rest = rest.slice(pair[0].length)
  }
  const value = Number(found[3])
  if (Number.isNaN(value)) throw new Error(`no number: ${line}`)
  return { name: found[1]!, labels, value }
}

function checkHistogram(name: string, samples: readonly Sample[]): void {
  const counts = samples.filter(sample => sample.name === `${name}_count`)
  for (const { labels, value } of counts) {
    const same = ({ le: _, ...others }: Readonly<Record<string, string>>) =>
      JSON.stringify(others) === JSON.stringify(labels)
    const buckets = samples.filter(sample => sample.name === `${name}_bucket` && same(sample.labels))
    if (buckets.at(-1)?.labels.le !== '+Inf' || buckets.at(-1)?.value !== value)
      throw new Error(`no +Inf: ${name}`)
    if (buckets.some((bucket, at) => at > 0 && bucket.value < buckets[at - 1]!.value))
      throw new Error('falls')
  }
}
