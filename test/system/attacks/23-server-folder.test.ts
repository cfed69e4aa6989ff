// A clone brings modules, packages and files named like those that a signed MCP server starts with. The
// server's definition names none of them by a path of the project, so none of them runs.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeSignedProject, type SignedProject } from './signed-project.ts'

let project: SignedProject
beforeAll(async () => {
  project = await makeSignedProject()
  const python = 'import os, sys\nprint("planted", file=sys.stderr)\nos._exit(9)\n'
  project.write('pkg/__main__.py', python)
  project.write('json.py', python)
  project.write('server.py', python)
  const script = 'console.error("planted"); process.exit(9)\n'
  project.write('server.js', script)
  project.write('node_modules/files/index.js', script)
  project.write('node_modules/files/package.json', '{"version":"1.0.0","bin":"./index.js"}')
})
afterAll(() => project.remove())

/** Answers with all that is known of the failure to call its tool. */
async function callServer(command: string, args: readonly string[], cwd?: string): Promise<string> {
  const place = cwd === undefined ? '' : `\n  cwd: '${cwd}'`
  const config = `  transport: stdio\n  command: ${command}\n  args: ${JSON.stringify(args)}\n  timeout: 10${place}\n`
  project.write(
    '.ai/tools/mcp/servers/s.yaml',
    `tool_type: mcp_server\nexecutor_id: null\ncategory: mcp/servers\nversion: 1.0.0\ndescription: A server\nconfig:\n${config}`,
  )
  project.write(
    '.ai/tools/mcp/s/t.yaml',
    'tool_type: mcp\nexecutor_id: rye/core/runtimes/mcp/stdio\ncategory: mcp/s\nversion: 1.0.0\ndescription: A tool\nconfig: { server: mcp/servers/s, tool_name: t }\n',
  )
  await project.sign('mcp/servers/s', 'mcp/s/t')
  const answer = await project.execute('mcp/s/t')
  expect(answer.status).toBe('error')
  return JSON.stringify(answer)
}

it.each([
  ['a module by its name', 'python3', ['-m', 'pkg']],
  ['a module of Python', 'python3', ['-c', 'import json; print(json.__file__)']],
  ['a script', 'python3', ['server.py']],
  ['a script of Node', 'node', ['server.js']],
  ['a package', 'node', ['-e', 'require("files")']],
  ['a program of a package', 'npx', ['--offline', '-y', 'files']],
])('%s is not taken from the clone', async (_, command, args) => {
  expect(await callServer(command, args)).not.toContain('planted')
})

it('says how a file of the project is named', async () => {
  expect(await callServer('python3', ['server.py'])).toContain('{project_path}/server.py')
})

it.each([
  ['its file', ['{project_path}/server.py'], undefined],
  ['its folder', ['-m', 'pkg'], '{project_path}'],
])('a signed definition may name %s', async (_, args, cwd) => {
  expect(await callServer('python3', args, cwd)).toContain('planted')
})
