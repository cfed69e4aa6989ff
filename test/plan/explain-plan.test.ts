import { beforeAll, expect, test } from 'vitest'
import { explainPlan, printPlan } from '../../src/plan/explain-plan.ts'
import { planTool } from '../../src/plan/plan-tool.ts'
import type { Plan } from '../../src/plan/types.ts'
import { readSystemItems } from './system-items.ts'
import { makeContext, makeTool } from './world.ts'

let plan: Plan
beforeAll(async () => {
  const tool = makeTool(
    'my/tool',
    {
      tool_type: 'python',
      version: '1.2.3',
      executor_id: 'python/script',
      env_config: { secrets: ['TOKEN'], env: { MODE: 'a' } },
    },
    { extension: '.py', shadows: ['system'] },
  )
  const context = makeContext({
    tools: await readSystemItems(),
    env: { PATH: '/bin', TOKEN: 's3cr3t-value' },
  })
  plan = await planTool(tool, { note: 'my s3cr3t-value', long: 'x'.repeat(500) }, context)
})

test('a plan explains who signed what, what it shadows and what each element adds', () => {
  const explained = explainPlan(plan)
  expect(explained.elements).toMatchObject([
    {
      item_id: 'my/tool',
      space: 'project',
      version: '1.2.3',
      trust: 'verified',
      signer: '0123456789abcdef',
      shadows: ['system'],
      adds_environment: ['MODE', 'TOKEN'],
    },
    { item_id: 'rye/core/runtimes/python/script', space: 'system', signer: 'system' },
    { item_id: 'rye/core/primitives/subprocess', adds_environment: [] },
  ])
  expect(explained.environment).toMatchObject({ caller: ['PATH'], 'my/tool': ['MODE', 'TOKEN'] })
  expect(explained.invocation).toMatchObject({ kind: 'process', files: ['tool.py'], cwd: '/srv/app' })
})

test('neither form shows a secret, or more than a line of a parameter', () => {
  for (const text of [JSON.stringify(explainPlan(plan)), printPlan(plan)]) {
    expect(text).not.toContain('s3cr3t-value')
    expect(text).toContain('[secret]')
    expect(text).not.toContain('x'.repeat(300))
  }
})

test('a printed plan begins with the chain', () => {
  const lines = printPlan(plan).split('\n')
  expect(lines[0]).toBe(
    'chain: my/tool (project) -> rye/core/runtimes/python/script (system) -> rye/core/primitives/subprocess (system)',
  )
  expect(lines).toContain('  my/tool (project): verified by 0123456789abcdef, shadows system')
  expect(lines).toContain('  my/tool: MODE, TOKEN')
  expect(lines.at(-1)).toBe('limits: 120 s, shared, network closed')
})
