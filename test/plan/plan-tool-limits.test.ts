import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import { explainPlan } from '../../src/plan/explain-plan.ts'
import { plan, readSystemFirst } from './plan-with-system.ts'
import { failureOf, makeTool } from './world.ts'

readSystemFirst()

describe('limits and settings', () => {
  const base = { executor_id: 'subprocess', config: { command: 'x' } }

  test('the caller’s limit wins, and a day is the most', async () => {
    expect((await plan(makeTool('t', base), {}, { timeoutMs: 5 })).timeoutMs).toBe(5)
    expect((await plan(makeTool('t', base), {}, { timeoutMs: 1e12 })).timeoutMs).toBe(86_400_000)
  })

  test('a parameter called timeout is only a value', async () => {
    expect((await plan(makeTool('t', base), { timeout: 1 })).timeoutMs).toBe(120_000)
  })

  test('what a tool declares is kept', async () => {
    const made = await plan(
      makeTool('t', {
        ...base,
        concurrency: 'exclusive',
        permissions: { network: false, write: ['/var/x', 'out'] },
      }),
    )
    expect(made.concurrency).toBe('exclusive')
    expect(made.permissions).toEqual({ network: [], write: ['/var/x', '/srv/app/out'] })
    expect((await plan(makeTool('t', base))).permissions).toEqual({ network: [], write: [] })
  })

  test('a tool may declare limits, and is told what they must be', async () => {
    const limits = { memory_mb: 256, processes: 8, file_mb: 1 }
    const made = await plan(makeTool('t', { ...base, permissions: { limits } }))
    expect(made.permissions).toEqual({ network: [], write: [], limits })
    expect(explainPlan(made).permissions).toEqual({ network: 'closed', write: [], limits })
  })

  test.each([
    ['nothing', { processes: 0 }],
    ['a fraction', { memory_mb: 1.5 }],
    ['a text', { memory_mb: '256' }],
    ['an unknown name', { memory: 256 }],
    ['a number', 256],
    ['null', null],
  ])('limits that are %s are refused', async (_, limits) => {
    const made = plan(makeTool('t', { ...base, permissions: { limits } }))
    await expect(made).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  test('settings reach the tool that asks for them, and nobody else can fill them in', async () => {
    const tool = makeTool('t', {
      ...base,
      config_resolve: { path: 'a.yaml' },
      config_schema: { additionalProperties: false },
    })
    const facts = { configs: { 'a.yaml': { user: { x: 1 } } } }
    expect((await plan(tool, {}, facts)).parameters).toEqual({ resolved_config: { x: 1 } })
    expect((await failureOf(plan(tool, { resolved_config: {} }, facts))).code).toBe('PARAMETERS_INVALID')
  })

  test('a host of a setting is decided by signed files, and by no parameter of that name', async () => {
    const permissions = { network: ['{resolved_config.url}', '{resolved_items.server.config.url}'] }
    const config = { url: 'https://evil.test/', allow_private: true }
    const given = { resolved_config: config, resolved_items: { server: { config } } }
    const open = makeTool('t', { ...base, permissions })
    expect((await plan(open, given)).permissions.network).toEqual([])
    const resolving = makeTool('t', { ...base, permissions, config_resolve: { path: 'a.yaml' } })
    const facts = { configs: { 'a.yaml': { user: { url: 'https://registry.test/' } } } }
    const { resolved_items } = given
    expect((await plan(resolving, { resolved_items }, facts)).permissions.network).toEqual([
      'registry.test:443',
    ])
  })

  test('settings of a runtime say how long its tools may take', async () => {
    const runtime = makeTool('my/runtime', {
      tool_type: 'runtime',
      executor_id: 'subprocess',
      config: { command: 'x', timeout: 9 },
      config_resolve: { path: 'r.yaml' },
    })
    const configs = { 'r.yaml': { user: { defaults: { timeout: 30 }, tools: { slow: { timeout: 90 } } } } }
    const run = (id: string) =>
      plan(makeTool(id, { executor_id: 'my/runtime' }), {}, { tools: [runtime], configs })
    expect([(await run('slow')).timeoutMs, (await run('other')).timeoutMs]).toEqual([90_000, 30_000])
  })
})

describe('a program', () => {
  const program = (config: JsonObject, extra: JsonObject = {}) =>
    makeTool('my/tool', {
      executor_id: 'rye/core/primitives/subprocess',
      config: { command: '/bin/echo', ...config },
      ...extra,
    })

  test('gets its parameters as variables where it asks for that, and nowhere else', async () => {
    const made = await plan(program({ parameter_variables: 'PARAM_' }), { file_path: 'a b' })
    expect(made.environment).toMatchObject({ PARAM_FILE_PATH: 'a b' })
    expect(made.environmentOrigins.get('parameters')).toEqual(['PARAM_FILE_PATH'])
    const plain = await plan(program({}), { file_path: 'a b' })
    expect(Object.keys(plain.environment).filter(name => name.startsWith('PARAM_'))).toEqual([])
  })

  test.each<[JsonObject, string]>([
    [{ parameter_variables: 'LD_' }, 'expected `config.parameter_variables` to be `PARAM_`'],
    [{ function: 'execute' }, '`config.function` must be an object'],
    [{ function: { host: 'ruby' } }, 'expected function.host python or node, got `ruby`'],
    [{ function: { host: 'node', name: 'a b' } }, '`function.name` must be an identifier'],
    [{ function: { host: 'node', name: 'x'.repeat(129) } }, '`function.name` must be an identifier'],
    [{ function: { host: 'node', call: 'list' } }, 'expected function.call params or keywords, got `list`'],
    [
      { function: { host: 'node', when: 'never' } },
      'expected function.when to be one of always, exported, without_main, got `never`',
    ],
    [{ private_args: [] }, '`config.private_args` must be an object'],
    [{ private_args: { host: 'ruby' } }, 'expected private_args.host python or node, got `ruby`'],
    [{ args: 'x' }, '`config.args` must be a list'],
    [{ args: [{}] }, '`config.args` must be a list of strings'],
    [{ stdin: 7 }, '`config.stdin` must be a string'],
    [{ cwd: 7 }, '`config.cwd` must be a string'],
  ])('is refused with %j', async (config, message) => {
    const failure = await failureOf(plan(program(config)))
    expect(failure).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining(message) })
  })

  test('that is given one secret has no interpreter of the project, unless the user allows that', async () => {
    const interpreter = { type: 'local_binary', binary: 'node', search_paths: ['.venv/bin'], var: 'MY_NODE' }
    const chosen = async (secrets: string[], projectInterpreters: 'allow' | 'with-secrets') => {
      const made = await plan(
        program({}, { env_config: { interpreter, secrets } }),
        {},
        {
          projectInterpreters,
          env: { TOKEN: 'secret' },
          findInterpreter: async ({ files }) => files[0] ?? '/usr/bin/node',
        },
      )
      return made.environment.MY_NODE
    }
    expect(await chosen(['TOKEN'], 'allow')).toBe('/usr/bin/node')
    expect(await chosen(['TOKEN'], 'with-secrets')).toBe('/srv/app/.venv/bin/node')
    expect(await chosen([], 'allow')).toBe('/srv/app/.venv/bin/node')
  })
})
