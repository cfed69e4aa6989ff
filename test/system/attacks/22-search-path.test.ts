// A search path with entries that lead into a clone: relative ones, which do so from any current folder, and
// folders of the clone. Its programs are named like those that we start.
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { makeSignedProject, nodeHead, pythonHead, type SignedProject, shellHead } from './signed-project.ts'

let project: SignedProject
let env: { PATH: string }
beforeAll(async () => {
  project = await makeSignedProject()
  for (const folder of ['', 'bin/'])
    for (const name of ['bash', 'python3', 'node', 'git', 'sh', 'units'])
      chmodSync(project.write(folder + name, `#!/bin/sh\ntouch ${stolen()}\nexit 9\n`), 0o755)
  env = { PATH: `.::bin:${project.project}/bin:${project.environment.PATH}` }
  project.write('.ai/tools/shell.sh', `${shellHead()}echo "\\"$PATH\\""\n`)
  project.write('.ai/tools/function.py', `${pythonHead()}def execute(params, project_path):\n    return 1\n`)
  project.write('.ai/tools/script.py', `${pythonHead('script')}if __name__ == "__main__":\n    print(1)\n`)
  project.write('.ai/tools/module.mjs', `${nodeHead()}export const execute = () => 1\n`)
  project.write('.ai/tools/named.yaml', commandTool('units'))
  project.write('.ai/tools/placed.yaml', commandTool('{project_path}/bin/units'))
  await project.sign('shell', 'function', 'script', 'module', 'named', 'placed')
})
beforeEach(() => rmSync(stolen(), { force: true }))
afterAll(() => project.remove())

const stolen = () => join(project.project, 'stolen')

function commandTool(command: string): string {
  return `tool_type: subprocess\nexecutor_id: subprocess\ncategory: ''\nversion: 1.0.0\ndescription: A program\nconfig:\n  command: '${command}'\n`
}

it.each(['function', 'script', 'module'])('%s runs, and nothing of the clone', async id => {
  expect(await project.execute(id, {}, env)).toMatchObject({ status: 'success', data: 1 })
  expect(existsSync(stolen())).toBe(false)
})

it('a tool gets the search path without what is relative', async () => {
  const answer = await project.execute('shell', {}, env)
  expect(answer).toMatchObject({
    status: 'success',
    data: `${project.project}/bin:${project.environment.PATH}`,
  })
  expect(existsSync(stolen())).toBe(false)
})

it('an interpreter of the project that is left out is named', async () => {
  const { warning } = await project.execute('function', {}, env)
  expect(warning).toContain(`\`${project.project}/bin/python3\` was not used`)
  expect(warning).toContain('[execute.project_interpreters]')
})

it('a program that is in the clone alone runs if the signed item names its path, not its name', async () => {
  const answer = await project.execute('named', {}, env)
  expect(answer).toMatchObject({ status: 'error', code: 'INTERPRETER_MISSING' })
  expect(answer.error).toContain('was found only inside the project')
  expect(existsSync(stolen())).toBe(false)
  expect(await project.execute('placed', {}, env)).toMatchObject({ status: 'error', data: { exit_code: 9 } })
  expect(existsSync(stolen())).toBe(true)
})

it('the command of a server has a name of the clone where the user allows that, as an interpreter has', async () => {
  chmodSync(project.write('bin/only-here', '#!/bin/sh\necho planted >&2\nexit 9\n'), 0o755)
  project.write(
    '.ai/tools/mcp/servers/s.yaml',
    `tool_type: mcp_server\nexecutor_id: null\ncategory: mcp/servers\nversion: 1.0.0\ndescription: A server\nconfig: { transport: stdio, command: only-here }\n`,
  )
  project.write(
    '.ai/tools/mcp/s/t.yaml',
    'tool_type: mcp\nexecutor_id: rye/core/runtimes/mcp/stdio\ncategory: mcp/s\nversion: 1.0.0\ndescription: A tool\nconfig: { server: mcp/servers/s, tool_name: t }\n',
  )
  await project.sign('mcp/servers/s', 'mcp/s/t')
  const refused = await project.execute('mcp/s/t', {}, env)
  expect(refused).toMatchObject({ status: 'error', code: 'INTERPRETER_MISSING' })
  expect(refused.error).toContain('was found only inside the project')
  const settings = join(project.user, '.ai/config/rye.toml')
  mkdirSync(join(settings, '..'), { recursive: true })
  writeFileSync(settings, `[execute.project_interpreters]\n"${project.project}" = "allow"\n`)
  const allowed = await project.execute('mcp/s/t', {}, env)
  rmSync(settings)
  expect(JSON.stringify(allowed)).toContain('planted')
})

it('git is not started from the clone', async () => {
  expect((await project.run('git', ['init', '--quiet'])).status).toBe(0)
  expect((await project.rye(['init', '--merge-driver'], { env })).status).toBe(0)
  expect(existsSync(stolen())).toBe(false)
})

it('an environment of a project is not asked outside of a sandbox, whichever project a call is about', async () => {
  const escaped = join(project.root, 'escaped')
  chmodSync(project.write('.venv/bin/python3', `#!/bin/sh\ntouch ${escaped}\nexit 9\n`), 0o755)
  const PATH = `${project.project}/.venv/bin:${project.environment.PATH}`
  for (const folder of ['project/src', 'other']) {
    const inner = join(project.root, folder)
    mkdirSync(join(inner, '.ai/tools'), { recursive: true })
    writeFileSync(
      join(inner, '.ai/tools/inner.py'),
      `${pythonHead()}def execute(params, project_path):\n    return 1\n`,
    )
    expect((await project.rye(['sign', 'tool:inner', '--project', inner])).status).toBe(0)
    await project.rye(['execute', 'inner', '--project', inner], { env: { PATH } })
  }
  await project.rye(['doctor'], { env: { PATH } })
  expect(existsSync(escaped)).toBe(false)
})
