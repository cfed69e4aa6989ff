// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these placeholders are what is tested
// Whatever somebody signed, a plan is made or refused in words. Metadata values have no prototype, as parsers
// make them.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AppError } from '../../src/base/app-error.ts'
import type { JsonObject, JsonValue } from '../../src/base/json.ts'
import { declaredNeeds } from '../../src/plan/declared-needs.ts'
import type { VerifiedTool } from '../../src/plan/types.ts'
import { oddValues, places, withValue } from '../fixtures/odd-values.ts'
import { tries } from '../fixtures/tries.ts'
import { plan, readSystemFirst } from './plan-with-system.ts'
import { readSystemText } from './system-items.ts'
import { makeTool, yamlTool } from './world.ts'

readSystemFirst()

const GIVEN: JsonObject = {
  version: '1.0.0',
  timeout: 5,
  concurrency: 'shared',
  permissions: { network: ['a.example'], write: ['{project_path}/out'], limits: { memory_mb: 64 } },
  env_config: { dotenv: ['REGION'], env: { LEVEL: '1' }, secrets: ['KEY?'] },
  config_schema: { type: 'object', properties: { who: { type: 'string' } }, required: [] },
  config_resolve: [{ path: 'tools/x', mode: 'deep_merge' }],
  outputs: ['text'],
}
const RUNTIME: JsonObject = {
  ...GIVEN,
  tool_type: 'runtime',
  extensions: ['.yaml'],
  inputs: ['text'],
  child_constraints: { 'my/tool': { min_version: '0.1.0', max_version: '2.0.0' } },
  executor_id: 'rye/core/primitives/subprocess',
  env_config: {
    interpreter: {
      type: 'system_binary',
      binary: 'x',
      var: 'RYE_X',
      fallback: '/usr/bin/x',
      min_version: '1.0',
    },
    env: { A: '${HOME:-none}' },
  },
  anchor: {
    enabled: true,
    mode: 'always',
    markers_any: ['package.json'],
    root: 'tool_dir',
    lib: 'lib',
    cwd: '{tool_dir}',
    env_paths: { PYTHONPATH: { prepend: ['{anchor_path}'], append: ['{runtime_lib}'] } },
  },
  verify_deps: { enabled: true, scope: 'anchor', recursive: true, extensions: ['.py'], exclude_dirs: ['x'] },
  config: {
    command: '${RYE_X}',
    args: ['{tool_path}', '{config.a}'],
    cwd: '{project_path}',
    input_data: '{params_json}',
  },
}
const ANY = (
  type: string,
  executor: string | null,
  config: JsonObject,
  more: JsonObject = {},
): JsonObject => {
  return { ...GIVEN, tool_type: type, executor_id: executor, config, ...more }
}
interface World {
  readonly tool: JsonObject
  readonly extension?: string
  /** What it needs beside it. */
  readonly others?: Record<string, JsonObject>
}

const SERVER = 'own/server'
const WORLDS: Record<string, World> = {
  'a program': {
    tool: ANY('cli', 'rye/core/primitives/subprocess', {
      ...{ command: 'echo', args: ['{who}', 'x'], cwd: '{project_path}', env: { A: 'b' } },
    }),
  },
  'a request': {
    tool: ANY('http', 'rye/core/runtimes/http/http', {
      ...{ method: 'POST', url: 'https://a.example/{who}', headers: { X: '{who}' }, query: { q: 'x' } },
      ...{ body: { a: '{who}' }, auth: { type: 'bearer', token: '${KEY:-x}' }, allow_private: false },
      retry: { max_attempts: 2, backoff: 'linear' },
    }),
  },
  'a tool of a runtime of its own': {
    tool: ANY('x', 'own/runtime', { a: 'b', item_resolve: { one: { id: 'a/{who}', when: { who: 'you' } } } }),
    others: { 'own/runtime': RUNTIME },
  },
  'a tool of a server here': {
    tool: ANY('mcp', 'rye/core/runtimes/mcp/stdio', { server: SERVER, tool_name: 'x' }),
    others: {
      [SERVER]: ANY('mcp_server', null, {
        ...{ transport: 'stdio', command: 'x', args: ['y'], env: { A: 'b' }, cwd: '{project_path}' },
      }),
    },
  },
  'a tool of a server elsewhere': {
    tool: ANY('mcp', 'rye/core/runtimes/mcp/http', { server: SERVER, tool_name: 'x' }),
    others: {
      [SERVER]: ANY('mcp_server', null, {
        ...{ transport: 'http', url: 'https://a.example/', headers: { A: '${KEY:-b}' } },
      }),
    },
  },
}
/** Of tools of the bundled runtimes, the runtime is odd. */
const RUNTIMES = [
  ['rye/core/runtimes/python/function', '.py'],
  ['rye/core/runtimes/python/script', '.py'],
  ['rye/core/runtimes/node/node', '.ts'],
  ['rye/core/runtimes/bash/bash', '.sh'],
] as const

/** As parsers make it. */
function bare(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(bare)
  if (value === null || typeof value !== 'object') return value
  return Object.assign(
    Object.create(null),
    Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, bare(entry)])),
  )
}

async function checkWorld({ tool, extension = '.yaml', others = {} }: World): Promise<void> {
  const world = { tool, ...others }
  const made = (metadata: Record<string, JsonValue>) =>
    Object.entries(metadata).map(([id, value]) =>
      id === 'tool'
        ? makeTool('my/tool', bare(value) as JsonObject, { extension })
        : makeTool(id, bare(value) as JsonObject),
    )
  const run = ([first, ...tools]: VerifiedTool[]) => plan(first!, { who: 'you' }, { tools })
  // Without an odd value, it runs.
  await run(made(world))
  const spots = places(world).filter(place => place.length > 1)
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...spots), oddValues, async (spot, value) => {
      const tools = made(withValue(world, spot, value) as Record<string, JsonObject>)
      for (const one of tools) expect(declaredNeeds(one)).toMatchObject({ faults: expect.any(Array) })
      await run(tools).catch(thrown => expect(thrown).toBeInstanceOf(AppError))
    }),
    { numRuns: tries({ usual: 100, torture: 200 }) },
  )
}

it.each(Object.entries(WORLDS))('%s is planned, or refused in words', (_, world) => checkWorld(world))

it.each(RUNTIMES)('a tool of %s is planned, or refused in words', async (runtime, extension) => {
  const { metadata } = await yamlTool(runtime, readSystemText(runtime))
  const others = { 'own/runtime': metadata as JsonObject }
  await checkWorld({ tool: ANY('x', 'own/runtime', { a: 1 }), extension, others })
})
