// The `http_client` primitive: one request from this process; nothing is started.
import type { HttpInvocation } from '../../plan/index.ts'
import { callHttp } from './http/http-client.ts'
import type { Primitive } from './primitive.ts'

export const sendHttp: Primitive<HttpInvocation> = async ({ plan, invocation, parts, signal }) => {
  const outcome = await callHttp(invocation, { ...parts.options, timeoutMs: plan.timeoutMs, signal })
  return { ...outcome, isolation: 'none' }
}
