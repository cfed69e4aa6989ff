// A tool of the package that runs an action: what its plan holds, and who may not have such a plan.
import { beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../../src/base/app-error.ts'
import type { JsonObject } from '../../../src/base/json.ts'
import type { Space } from '../../../src/item/space.ts'
import { explainPlan, printPlan } from '../../../src/plan/explain-plan.ts'
import { planTool } from '../../../src/plan/plan-tool.ts'
import type { ActionReader, VerifiedTool } from '../../../src/plan/types.ts'
import { readSystemItems } from '../system-items.ts'
import { failureOf, makeContext, makeTool, type WorldFacts } from '../world.ts'

let system: VerifiedTool[]
beforeAll(async () => {
  system = await readSystemItems()
})

/** Knows only `box open`, with a required `name`. */
const readAction: ActionReader = async (action, parameters, project_path) => {
  if (action !== 'box open') return undefined
  if (parameters.name === undefined)
    throw new AppError('INVALID_INPUT', '`name` is required', { hint: 'a name' })
  return { wide: true, ...parameters, project_path }
}

const SCHEMA = {
  type: 'object',
  properties: { verb: { type: 'string' }, name: { type: 'string' } },
  additionalProperties: false,
}
const boxTool = (config: JsonObject, space: Space = 'system') =>
  makeTool(
    'rye/box',
    { tool_type: 'yaml', executor_id: 'rye/core/primitives/action', config, config_schema: SCHEMA },
    { space },
  )
const plan = (tool: VerifiedTool, parameters: JsonObject, facts: WorldFacts = {}) =>
  planTool(
    tool,
    parameters,
    makeContext({ readAction, ...facts, tools: [...system, ...(facts.tools ?? [])] }),
  )

describe('a tool of the package', () => {
  it('runs the action that it names, with the checked input and the project', async () => {
    const made = await plan(boxTool({ action: 'box open', timeout: 7 }), { name: 'n' })
    expect(made).toMatchObject({
      invocation: {
        kind: 'action',
        action: 'box open',
        input: { wide: true, name: 'n', project_path: '/srv/app' },
      },
      chain: [{ item_id: 'rye/box' }, { item_id: 'rye/core/primitives/action', tool_type: 'primitive' }],
      environment: {},
      timeoutMs: 7000,
    })
    expect(explainPlan(made).invocation).toEqual({
      kind: 'action',
      action: 'box open',
      input: ['wide', 'name', 'project_path'],
    })
    expect(printPlan(made)).toContain('  action: box open\n')
  })

  it('may let a parameter choose among actions; that one is no input', async () => {
    const tool = boxTool({ action: 'box {verb}' })
    expect((await plan(tool, { verb: 'open', name: 'n' })).invocation).toMatchObject({
      action: 'box open',
      input: { wide: true, name: 'n', project_path: '/srv/app' },
    })
    for (const parameters of [{ verb: 'shut' }, { verb: '$&' }, {}]) {
      const failure = await failureOf(plan(tool, parameters))
      expect(failure).toMatchObject({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining('is not an action that a tool may run'),
      })
    }
  })

  it('has its parameters checked by its schema, then by the action', async () => {
    const tool = boxTool({ action: 'box open' })
    expect((await failureOf(plan(tool, { name: 'n', project_path: '/etc' }))).code).toBe('PARAMETERS_INVALID')
    expect(await failureOf(plan(tool, {}))).toMatchObject({
      code: 'PARAMETERS_INVALID',
      message: '`name` is required',
      hint: 'a name',
    })
  })

  it('is refused without an action, or where none can be run', async () => {
    expect((await failureOf(plan(boxTool({}), {}))).code).toBe('CONFIG_INVALID')
    const nowhere = plan(boxTool({ action: 'box open' }), { name: 'n' }, { readAction: undefined })
    expect((await failureOf(nowhere)).code).toBe('NOT_AVAILABLE')
  })
})

describe('an item that is not of the package', () => {
  const coreShadowing = 'allow'

  it.each(['project', 'user'] as const)('in %s space runs no action, whatever the policy', async space => {
    const tool = boxTool({ action: 'box open' }, space)
    for (const facts of [{}, { coreShadowing }] as const) {
      expect(await failureOf(plan(tool, { name: 'n' }, facts))).toMatchObject({
        code: 'POLICY_DENIED',
        message: `\`rye/box\` of ${space} space may not use \`rye/core/primitives/action\`: only items of the package may run actions of rye`,
      })
    }
    expect((await failureOf(plan(tool, { wrong: 1 }))).code).toBe('POLICY_DENIED')
  })

  it('cannot reach one through a runtime of its own, or as a primitive of that name', async () => {
    const runtime = makeTool('my/runtime', {
      tool_type: 'runtime',
      executor_id: 'rye/core/primitives/action',
    })
    const tool = makeTool('my/tool', {
      tool_type: 'yaml',
      executor_id: 'my/runtime',
      config: { action: 'box open' },
    })
    expect((await failureOf(plan(tool, {}, { tools: [runtime] }))).code).toBe('POLICY_DENIED')
    const copy = makeTool('rye/core/primitives/action', { tool_type: 'primitive', executor_id: null })
    const own = plan(boxTool({ action: 'box open' }, 'project'), {}, { tools: [copy], coreShadowing })
    expect((await failureOf(own)).code).toBe('POLICY_DENIED')
  })
})
