// One span for each tool call, in the trace that the client has begun, or in a new one.
import type { CallFacts } from './call-facts.ts'
import { OtlpExporter } from './otlp-exporter.ts'
import { type OtlpSettings, readOtlpSettings } from './otlp-settings.ts'
import { newSpanId, newTraceId, parseTraceparent } from './trace-context.ts'

export interface Traces {
  /** The id of the trace that the call belongs to; undefined when the call is not traced. */
  record(call: CallFacts): string | undefined
  dropped(): number
  close(): Promise<void>
}

export function openTraces(
  environment: Readonly<Record<string, string | undefined>>,
  version: string,
  onProblem: (problem: string) => void,
): Traces {
  const { settings, problem } = readOtlpSettings(environment)
  if (problem !== undefined) onProblem(problem)
  if (settings === undefined) return { record: () => undefined, dropped: () => 0, close: async () => {} }
  const exporter = new OtlpExporter(settings, version, onProblem)
  return {
    record: call => recordSpan(call, settings, exporter),
    dropped: () => exporter.dropped,
    close: () => exporter.close(),
  }
}

function recordSpan(call: CallFacts, { sampler }: OtlpSettings, exporter: OtlpExporter): string | undefined {
  const parent = parseTraceparent(call.traceparent)
  const traceId = parent?.traceId ?? newTraceId()
  if (!sampler({ traceId, parentSampled: parent?.sampled })) return undefined
  const { tool, outcome, user, startedAt, durationMs } = call
  exporter.add({
    traceId,
    spanId: newSpanId(),
    parentSpanId: parent?.spanId,
    name: `tools/call ${tool}`,
    startedAt,
    endedAt: startedAt + durationMs,
    attributes: {
      'mcp.method.name': 'tools/call',
      'gen_ai.tool.name': tool,
      'rye.outcome': outcome,
      ...(user !== undefined && { 'enduser.id': user }),
    },
    failed: !['success', 'question'].includes(outcome),
  })
  return traceId
}
