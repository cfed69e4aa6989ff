// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these placeholders are what is tested
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import { invocationOf, plan, readSystemFirst } from './plan-with-system.ts'
import { failureOf, makeTool, yamlTool } from './world.ts'

readSystemFirst()

describe('a Python tool', () => {
  const python = (executor: string, extra: JsonObject = {}, text = 'x = 1') =>
    makeTool('my/tool', { tool_type: 'python', executor_id: executor, ...extra }, { extension: '.py', text })

  test('with a function is called in a warm worker, from its own bytes', async () => {
    const tool = python('rye/core/runtimes/python_function_runtime')
    const made = await plan(tool, { a: 1 })
    const invocation = invocationOf(made, 'function')
    expect(invocation).toMatchObject({
      host: 'python',
      command: '/usr/bin/python3',
      functionName: 'execute',
      call: 'params',
      digest: tool.digest,
      privateCopy: null,
      cwd: '/srv/app',
    })
    expect(invocation.source).toBe(tool.bytes)
    expect(invocation.filename).toMatch(/^\/cache\/[0-9a-f]{64}\/tool\.py$/)
    expect(made).toMatchObject({
      itemId: 'my/tool',
      validatedPairs: 2,
      parameters: { a: 1 },
      timeoutMs: 120_000,
      concurrency: 'shared',
    })
    expect(made.chain).toEqual([
      { item_id: 'my/tool', space: 'project', tool_type: 'python' },
      { item_id: 'rye/core/runtimes/python/function', space: 'system', tool_type: 'runtime' },
      { item_id: 'rye/core/primitives/subprocess', space: 'system', tool_type: 'primitive' },
    ])
  })

  test('as a script gets parameters as an argument and on standard input', async () => {
    const parameters = {
      text: '${HOME} {project_path} $(id)',
      timeout: 3,
      cwd: '/etc',
      env: { PATH: 'x' },
      command: 'rm',
    }
    const invocation = invocationOf(
      await plan(python('rye/core/runtimes/python/script'), parameters),
      'process',
    )
    expect(invocation.args).toEqual([`${invocation.privateCopy?.directory}/tool.py`])
    expect(invocation.privateArgs).toEqual({
      host: 'python',
      args: ['--params', JSON.stringify(parameters), '--project-path', '/srv/app'],
    })
    expect(JSON.parse(invocation.stdin)).toEqual(parameters)
    expect(invocation).toMatchObject({ command: '/usr/bin/python3', cwd: '/srv/app' })
  })

  test('gets parameters that are too long for the arguments of a process all the same', async () => {
    const parameters = { text: 'x'.repeat(200_000) }
    const invocation = invocationOf(await plan(python('python/script'), parameters), 'process')
    expect(invocation.privateArgs?.args[1]).toBe(JSON.stringify(parameters))
    expect(JSON.parse(invocation.stdin)).toEqual(parameters)
  })

  test('any parameters reach it byte for byte', async () => {
    const tool = python('python/script')
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async given => {
        const parameters = JSON.parse(JSON.stringify(given))
        const made = await plan(tool, parameters)
        const { stdin, privateArgs } = invocationOf(made, 'process')
        expect(stdin).toBe(JSON.stringify(parameters))
        expect(privateArgs?.args[1]).toBe(stdin)
      }),
      { numRuns: 50 },
    )
  })

  test('in a package brings its siblings and its search path', async () => {
    const files = {
      '/srv/app/.ai/tools/my/__init__.py': '',
      '/srv/app/.ai/tools/my/helper.py': 'y = 2',
      '/srv/app/.ai/tools/my/tool.py': 'x = 1',
    }
    const made = await plan(python('python/function'), {}, { files })
    const { privateCopy } = invocationOf(made, 'function')
    expect(privateCopy?.files.map(file => file.path)).toEqual(['__init__.py', 'helper.py', 'tool.py'])
    expect(made.environment.PYTHONPATH).toBe(privateCopy?.directory)
    expect(made.environmentOrigins.get('rye/core/runtimes/python/function')).toContain('PYTHONPATH')
  })

  test('has the environment of the allow-list and of its chain, and nothing else', async () => {
    const made = await plan(
      python('python/function'),
      {},
      {
        env: { PATH: '/usr/bin', SECRET: 's3cr3t', PYTHONPATH: '/evil', HOME: '/home/ada' },
        readDotenv: () => 'RYE_PYTHON=/tmp/evil\nPATH=/tmp\nPLAIN=1',
      },
    )
    expect(made.environment).toEqual({
      PATH: '/usr/bin',
      HOME: '/home/ada',
      RYE_PYTHON: '/usr/bin/python3',
      PYTHONUNBUFFERED: '1',
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONUTF8: '1',
    })
  })

  test('of another language is refused before anything starts', async () => {
    const tool = makeTool('my/tool', { tool_type: 'yaml', executor_id: 'python_script_runtime' })
    expect((await failureOf(plan(tool))).message).toContain('runs .py files, got `my/tool` with `.yaml`')
  })

  test('with wrong parameters is refused before anything is looked for', async () => {
    const tool = python('python/function', { config_schema: { required: ['a'] } })
    const findInterpreter = () => Promise.reject(new Error('looked for an interpreter'))
    expect((await failureOf(plan(tool, {}, { findInterpreter }))).code).toBe('PARAMETERS_INVALID')
  })

  test('without an interpreter is an error with a hint', async () => {
    const failure = await failureOf(
      plan(python('python/function'), {}, { findInterpreter: async () => undefined }),
    )
    expect(failure).toMatchObject({
      code: 'INTERPRETER_MISSING',
      hint: expect.stringContaining('RYE_PYTHON'),
    })
  })
})

