// A tool may be signed before its executor exists; that is only a warning.
import { expect, it } from 'vitest'
import { scratch } from '../../../workspace/scratch.ts'

function yaml(executor: string, more = ''): string {
  return `tool_type: python\nversion: "1.0.0"\ncategory: ""\ndescription: Runs\nexecutor_id: ${executor}\n${more}`
}

it.each([
  ['python_script_runtime', []],
  ['rye/core/runtimes/node/node', []],
  ['subprocess', []],
  ['rye/core/primitives/execute', []],
  ['null', []],
  [
    'ruby_script_runtime',
    [
      'it cannot run yet: its executor_id names `ruby_script_runtime`, and there is no such tool in the project space or below',
    ],
  ],
  [
    'rye/core/runtimes/ruby',
    [
      'it cannot run yet: its executor_id names `rye/core/runtimes/ruby`, and there is no such tool in the package',
    ],
  ],
  ['../up', [expect.stringContaining('it cannot run: executor_id: ')]],
])('executor_id: %s', async (executor, warnings) => {
  const made = await scratch({ '.ai/tools/a.yaml': yaml(executor) })
  expect(await made.run('sign', { item_id: 'tool:a' })).toMatchObject({ status: 'signed', warnings })
})

it('a runtime of one’s own counts where the tool can reach it, signed or not', async () => {
  const runtime = yaml('subprocess').replace('python', 'runtime')
  const made = await scratch({
    '.ai/tools/mine.yaml': runtime,
    '.ai/tools/a.yaml': yaml('mine'),
    'user:.ai/tools/b.yaml': yaml('mine'),
  })
  expect(await made.run('sign', { item_id: 'tool:a' })).toMatchObject({ warnings: [] })
  expect((await made.run('sign', { item_id: 'tool:b', source: 'user' })).warnings).toEqual([
    'it cannot run yet: its executor_id names `mine`, and there is no such tool in the user space or below',
  ])
})

it.each([
  ['refuse', 1],
  ['allow', 0],
] as const)('one under `rye/core/` counts by the user’s settings: %s', async (setting, count) => {
  const made = await scratch({
    'user:.ai/config/rye.toml': `[execute]\ncore_shadowing = "${setting}"\n`,
    '.ai/tools/rye/core/runtimes/ruby.yaml': yaml('subprocess'),
    '.ai/tools/a.yaml': yaml('rye/core/runtimes/ruby'),
  })
  expect((await made.run('sign', { item_id: 'tool:a' })).warnings).toHaveLength(count)
})

it('a pattern tells it of each', async () => {
  const made = await scratch({ '.ai/tools/a.yaml': yaml('none'), '.ai/tools/b.yaml': yaml('subprocess') })
  expect(await made.run('sign', { item_id: 'tool:*' })).toMatchObject({
    signed: ['a', 'b'],
    warnings: [{ item: 'a', warnings: [expect.stringContaining('`none`')] }],
  })
})
