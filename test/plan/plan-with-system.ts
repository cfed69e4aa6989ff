// The world in which these tests plan tools: the bundled items and what a test adds.
import { beforeAll } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import { planTool } from '../../src/plan/plan-tool.ts'
import type { Plan, VerifiedTool } from '../../src/plan/types.ts'
import { readSystemItems } from './system-items.ts'
import { makeContext, type WorldFacts } from './world.ts'

let system: VerifiedTool[]
/** Call this once in each file. */
export function readSystemFirst(): void {
  beforeAll(async () => {
    system = await readSystemItems()
  })
}

export function plan(tool: VerifiedTool, parameters: JsonObject = {}, facts: WorldFacts = {}): Promise<Plan> {
  const tools = [...system, ...(facts.tools ?? []), tool]
  return planTool(tool, parameters, makeContext({ ...facts, tools }))
}

export function invocationOf<Kind extends Plan['invocation']['kind']>(made: Plan, kind: Kind) {
  if (made.invocation.kind !== kind) throw new Error(`expected ${kind}, got ${made.invocation.kind}`)
  return made.invocation as Extract<Plan['invocation'], { kind: Kind }>
}
