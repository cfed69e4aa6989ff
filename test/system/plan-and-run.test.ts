// Each bundled runtime, planned from its own data and really run; and a language that only the test knows.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these placeholders are what is tested
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256Hex } from '../../src/base/digest.ts'
import type { JsonObject, JsonValue } from '../../src/base/json.ts'
import { runPlan } from '../../src/execute/run-plan.ts'
import { createRunner, type Runner } from '../../src/execute/runner.ts'
import { parseBytes } from '../../src/parse/parse-bytes.ts'
import { ParameterSchemas } from '../../src/plan/parameters/parameters.ts'
import { planTool } from '../../src/plan/plan-tool.ts'
import type { PlanContext, VerifiedTool } from '../../src/plan/types.ts'
import { readSystemItems } from '../plan/system-items.ts'
import { lookupIn, VERIFIED } from '../plan/world.ts'

const PARSERS: Record<string, string> = {
  '.py': 'python/ast',
  '.js': 'javascript/javascript',
  '.mjs': 'javascript/javascript',
  '.ts': 'javascript/javascript',
  '.sh': 'shell/comments',
  '.yaml': 'yaml/yaml',
  '.pl': 'shell/comments',
}

let root: string
let runner: Runner
let system: VerifiedTool[]
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'rye-plan-'))
  system = await readSystemItems()
  runner = createRunner({
    isolation: 'process-group',
    env: process.env,
    home: root,
    userSpace: root,
    readable: [root],
  })
})
afterAll(async () => {
  await runner.close()
  rmSync(root, { recursive: true, force: true })
})

async function writeTool(id: string, extension: string, text: string): Promise<VerifiedTool> {
  const path = join(root, '.ai/tools', id + extension)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  const bytes = readFileSync(path)
  const { metadata, diagnostics } = await parseBytes(PARSERS[extension]!, bytes, extension)
  return {
    id,
    space: 'project',
    path,
    extension,
    bytes,
    digest: sha256Hex(bytes),
    verdict: VERIFIED,
    metadata,
    diagnostics,
    shadows: [],
  }
}

async function run(
  tool: VerifiedTool,
  parameters: JsonObject = {},
  others: VerifiedTool[] = [],
): Promise<JsonValue> {
  const context: PlanContext = {
    projectPath: root,
    userSpace: root,
    systemSpace: root,
    copiesRoot: join(root, 'cache'),
    env: process.env,
    readDotenv: () => null,
    nodePath: process.execPath,
    timeoutMs: 60_000,
    lookup: lookupIn([...system, ...others, tool]),
    findInterpreter: runner.findInterpreter,
    matchesPattern: runner.matchesPattern,
    schemas: new ParameterSchemas(),
    siblings: {
      list: async directory =>
        readdirSync(directory, { withFileTypes: true })
          .filter(entry => entry.isFile())
          .map(entry => entry.name),
      read: async path => ({
        bytes: readFileSync(path),
        digest: sha256Hex(readFileSync(path)),
        verdict: VERIFIED,
      }),
    },
    readConfig: async () => [],
    projectInterpreters: 'refuse',
    scriptPackages: 'refuse',
    coreShadowing: 'refuse',
  }
  const outcome = await runPlan(await planTool(tool, parameters, context), runner)
  if (outcome.status === 'error') throw new Error(`${outcome.error.message}: ${JSON.stringify(outcome.data)}`)
  return outcome.data
}

/** Text that any templating mistake would change. */
const HOSTILE = {
  text: '${HOME} {project_path} $(id) `id` "\'\\ \u2028 é',
  timeout: 1,
  cwd: '/',
  env: { A: '1' },
}

describe('each bundled runtime gives a tool its parameters byte for byte', () => {
  test('python/function, with a sibling', async () => {
    await writeTool('py/helper', '.py', 'def wrap(value):\n    return {"success": True, "params": value}\n')
    const tool = await writeTool(
      'py/tool',
      '.py',
      '__executor_id__ = "python_function_runtime"\nfrom helper import wrap\n\ndef execute(params, project_path):\n    return {**wrap(params), "project": project_path}\n',
    )
    expect(await run(tool, HOSTILE)).toEqual({ success: true, params: HOSTILE, project: root })
  })

  test('python/script, by argument and by standard input', async () => {
    const tool = await writeTool(
      'script/tool',
      '.py',
      '__executor_id__ = "rye/core/runtimes/python/script"\nimport sys, json\nargs = sys.argv[1:]\nprint(json.dumps({"argument": json.loads(args[1]) if args[0] == "--params" else None, "stdin": json.load(sys.stdin), "project": args[-1]}))\n',
    )
    expect(await run(tool, HOSTILE)).toEqual({ argument: HOSTILE, stdin: HOSTILE, project: root })
    const large = { text: 'x'.repeat(300_000) }
    expect(await run(tool, large)).toEqual({ argument: large, stdin: large, project: root })
  })

  test('node/node, a TypeScript function and a JavaScript program', async () => {
    const typed = await writeTool(
      'node/typed',
      '.ts',
      'export const __executor_id__ = "rye/core/runtimes/node/node"\nexport async function execute(params: object, projectPath: string) {\n  return { params, projectPath }\n}\n',
    )
    expect(await run(typed, HOSTILE)).toEqual({ params: HOSTILE, projectPath: root })
    const program = await writeTool(
      'node/program',
      '.mjs',
      'export const __executor_id__ = "node_runtime"\nconsole.log(JSON.stringify({ params: JSON.parse(process.argv[3]), project: process.argv[5] }))\n',
    )
    expect(await run(program, HOSTILE)).toEqual({ params: HOSTILE, project: root })
  })

  test('bash/bash, a script and the text of a YAML tool', async () => {
    const script = await writeTool(
      'sh/script',
      '.sh',
      '#!/bin/bash\n# __executor_id__ = "rye/core/runtimes/bash/bash"\nprintf \'{"project":"%s","params":%s}\' "$1" "$(cat)"\n',
    )
    expect(await run(script, HOSTILE)).toEqual({ project: root, params: HOSTILE })
    const inline = await writeTool(
      'sh/inline',
      '.yaml',
      'executor_id: rye/core/runtimes/bash/bash\ntool_type: bash\nconfig:\n  command: |\n    printf \'{"project":"%s","params":%s}\' "$1" "$(cat)"\n',
    )
    expect(await run(inline, HOSTILE)).toEqual({ project: root, params: HOSTILE })
  })
})

test('a language added as one YAML file runs', async () => {
  const runtime = await writeTool(
    'lang/perl',
    '.yaml',
    [
      'tool_type: runtime',
      'executor_id: rye/core/primitives/subprocess',
      'env_config: { interpreter: { type: system_binary, binary: perl, var: RYE_PERL } }',
      'config:',
      '  command: "${RYE_PERL}"',
      '  args: ["{tool_path}", "{project_path}"]',
      '  stdin: "{params_json}"',
    ].join('\n'),
  )
  const tool = await writeTool(
    'my/hello',
    '.pl',
    '# __executor_id__ = "lang/perl"\nprint qq({"project":"$ARGV[0]","params":) . join("", <STDIN>) . "}";\n',
  )
  expect(await run(tool, HOSTILE, [runtime])).toEqual({ project: root, params: HOSTILE })
})
