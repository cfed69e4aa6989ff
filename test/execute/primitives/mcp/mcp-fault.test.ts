import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { asAppError } from '../../../../src/execute/primitives/mcp/mcp-fault.ts'
import type { McpServer } from '../../../../src/plan/index.ts'

const server = (...args: string[]): Extract<McpServer, { transport: 'stdio' }> => ({
  id: 'mcp/servers/x',
  digest: '',
  transport: 'stdio',
  command: 'node',
  args,
  env: {},
  cwd: '/home/ann/project',
  mayUseProject: false,
})
const projectPath = '/home/ann/project'
const hintOf = (stderr: string, ...args: string[]) => hintAt(projectPath, stderr, ...args)
const hintAt = (cwd: string, stderr: string, ...args: string[]) =>
  asAppError(
    new Error('closed'),
    { server: { ...server(...args), cwd }, projectPath },
    {
      ending: () => 'it ended with exit status 1',
      evidence: () => stderr,
      takeRefusal: () => undefined,
    },
  ).hint

it.each([
  ["Error: Cannot find module '/home/ann/weather/index.js'", '/home/ann/weather/index.js'],
  ["Error: ENOENT: no such file or directory, stat '/home/ann/Desktop'", '/home/ann/Desktop'],
])('a path that a sandbox hides is told: %s', (said, path) => {
  expect(hintOf(said, '-y', path)).toContain(`if \`${path}\` exists, the sandbox hides it`)
})

it.each([
  ["Cannot find module '/home/ann/project/index.js'", '/home/ann/project/index.js'],
  ["Cannot find module 'zod', required by index.js", '/home/ann/weather/index.js'],
  ['/home/ann/weather/index.js:1: SyntaxError', '/home/ann/weather/index.js'],
])('what is missing for another reason is not: %s', (said, path) => {
  expect(hintOf(said, path)).toBeUndefined()
})

it.each([
  ["Error: Cannot find module '/server.js'", 'server.js'],
  ["python3: can't open file '/servers/units.py': [Errno 2] No such file or directory", 'servers/units.py'],
])('a path that is not of the folder where it starts is told: %s', (said, path) => {
  expect(hintOf(said, '-u', path)).toBe(
    `a server starts in \`/home/ann/project\`: in its item, a file of the project is \`{project_path}/${path}\``,
  )
})

it.each([
  ['python3: No module named units', ['-m', 'units']],
  ["python3: can't open file '//units': [Errno 2] No such file or directory", ['units']],
  ["Error: Cannot find package 'tsx' imported from /", ['--import', 'tsx', '/home/ann/project/x.ts']],
  [
    'File "/home/ann/project/x.py", line 1\nFileNotFoundError: [Errno 2] No such file or directory: \'a.json\'',
    ['/home/ann/project/x.py'],
  ],
])('what a server looks for where it starts is told: %s', (said, args) => {
  expect(hintAt('/', said, ...args)).toMatch(
    /^servers start in `\/`: .*`cwd: "\{project_path\}"` in its item/,
  )
  expect(hintOf(said, ...args)).toBeUndefined()
})

it('a registry that does not have a package is no reason to start elsewhere', () => {
  expect(hintAt('/', 'npm error 404 Not Found - GET https://registry.npmjs.org/x')).toBeUndefined()
})

it('an interpreter of the project that its name does not mean is told', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rye-fault-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const python = join(folder, '.venv/bin/python')
  mkdirSync(dirname(python), { recursive: true })
  writeFileSync(python, '')
  chmodSync(python, 0o755)
  const started = {
    ...server('server.py'),
    command: 'python',
    env: { PATH: dirname(python), HOME: '/home/ann' },
  }
  const { hint } = asAppError(
    new Error('closed'),
    { server: { ...started, cwd: '/' }, projectPath: folder },
    {
      ending: () => undefined,
      evidence: () => "ModuleNotFoundError: No module named 'mcp'",
      takeRefusal: () => undefined,
    },
  )
  expect(hint).toContain('give its path in the item, `{project_path}/.venv/bin/python`')
})

it('a reason of many lines is told on one', () => {
  const called = { server: server(), projectPath }
  const { message } = asAppError(
    new Error('Invalid result: [\n  {\n    "path": []\n  }\n]'),
    called,
    undefined,
  )
  expect(message).toBe('server `mcp/servers/x` failed: Invalid result: [ { "path": [] } ]')
})
