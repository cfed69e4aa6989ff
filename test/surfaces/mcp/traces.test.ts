// Traces: what the environment asks for, and what a real collector gets, or does not take.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readOtlpSettings } from '../../../src/surfaces/mcp/telemetry/otlp-settings.ts'
import { newTraceId, parseTraceparent } from '../../../src/surfaces/mcp/telemetry/trace-context.ts'
import { openTraces } from '../../../src/surfaces/mcp/telemetry/traces.ts'
import { until } from '../../fixtures/patience.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'

interface Received {
  readonly url: string | undefined
  readonly headers: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the members that it reads
  readonly body: any
}

async function collector(statuses: readonly number[] = []) {
  const received: Received[] = []
  const server: Server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    received.push({ url: request.url, headers: request.headers, body: JSON.parse(text) })
    response.writeHead(statuses[received.length - 1] ?? 200).end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const call = (more: object = {}) => ({
  ...{ tool: 'search', outcome: 'success', durationMs: 12.5, startedAt: 1_700_000_000_000 },
  ...{ project: '/srv/shop', user: 'ada', traceparent: `00-${TRACE}-${PARENT}-01` },
  ...more,
})

describe('a collector', () => {
  it('gets one span for each call, in the trace of its client', async () => {
    const { received, url } = await collector()
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=s%3Decret,x=1',
      OTEL_SERVICE_NAME: 'team-rye',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=test',
    }
    const traces = openTraces(environment, '1.2.3', () => {})
    expect(traces.record(call())).toBe(TRACE)
    traces.record(call({ traceparent: undefined, outcome: 'ITEM_UNSIGNED', user: undefined }))
    await traces.close()
    expect(received).toHaveLength(1)
    const [{ url: path, headers, body }] = received as [Received]
    expect([path, headers['content-type'], headers['api-key'], headers.x]).toEqual([
      ...['/v1/traces', 'application/json', 's=ecret', '1'],
    ])
    const [{ resource, scopeSpans }] = body.resourceSpans
    expect(resource.attributes).toEqual([
      { key: 'service.name', value: { stringValue: 'team-rye' } },
      { key: 'deployment.environment.name', value: { stringValue: 'test' } },
    ])
    expect(scopeSpans[0].scope).toEqual({ name: 'rye', version: '1.2.3' })
    const [first, second] = scopeSpans[0].spans
    expect(first).toEqual({
      traceId: TRACE,
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      parentSpanId: PARENT,
      name: 'tools/call search',
      kind: 2,
      startTimeUnixNano: '1700000000000000000',
      endTimeUnixNano: '1700000000012500000',
      attributes: [
        { key: 'mcp.method.name', value: { stringValue: 'tools/call' } },
        { key: 'gen_ai.tool.name', value: { stringValue: 'search' } },
        { key: 'rye.outcome', value: { stringValue: 'success' } },
        { key: 'enduser.id', value: { stringValue: 'ada' } },
      ],
    })
    expect(second).toMatchObject({ traceId: expect.stringMatching(/^[0-9a-f]{32}$/), status: { code: 2 } })
    expect(second).not.toHaveProperty('parentSpanId')
  })

  it('that is busy is asked again; one that refuses is told of once, and nothing waits for it', async () => {
    const { received, url } = await collector([503, 200, 400, 400])
    const problems: string[] = []
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1' }
    const traces = openTraces(environment, '1', problem => problems.push(problem))
    for (let count = 0; count < 3; count++) traces.record(call())
    await until(() => received.length >= 4)
    expect(received).toHaveLength(4)
    await traces.close()
    expect(problems).toEqual(['the collector does not accept traces: status 400'])
    expect(traces.dropped()).toBe(2)
  })

  it('that hangs is left after a few seconds when the server ends, with every span counted as dropped', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const server = createServer(() => {})
    const arrived = once(server, 'request')
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const problems: string[] = []
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '2',
    }
    const traces = openTraces(environment, '1', problem => problems.push(problem))
    for (let count = 0; count < 5; count++) traces.record(call())
    await arrived
    const closed = traces.close()
    await vi.advanceTimersByTimeAsync(3000)
    await closed
    expect(problems).toEqual(['the collector does not accept traces: TimeoutError'])
    expect(traces.dropped()).toBe(5)
  })

  it('that is not there costs a bounded queue, and no call', async () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_BSP_MAX_QUEUE_SIZE: '10',
    }
    const problems: string[] = []
    const traces = openTraces(environment, '1', problem => problems.push(problem))
    for (let count = 0; count < 100; count++) traces.record(call())
    expect(traces.dropped()).toBe(90)
    await traces.close()
    expect(traces.dropped()).toBe(100)
    expect(problems).toHaveLength(1)
    expect(problems[0]).not.toContain('127.0.0.1')
  })
})