describe('a JavaScript or TypeScript tool', () => {
  const node = (entry: JsonObject, extension = '.ts', extra: JsonObject = {}) =>
    makeTool(
      'my/tool',
      { tool_type: 'javascript', executor_id: 'rye/core/runtimes/node/node', entry, ...extra },
      { extension },
    )

  test('that exports execute is called warm', async () => {
    const invocation = invocationOf(await plan(node({ execute: 'async', main: false })), 'function')
    expect(invocation).toMatchObject({ host: 'node', command: '/usr/bin/node', functionName: 'execute' })
  })

  test('that does not is run as a program', async () => {
    const invocation = invocationOf(
      await plan(node({ execute: null, main: true }, '.mjs'), { a: 1 }),
      'process',
    )
    expect(invocation).toMatchObject({ host: 'node', command: '/usr/bin/node', stdin: '{"a":1}' })
    expect(invocation.privateArgs).toEqual({
      host: 'node',
      args: ['--params', '{"a":1}', '--project-path', '/srv/app'],
    })
  })

  test('may configure its own interpreter and limit', async () => {
    const extra = {
      env_config: { interpreter: { type: 'system_binary', binary: 'bun', var: 'RYE_NODE' } },
      config: { timeout: 60 },
    }
    const made = await plan(node({ execute: 'sync' }, '.js', extra))
    expect(invocationOf(made, 'function').command).toBe('/usr/bin/bun')
    expect(made.timeoutMs).toBe(60_000)
  })
})

describe('a shell tool', () => {
  test('is run from its copy, with the project as first argument', async () => {
    const tool = makeTool(
      'my/tool',
      { tool_type: 'shell', executor_id: 'rye/core/runtimes/bash/bash' },
      { extension: '.sh' },
    )
    const invocation = invocationOf(await plan(tool, { a: 1 }), 'process')
    expect(invocation).toMatchObject({
      command: '/usr/bin/bash',
      args: [`${invocation.privateCopy?.directory}/tool.sh`, '/srv/app'],
      stdin: '{"a":1}',
    })
  })

  test('written in YAML runs config.command, into which nothing is ever put', async () => {
    const text =
      'tool_type: bash\nexecutor_id: rye/core/runtimes/bash/bash\nconfig:\n  command: \'echo "$1" {name} ${HOME}; cat\'\n'
    const invocation = invocationOf(
      await plan(await yamlTool('my/tool', text), { name: '; rm -rf /' }),
      'process',
    )
    expect(invocation).toMatchObject({
      command: '/usr/bin/bash',
      args: ['-c', 'echo "$1" {name} ${HOME}; cat', 'my/tool', '/srv/app'],
      stdin: '{"name":"; rm -rf /"}',
      privateCopy: null,
    })
  })
})

