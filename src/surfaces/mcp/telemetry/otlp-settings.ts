// Where traces go, from the environment variables that OpenTelemetry defines. Without an address nothing is
// sent anywhere.

type Environment = Readonly<Record<string, string | undefined>>

export type Sampler = (trace: {
  readonly traceId: string
  readonly parentSampled: boolean | undefined
}) => boolean

export interface OtlpSettings {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /**
   * How long spans are gathered before they are sent, how many are kept, and how many go into one request.
   */
  readonly delayMs: number
  readonly queueSize: number
  readonly batchSize: number
  readonly resource: Readonly<Record<string, string>>
  readonly sampler: Sampler
}

/** `settings` is undefined when traces are not wanted; `problem` is set when they are, but cannot be sent. */
export function readOtlpSettings(environment: Environment): {
  readonly settings?: OtlpSettings
  readonly problem?: string
} {
  const get = (name: string) =>
    environment[`OTEL_EXPORTER_OTLP_TRACES_${name}`] || environment[`OTEL_EXPORTER_OTLP_${name}`]
  const exporter = (environment.OTEL_TRACES_EXPORTER ?? 'otlp').trim()
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || exporter === 'none') return {}
  const address = readAddress(environment)
  if (address === undefined) return {}
  if (exporter !== '' && exporter !== 'otlp') {
    return { problem: 'OTEL_TRACES_EXPORTER: expected `otlp` or `none`; no traces are sent' }
  }
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    return { problem: 'OTEL_EXPORTER_OTLP_ENDPOINT: expected an http or https address; no traces are sent' }
  }
  const protocol = get('PROTOCOL') ?? 'http/json'
  if (!protocol.startsWith('http/')) {
    return { problem: 'OTEL_EXPORTER_OTLP_PROTOCOL: expected `http/json`; no traces are sent' }
  }
  const headers = readPairs(get('HEADERS'))
  const resource = {
    ...readPairs(environment.OTEL_RESOURCE_ATTRIBUTES),
    ...(environment.OTEL_SERVICE_NAME && { 'service.name': environment.OTEL_SERVICE_NAME }),
  }
  return {
    settings: {
      url: address,
      headers,
      timeoutMs: readCount(get('TIMEOUT'), 10_000),
      delayMs: readCount(environment.OTEL_BSP_SCHEDULE_DELAY, 5000),
      queueSize: readCount(environment.OTEL_BSP_MAX_QUEUE_SIZE, 2048),
      batchSize: readCount(environment.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, 512),
      resource: { 'service.name': 'rye', ...resource },
      sampler: readSampler(environment.OTEL_TRACES_SAMPLER, environment.OTEL_TRACES_SAMPLER_ARG),
    },
  }
}

/**
 * The variable for traces holds the full address; the general one holds a base, to which the path for traces
 * is added.
 */
function readAddress(environment: Environment): string | undefined {
  const own = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  if (own) return own
  const all = environment.OTEL_EXPORTER_OTLP_ENDPOINT
  return all ? `${all.replace(/\/+$/, '')}/v1/traces` : undefined
}

/** Reads `name=value,name=value`, with names and values percent-encoded. */
function readPairs(text: string | undefined): Record<string, string> {
  const pairs = (text ?? '').split(',').flatMap(pair => {
    const at = pair.indexOf('=')
    if (at < 1) return []
    return [[decode(pair.slice(0, at)), decode(pair.slice(at + 1))] as const]
  })
  return Object.fromEntries(pairs)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.trim())
  } catch {
    return text.trim()
  }
}

function readCount(text: string | undefined, otherwise: number): number {
  const number = Number(text)
  return text !== undefined && text.trim() !== '' && Number.isInteger(number) && number > 0
    ? number
    : otherwise
}

function readSampler(name = 'parentbased_always_on', argument: string | undefined): Sampler {
  const share = Number(argument ?? 1)
  const ratio = share >= 0 && share <= 1 ? share : 1
  // The lowest 56 bits of a trace id are random, whoever made it.
  const byRatio: Sampler = ({ traceId }) => Number.parseInt(traceId.slice(-14), 16) < ratio * 2 ** 56
  const samplers: Readonly<Record<string, Sampler>> = {
    always_on: () => true,
    always_off: () => false,
    traceidratio: byRatio,
  }
  const own = samplers[name.replace(/^parentbased_/, '')] ?? (() => true)
  return name.startsWith('parentbased_') ? trace => trace.parentSampled ?? own(trace) : own
}
