// The place of a call in a trace: W3C Trace Context, from the `traceparent` header of HTTP requests or the
// `_meta` of MCP requests.
import { randomBytes } from 'node:crypto'

export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  readonly sampled: boolean
}

/** Undefined when it is absent or invalid: then a new trace begins here. */
export function parseTraceparent(text: string | undefined): TraceContext | undefined {
  const found = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(text?.trim() ?? '')
  if (!found) return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = found
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function newTraceId(): string {
  return randomBytes(16).toString('hex')
}

export function newSpanId(): string {
  return randomBytes(8).toString('hex')
}