describe('a new language is one file', () => {
  const PERL = `
tool_type: runtime
executor_id: rye/core/primitives/subprocess
category: lang/perl
version: "1.0.0"
description: Runs Perl tools
env_config:
  interpreter: { type: system_binary, binary: perl, var: RYE_PERL }
  env: { PERL_UNICODE: SDA }
config:
  command: "\${RYE_PERL}"
  args: ["-T", "{tool_path}", "--", "{name}", "{project_path}"]
  stdin: "{params_json}"
`

  test('and no code', async () => {
    const runtime = await yamlTool('lang/perl/perl', PERL)
    const tool = makeTool(
      'my/hello',
      { tool_type: 'perl', executor_id: 'lang/perl/perl' },
      { extension: '.pl', text: 'print 1;' },
    )
    const made = await plan(tool, { name: '-e' }, { tools: [runtime] })
    const invocation = invocationOf(made, 'process')
    expect(invocation).toMatchObject({
      command: '/usr/bin/perl',
      args: ['-T', `${invocation.privateCopy?.directory}/hello.pl`, '--', '-e', '/srv/app'],
      stdin: '{"name":"-e"}',
    })
    expect(made.environment.PERL_UNICODE).toBe('SDA')
    expect(made.chain.map(link => link.item_id)).toEqual([
      'my/hello',
      'lang/perl/perl',
      'rye/core/primitives/subprocess',
    ])
  })
})

describe('a tool straight on a primitive', () => {
  test('may have other arguments for parameters that no argument could hold', async () => {
    const tool = makeTool('my/count', {
      executor_id: 'subprocess',
      tool_type: 'shell',
      config: {
        command: 'wc',
        args: ['--text', '{params_json}'],
        large_args: ['-c'],
        stdin: '{params_json}',
      },
    })
    const short = invocationOf(await plan(tool, { text: 'x' }), 'process')
    expect(short.args).toEqual(['--text', '{"text":"x"}'])
    const long = invocationOf(await plan(tool, { text: 'x'.repeat(200_000) }), 'process')
    expect(long.args).toEqual(['-c'])
  })

  test.each([
    ['a list', ['--token'], '`config.private_args` must be an object'],
    ['another host', { host: 'perl', args: [] }, 'expected private_args.host python or node, got `perl`'],
    ['no list', { host: 'node', args: 'x' }, '`config.private_args.args` must be a list'],
  ])('is refused with private arguments that are %s', async (_, private_args, reason) => {
    const config = { command: 'x', private_args }
    const tool = makeTool('my/x', { executor_id: 'subprocess', tool_type: 'shell', config })
    await expect(plan(tool, {})).rejects.toThrow(reason)
  })

  test('runs a program with declared arguments', async () => {
    const schema = { properties: { path: { type: 'string' }, depth: { type: 'integer' } } }
    const tool = makeTool('my/log', {
      tool_type: 'yaml',
      executor_id: 'subprocess',
      config_schema: schema,
      config: { command: 'git', args: ['log', '-n', '{depth}', '--', '{path}'] },
    })
    expect(invocationOf(await plan(tool, { path: '-x', depth: 3 }), 'process')).toMatchObject({
      command: 'git',
      args: ['log', '-n', '3', '--', '-x'],
      stdin: '',
      privateCopy: null,
    })
    expect(invocationOf(await plan(tool, {}), 'process').args).toEqual(['log', '-n', '--'])
  })

  test.each([
    [{ command: '{program}' }, 'it cannot be decided by a parameter'],
    [{ command: 'x', cwd: '{program}' }, 'it cannot be decided by a parameter'],
    [{}, '`config.command` must be a string'],
    [{ command: 'x', args: 'y' }, '`config.args` must be a list'],
    [{ command: 'x', args: [{}] }, '`config.args` must be a list of strings'],
    [{ command: 'x', timeout: 'soon' }, 'expected a timeout'],
    [{ command: 'x', timeout: -1 }, 'expected a timeout'],
    [{ command: 'x', concurrency: 'some' }, 'expected concurrency'],
    [{ command: 'x', permissions: { network: 'yes' } }, '`permissions.network`'],
    [{ command: 'x', function: { host: 'ruby' } }, 'expected function.host'],
  ])('%j is refused', async (config, reason) => {
    const tool = makeTool('my/tool', { executor_id: 'subprocess', config } as JsonObject)
    expect((await failureOf(plan(tool, { program: '/bin/sh' }))).message).toContain(reason)
  })
})