describe('the environment', () => {
  const on = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }

  it.each([
    ['nothing', {}],
    ['OTEL_SDK_DISABLED', { ...on, OTEL_SDK_DISABLED: 'true' }],
    ['no exporter', { ...on, OTEL_TRACES_EXPORTER: 'none' }],
    ['an exporter without an address', { OTEL_TRACES_EXPORTER: 'otlp' }],
  ])('with %s asks for no traces', (_title, environment) => {
    expect(readOtlpSettings(environment)).toEqual({})
  })

  it.each([
    ['grpc', { ...on, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }],
    ['another exporter', { ...on, OTEL_TRACES_EXPORTER: 'zipkin' }],
    ['no address', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }],
  ])('with %s is told as a problem', (_title, environment) => {
    const { settings, problem } = readOtlpSettings(environment)
    expect(settings).toBeUndefined()
    expect(problem).toContain('expected')
  })

  it('has an address, headers and a time for traces alone', () => {
    const { settings } = readOtlpSettings({
      ...{ ...on, OTEL_EXPORTER_OTLP_HEADERS: 'a=1', OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'b=2' },
      ...{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces/x', OTEL_EXPORTER_OTLP_TIMEOUT: '-1' },
    })
    expect(settings).toMatchObject({ url: 'http://traces/x', headers: { b: '2' }, timeoutMs: 10_000 })
  })

  it.each<[string | undefined, string | undefined, boolean | undefined, boolean]>([
    [undefined, undefined, undefined, true],
    [undefined, undefined, false, false],
    ['always_on', undefined, false, true],
    ['always_off', undefined, true, false],
    ['parentbased_always_off', undefined, undefined, false],
    ['parentbased_always_off', undefined, true, true],
    ['traceidratio', '0', undefined, false],
    ['traceidratio', '1', undefined, true],
    ['parentbased_traceidratio', '0', true, true],
  ])('with the sampler %s %s and a parent of %s', (name, argument, parentSampled, sampled) => {
    const { settings } = readOtlpSettings({
      ...on,
      OTEL_TRACES_SAMPLER: name,
      OTEL_TRACES_SAMPLER_ARG: argument,
    })
    expect(settings!.sampler({ traceId: newTraceId(), parentSampled })).toBe(sampled)
  })
})

it.each([
  [`00-${TRACE}-${PARENT}-01`, true],
  [`00-${TRACE}-${PARENT}-00`, false],
  [`01-${TRACE}-${PARENT}-01-more`, true],
  [`00-${TRACE}-${PARENT}-01-more`, undefined],
  [`ff-${TRACE}-${PARENT}-01`, undefined],
  [`00-${'0'.repeat(32)}-${PARENT}-01`, undefined],
  [`00-${TRACE}-${'0'.repeat(16)}-01`, undefined],
  [`00-${TRACE.toUpperCase()}-${PARENT}-01`, undefined],
  ['', undefined],
  [undefined, undefined],
])('%s is sampled: %s', (text, sampled) => {
  expect(parseTraceparent(text)?.sampled).toBe(sampled)
})
