// Words of a command that name something in the project become paths of the project, and no other words do.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { placeFolder, placeServer, standIn } from '../../../src/actions/servers/place-server.ts'

let project: string
beforeAll(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'rye-place-')))
  mkdirSync(join(project, 'servers'))
  for (const name of ['server.py', 'servers/units.py', 'servers/run', 'chart.js', 'http.server', 'x'])
    writeFileSync(join(project, name), '')
})
afterAll(() => rmSync(project, { recursive: true }))

const placed = (command: string, ...args: string[]) =>
  placeServer({ command, args }, { projectPath: project }).args

it.each([
  ['python3', ['server.py'], ['{project_path}/server.py']],
  ['python3', ['-u', 'servers/units.py', '--fast'], ['-u', '{project_path}/servers/units.py', '--fast']],
  ['node', ['x'], ['{project_path}/x']],
  ['npx', ['-y', 'files', '.'], ['-y', 'files', '{project_path}']],
  ['npx', ['-y', 'files', './notes/', '..'], ['-y', 'files', '{project_path}/notes/', '{project_path}/..']],
  ['uv', ['run', './servers/units.py'], ['run', '{project_path}/servers/units.py']],
])('%s %j', (command, args, expected) => {
  expect(placed(command, ...args)).toEqual(expected)
})

it.each([
  ['npx', ['-y', 'chart.js']],
  ['/opt/homebrew/bin/npx', ['-y', 'chart.js']],
  ['uvx', ['x']],
  ['python3', ['-m', 'pkg', 'servers', 'missing.py']],
  ['python3', ['-m', 'http.server']],
  ['node', ['--import', 'x', '-r', 'chart.js']],
  ['node', ['/opt/server.js', '@scope/server', 'a'.repeat(300), 'a\0b', '']],
  ['docker', ['run', '-i', 'mcp/fetch:latest', '.env', '...']],
])('%s %j stay as they are', (command, args) => {
  expect(placed(command, ...args)).toEqual(args)
})

it.each([
  ['./server.py', '{project_path}/server.py'],
  ['./missing', '{project_path}/missing'],
  ['servers/run', '{project_path}/servers/run'],
  ['servers/missing', 'servers/missing'],
  ['server.py', 'server.py'],
  ['{project_path}/server.py', '{project_path}/server.py'],
  ['/usr/bin/env', '/usr/bin/env'],
])('the program %s is %s', (command, expected) => {
  expect(placeServer({ command }, { projectPath: project })).toEqual({ command: expected })
})

it('a path means what it does where a person stands, and else in the project', () => {
  const standing = { projectPath: project, directory: join(project, 'servers') }
  const args = ['units.py', './units.py', '../server.py', 'chart.js', './chart.js', '..']
  expect(placeServer({ command: './run', args }, standing)).toEqual({
    command: '{project_path}/servers/run',
    args: [
      '{project_path}/servers/units.py',
      '{project_path}/servers/units.py',
      '{project_path}/server.py',
      '{project_path}/chart.js',
      '{project_path}/chart.js',
      '{project_path}',
    ],
  })
  expect(placeFolder('.', standing)).toBe('{project_path}/servers')
  expect(placeFolder('..', standing)).toBe('{project_path}')
})

it('a link to the project is the project', () => {
  symlinkSync(project, join(project, 'link'))
  const standing = standIn(project, { directory: join(project, 'link') })
  expect(placeServer({ command: 'python3', args: ['./server.py'] }, standing).args).toEqual([
    '{project_path}/server.py',
  ])
  expect(standIn(project, {}).directory).toBeUndefined()
})

it('a caller who names a folder means that one', () => {
  const input = { command: 'python3', args: ['server.py', '.'], cwd: 'servers' }
  expect(placeServer(input, { projectPath: project })).toEqual(input)
  expect(placeServer({ url: 'https://x' }, { projectPath: project })).toEqual({ url: 'https://x' })
})
