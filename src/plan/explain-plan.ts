// Shows a plan to people and in `trace`: where each element was found, what it shadows, who signed it, which
// variables it adds. The values of variables are never shown, and secrets are removed from everything else.
import { cutText, type JsonObject } from '../base/index.ts'
import { printChain } from './resolve/resolve-chain.ts'
import { createScrubber } from './scrub.ts'
import type { FunctionInvocation, Invocation, Plan, ProcessInvocation, VerifiedTool } from './types.ts'

const SHOWN_LENGTH = 200

export function explainPlan(plan: Plan): JsonObject {
  const explained: JsonObject = {
    elements: plan.elements.map(element => explainElement(element, plan)),
    references: plan.references.map(element => explainElement(element, plan)),
    environment: Object.fromEntries(
      [...plan.environmentOrigins]
        .filter(([, names]) => names.length > 0)
        .map(([from, names]) => [from, [...names]]),
    ),
    invocation: explainInvocation(plan.invocation),
    timeout_ms: plan.timeoutMs,
    concurrency: plan.concurrency,
    permissions: {
      network: plan.permissions.network.length > 0 ? [...plan.permissions.network] : 'closed',
      write: [...plan.permissions.write],
      ...(plan.permissions.limits && { limits: { ...plan.permissions.limits } }),
    },
    left_out: plan.leftOut.map(({ path, reason }) => ({ path, reason })),
    notes: [...plan.notes],
  }
  return createScrubber(plan.secrets)(explained)
}

/** The same as text for people: a line for the chain, and a few for each part. */
export function printPlan(plan: Plan): string {
  const signers = [...plan.elements, ...plan.references].map(element => {
    const shadows = element.shadows.length > 0 ? `, shadows ${element.shadows.join(', ')}` : ''
    return `  ${element.id} (${element.space}): ${element.verdict.status} by ${element.verdict.signer ?? 'nobody'}${shadows}`
  })
  const facts = Object.entries(createScrubber(plan.secrets)(explainInvocation(plan.invocation))).map(
    ([name, value]) => `  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const variables = [...plan.environmentOrigins]
    .filter(([, names]) => names.length > 0)
    .map(([from, names]) => `  ${from}: ${names.join(', ')}`)
  const network = plan.permissions.network.join(', ') || 'closed'
  return [
    `chain: ${printChain(plan.elements)}`,
    'signed:',
    ...signers,
    'runs:',
    ...facts,
    'variables:',
    ...variables,
    `limits: ${plan.timeoutMs / 1000} s, ${plan.concurrency}, network ${network}`,
    ...plan.notes.map(note => `note: ${note}`),
  ].join('\n')
}

function explainElement(element: VerifiedTool, plan: Plan): JsonObject {
  const { metadata, verdict } = element
  return {
    item_id: element.id,
    space: element.space,
    tool_type: metadata.tool_type ?? null,
    version: metadata.version ?? null,
    path: element.path,
    digest: element.digest,
    trust: verdict.status,
    signer: verdict.signer,
    signed_at: verdict.timestamp,
    ...(verdict.rolled_back_from && { rolled_back_from: { ...verdict.rolled_back_from } }),
    shadows: [...element.shadows],
    adds_environment: [...(plan.environmentOrigins.get(element.id) ?? [])],
  }
}

function explainInvocation(invocation: Invocation): JsonObject {
  switch (invocation.kind) {
    case 'process':
      return explainProgram(invocation, {
        args: invocation.args.map(cut),
        ...(invocation.privateArgs && { private_args: invocation.privateArgs.args.map(cut) }),
      })
    case 'function':
      return explainProgram(invocation, { function: invocation.functionName })
    case 'http':
      return {
        kind: 'http',
        method: invocation.method,
        url: invocation.url,
        headers: Object.keys(invocation.headers),
      }
    case 'mcp': {
      const { server } = invocation
      const place =
        server.transport === 'http'
          ? { url: server.url }
          : { command: server.command, args: server.args.map(cut) }
      return {
        kind: 'mcp',
        server: server.id,
        transport: server.transport,
        ...place,
        tool: invocation.toolName,
      }
    }
    case 'action':
      return { kind: 'action', action: invocation.action, input: Object.keys(invocation.input) }
  }
}

function explainProgram(
  { kind, command, cwd, privateCopy }: ProcessInvocation | FunctionInvocation,
  what: JsonObject,
): JsonObject {
  return { kind, command, ...what, cwd, files: (privateCopy?.files ?? []).map(file => file.path) }
}

function cut(argument: string): string {
  return cutText(argument, SHOWN_LENGTH)
}
