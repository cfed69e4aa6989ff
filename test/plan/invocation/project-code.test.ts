import { expect, test } from 'vitest'
import { projectPackages } from '../../../src/plan/invocation/project-code.ts'
import { makeTool } from '../world.ts'

const TOOL = makeTool('my/tool', {})
const PLACES = { projectPath: '/srv/app', userSpace: '/home/ada' }
const POLICIES = ['refuse', 'allow', 'with-secrets'] as const

test.each([
  [TOOL, false, ['allow', 'with-secrets']],
  [TOOL, true, ['with-secrets']],
  [{ ...TOOL, verdict: { ...TOOL.verdict, by_agent: true as const } }, false, ['allow', 'with-secrets']],
  [{ ...TOOL, space: 'user' as const }, false, []],
  [{ ...TOOL, verdict: { ...TOOL.verdict, format: 'manifest' as const } }, false, []],
])('packages of a project, case %#', (tool, hasSecrets, expected) => {
  const allowing = POLICIES.filter(
    projectInterpreters => projectPackages({ tool, hasSecrets }, { ...PLACES, projectInterpreters }).allowed,
  )
  expect(allowing).toEqual(expected)
})

test('a refusal names what would allow it, if anything would', () => {
  const places = { ...PLACES, projectInterpreters: 'refuse' as const }
  const refusal = (tool: typeof TOOL) => projectPackages({ tool, hasSecrets: true }, places).refusal
  expect(refusal(TOOL)).toContain(
    'write `"/srv/app" = "with-secrets"` below `[execute.project_interpreters]` in `/home/ada/.ai/config/rye.toml`',
  )
  expect(refusal({ ...TOOL, space: 'user' })).not.toContain('project_interpreters')
  expect(refusal({ ...TOOL, space: 'user' })).toContain('only a tool of the project itself can be allowed to')
})
