// Metrics: valid for a scraper, with the right counts, and of bounded size whatever clients send.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ServerMetrics } from '../../../src/surfaces/mcp/telemetry/server-metrics.ts'
import { parsePrometheus } from './prometheus-text.ts'

const LEVELS = {
  busy: () => 3,
  waiting: () => 2,
  droppedSpans: () => 1,
  runner: async () => ({ running: 4, waiting: 5, idleWorkers: 6 }),
}

const call = (tool: string, outcome: string, durationMs: number) => ({
  ...{ tool, outcome, durationMs, startedAt: 0 },
  ...{ project: undefined, user: undefined, traceparent: undefined },
})

it('count calls, how long they took, verdicts and requests', async () => {
  const metrics = new ServerMetrics()
  metrics.countCall(call('search', 'success', 7))
  metrics.countCall(call('search', 'success', 300))
  metrics.countCall(call('execute', 'ITEM_UNSIGNED', 1))
  metrics.countVerdict('unsigned')
  metrics.countRequest('/mcp', 200)
  const samples = parsePrometheus(await metrics.print(LEVELS))
  const sampleOf = (name: string, labels: object = {}) =>
    samples.find(sample => sample.name === name && JSON.stringify(sample.labels) === JSON.stringify(labels))
      ?.value
  expect(sampleOf('rye_calls_total', { tool: 'search', outcome: 'success' })).toBe(2)
  expect(sampleOf('rye_calls_total', { tool: 'execute', outcome: 'ITEM_UNSIGNED' })).toBe(1)
  expect(sampleOf('rye_call_seconds_bucket', { tool: 'search', le: '0.01' })).toBe(1)
  expect(sampleOf('rye_call_seconds_bucket', { tool: 'search', le: '+Inf' })).toBe(2)
  expect(sampleOf('rye_call_seconds_sum', { tool: 'search' })).toBeCloseTo(0.307)
  expect(sampleOf('rye_verdicts_total', { verdict: 'unsigned' })).toBe(1)
  expect(sampleOf('rye_http_requests_total', { path: '/mcp', status: '200' })).toBe(1)
  const levels = [
    'http_requests_in_flight',
    'calls_waiting',
    'spans_dropped',
    'runs_running',
    'runs_waiting',
    'workers_idle',
  ]
  expect(levels.map(name => sampleOf(`rye_${name}`))).toEqual([3, 2, 1, 4, 5, 6])
})

it('have no more series than are named, whatever clients send', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 50 }), async pairs => {
      const metrics = new ServerMetrics()
      for (const [one, two] of pairs) {
        metrics.countCall(call(one, two, 1))
        metrics.countVerdict(one)
        metrics.countRequest(one, two.length)
      }
      const samples = parsePrometheus(await metrics.print(LEVELS))
      expect(samples.filter(({ name }) => !name.startsWith('process_')).length).toBeLessThan(35)
    }),
    { numRuns: 30 },
  )
})
