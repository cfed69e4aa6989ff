import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/base/json.ts'
import { entryFault, programFaults } from '../../../src/plan/resolve/program-faults.ts'
import { makeTool } from '../world.ts'

const BASH = 'rye/core/runtimes/bash/bash'
const NO_ENTRY = { execute: null, main: false }

it.each(['out', { path: 'out' }, [7], ['out', null]])(
  'paths to write to that are no list of paths are a fault: %j',
  write => {
    const tool = makeTool('my/tool', { config: { permissions: { write } } })
    expect(programFaults(tool)).toEqual(['`permissions.write` must be a list of paths'])
  },
)

describe('a tool with nothing to run', () => {
  it.each([
    [
      'rye/core/runtimes/python/function',
      'nothing in it can be run: expected a function `execute(params, project_path)`',
    ],
    [
      'rye/core/runtimes/python_script_runtime',
      'nothing in it can be run: expected a function `execute(params, project_path)` or a block `if __name__ == "__main__":`',
    ],
    [
      'rye/core/runtimes/node/node',
      'nothing in it can be run: expected an exported function `execute(params, projectPath)`, or statements that run',
    ],
  ])('of %s is refused', (executor_id, message) => {
    const tool = makeTool('my/tool', { executor_id, entry: NO_ENTRY }, { extension: '.py' })
    expect(programFaults(tool)).toEqual([message])
  })

  it('may be one of another runtime, which starts what it likes', () => {
    expect(programFaults(makeTool('my/tool', { executor_id: 'my/runtime', entry: NO_ENTRY }))).toEqual([])
  })

  it('is not what a file is that could not be read', () => {
    const tool = makeTool('my/tool', { entry: NO_ENTRY })
    const diagnostics = [
      { severity: 'error', code: 'python-syntax', message: '', line: 1, column: 1 },
    ] as const
    expect(entryFault({ ...tool, diagnostics }, ['rye/core/runtimes/python/script'])).toBeUndefined()
  })

  it('is one whose program cannot be called as a function', () => {
    const tool = makeTool('my/tool', { entry: { execute: null, main: true } })
    expect(entryFault(tool, ['rye/core/runtimes/python/function'])).toContain('nothing in it can be run')
    expect(entryFault(tool, ['rye/core/runtimes/python/script'])).toBeUndefined()
  })
})

describe('placeholders in shell text', () => {
  const SCHEMA: JsonObject = { type: 'object', properties: { city: { type: 'string' } } }
  const faults = (command: string, extra: JsonObject = {}) =>
    programFaults(makeTool('my/tool', { executor_id: BASH, config: { command }, ...extra }))

  it('are refused with the variable to write', () => {
    expect(faults('curl {city} {city}')).toEqual([
      'nothing fills in `{city}` in shell text: write `"$PARAM_CITY"`; put braces meant for another program in single quotes or after `\\`',
    ])
  })

  it.each(['echo "{project_path}"', 'echo "{a_name}"', "echo 'x'{b}"])('%s is refused', command => {
    expect(faults(command)).toHaveLength(1)
  })

  it.each([
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what is tested
    'echo "${city}" $city',
    "jq '{city}'",
    "awk '{print}' # {city}",
    'cp {a,b} there',
    'echo {1..3} {} \\{city}',
    'curl -w %{http_code} @{upstream} {{city}}',
    'f() { ls; }',
  ])('%s stays as it is', command => {
    expect(faults(command)).toEqual([])
  })

  it.each([undefined, null, 'text', { command: ['echo', '{city}'] }])(
    'are not looked for where no command is, which is a fault itself: %j',
    config => {
      const metadata = { executor_id: BASH, config_schema: SCHEMA, ...(config !== undefined && { config }) }
      expect(programFaults(makeTool('my/tool', metadata))).toEqual([
        'nothing in it can be run: expected shell text in `config.command`',
      ])
    },
  )

  it('in single quotes are refused if they name a parameter', () => {
    expect(faults("echo '{city}'", { config_schema: SCHEMA })).toHaveLength(1)
  })

  it('in a script are refused if they name a parameter', () => {
    const script = (text: string) =>
      programFaults(
        makeTool('my/tool', { executor_id: BASH, config_schema: SCHEMA }, { extension: '.sh', text }),
      )
    expect(script('#!/bin/sh\n# {city}\necho "{city}"\n')).toHaveLength(1)
    expect(script('#!/bin/sh\n# {city}\necho "{other}"\n')).toEqual([])
  })
})
