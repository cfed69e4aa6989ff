import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/base/json.ts'
import {
  readInterpreterRequest,
  requireInterpreter,
} from '../../../src/plan/invocation/interpreter-request.ts'
import type { VerifiedTool } from '../../../src/plan/types.ts'
import { failureOf, makeTool } from '../world.ts'

const TOOL = makeTool('my/tool', {})
const PLACES = {
  projectPath: '/srv/app',
  userSpace: '/home/ada',
  env: { HOME: '/home/ada' },
  nodePath: '/opt/node/bin/node',
  projectInterpreters: 'allow' as const,
}

function read(declared: JsonObject, tool: VerifiedTool = TOOL, env: Record<string, string> = PLACES.env) {
  return readInterpreterRequest(declared, { tool, hasSecrets: false }, { ...PLACES, env })!
}

const PYTHON = {
  type: 'local_binary',
  binary: 'python3',
  candidates: ['python'],
  search_paths: ['.venv/bin', '.venv/Scripts'],
  var: 'RYE_PYTHON',
}

describe('an interpreter request', () => {
  test.each([
    [
      PYTHON,
      {
        files: [
          '/srv/app/.venv/bin/python3',
          '/srv/app/.venv/bin/python',
          '/srv/app/.venv/Scripts/python3',
          '/srv/app/.venv/Scripts/python3.exe',
          '/srv/app/.venv/Scripts/python',
          '/srv/app/.venv/Scripts/python.exe',
        ],
        names: ['python3', 'python'],
        command: null,
      },
    ],
    [
      {
        type: 'local_binary',
        binary: 'perl',
        search_paths: ['bin'],
        search_roots: ['{project_path}', 'vendor', '/opt/perl'],
      },
      {
        files: ['/srv/app/bin/perl', '/srv/app/bin/perl', '/srv/app/vendor/bin/perl', '/opt/perl/bin/perl'],
        names: ['perl'],
        command: null,
      },
    ],
    [
      { type: 'system_binary', binary: 'bash' },
      { files: [], names: ['bash'], command: null },
    ],
    [
      { type: 'command', resolve_cmd: ['rustup', 'which', 'cargo'] },
      { files: [], names: [], command: ['rustup', 'which', 'cargo'] },
    ],
    [
      { type: 'venv_python', venv_path: 'env' },
      {
        files: ['/srv/app/env/bin/python', '/srv/app/env/bin/python3', '/srv/app/env/Scripts/python.exe'],
        names: [],
        command: null,
      },
    ],
    [{ type: 'node' }, { files: ['/opt/node/bin/node'], names: ['node'], command: null }],
    [
      { type: 'system_binary', binary: 'bash', var: null },
      { files: [], names: ['bash'], command: null },
    ],
    [
      { type: 'version_manager', manager: 'pyenv', version: '3.12.1' },
      { files: ['/home/ada/.pyenv/versions/3.12.1/bin/python'], names: [], command: null },
    ],
    [
      { type: 'version_manager', manager: 'nvm', version: '22.1.0' },
      { files: ['/home/ada/.nvm/versions/node/v22.1.0/bin/node'], names: [], command: null },
    ],
    [
      { type: 'version_manager', manager: 'rbenv', version: '3.3.0' },
      { files: ['/home/ada/.rbenv/versions/3.3.0/bin/ruby'], names: [], command: null },
    ],
    [
      { type: 'version_manager', manager: 'asdf', version: '20.1.0', binary: 'node' },
      { files: ['/home/ada/.asdf/installs/nodejs/20.1.0/bin/node'], names: [], command: null },
    ],
  ])('of %j', (declared, request) => {
    expect(read(declared as JsonObject).request).toEqual(request)
  })

  test('begins with what the caller’s own environment says', () => {
    const { request } = read(PYTHON, TOOL, { RYE_PYTHON: '/opt/py/bin/python' })
    expect(request.files[0]).toBe('/opt/py/bin/python')
    expect(read(PYTHON, TOOL, { RYE_PYTHON: 'pypy3' }).request.names[0]).toBe('pypy3')
  })

  test.each([
    ['a user tool', makeTool('my/tool', {}, { space: 'user' })],
    ['a system tool', makeTool('my/tool', {}, { space: 'system' })],
    ['a system tool copied to the project', makeTool('my/tool', {}, { verdict: { format: 'manifest' } })],
  ])('for %s leaves the project’s own binaries out', (_, tool) => {
    expect(read(PYTHON, tool).request.files).toEqual([])
  })

  test.each([
    ['refuse', false, false],
    ['refuse', true, false],
    ['allow', false, true],
    ['allow', true, false],
    ['with-secrets', false, true],
    ['with-secrets', true, true],
  ] as const)(
    'where the user says %s, for a tool with secrets: %s, has the project’s own: %s',
    (projectInterpreters, hasSecrets, isOwn) => {
      const places = { ...PLACES, projectInterpreters }
      const wanted = readInterpreterRequest(PYTHON, { tool: TOOL, hasSecrets }, places)!
      expect(wanted.request.files.includes('/srv/app/.venv/bin/python3')).toBe(isOwn)
      expect(wanted.refused.includes('/srv/app/.venv/bin/python3')).toBe(!isOwn)
    },
  )

  test('that leaves out a file of the project says so, and what would allow it', async () => {
    const places = { ...PLACES, projectInterpreters: 'refuse' as const }
    const wanted = readInterpreterRequest(PYTHON, { tool: TOOL, hasSecrets: true }, places)!
    const { path, note } = await requireInterpreter(
      wanted,
      'e',
      async ({ files, names }) => files[0] ?? names[0],
    )
    expect(path).toBe('python3')
    expect(note).toBe(
      '`/srv/app/.venv/bin/python3` was not used, because nobody verified it; to allow it, write `"/srv/app" = "with-secrets"` below `[execute.project_interpreters]` in `/home/ada/.ai/config/rye.toml`',
    )
    const none = await requireInterpreter(wanted, 'e', async ({ names }) => names[0])
    expect(none).toEqual({ path: 'python3', note: undefined })
  })

  test('leaves out what the search path has in the project, and says so', async () => {
    const find = async ({ files, names }: { files: readonly string[]; names: readonly string[] }) =>
      files.find(file => file.startsWith('/srv/app/env/')) ?? names[0]
    const lookFor = (env: Record<string, string>, projectInterpreters: 'refuse' | 'allow') => {
      const places = { ...PLACES, projectInterpreters, env: { ...PLACES.env, ...env } }
      return readInterpreterRequest(PYTHON, { tool: TOOL, hasSecrets: false }, places)!
    }
    const PATH = '/srv/app/env/bin:.:/srv/apple/bin:/usr/bin'
    const wanted = lookFor({ PATH }, 'refuse')
    expect(wanted.request.outside).toBe('/srv/app')
    expect((await requireInterpreter(wanted, 'e', find)).note).toContain(
      '`/srv/app/env/bin/python3` was not used',
    )
    expect(wanted.refused.join()).not.toContain('/srv/apple')
    expect(lookFor({ PATH }, 'allow')).toMatchObject({
      refused: [],
      request: { names: ['python3', 'python'] },
    })
    expect(lookFor({ PATH }, 'allow').request.outside).toBeUndefined()
    expect(lookFor({ PATH, HOME: '/srv/app' }, 'refuse').refused.join()).not.toContain('/srv/app/env')
  })

  test.each([
    [{ type: 'telepathy' }, 'unknown interpreter type `telepathy`'],
    [{ type: 'constructor' }, 'unknown interpreter type'],
    [{}, '`env_config.interpreter.type` must be a string'],
    [{ type: 'system_binary' }, '`env_config.interpreter.binary` must be a string'],
    [{ type: 'local_binary', binary: 'x', search_paths: ['../../bin'] }, 'points outside of its root'],
    [{ type: 'venv_python', venv_path: '../other' }, 'points outside of its root'],
    [{ type: 'local_binary', binary: 'x', search_paths: 'bin' }, 'must be a list of strings'],
    [{ type: 'version_manager', manager: 'sdkman', version: '1' }, 'unknown version manager'],
    [{ type: 'version_manager', manager: 'pyenv', version: '../../x' }, 'expected a version'],
    [{ type: 'version_manager', manager: 'asdf', version: '1.0.0' }, 'needs `binary`'],
    [{ type: 'system_binary', binary: 'x', var: 'A B' }, 'is not a variable name'],
  ])('%j is refused', (declared, reason) => {
    expect(() => read(declared as JsonObject)).toThrow(reason)
  })
})

describe('an interpreter that is looked for', () => {
  test('that is missing is reported with what was looked for and how to fix it', async () => {
    const interpreter = read({ type: 'system_binary', binary: 'perl', var: 'RYE_PERL' })
    const failure = await failureOf(requireInterpreter(interpreter, 'my/perl', async () => undefined))
    expect(failure.code).toBe('INTERPRETER_MISSING')
    expect(failure.message).toBe('no interpreter for `my/perl`; looked for system_binary: perl')
    expect(failure.hint).toContain('RYE_PERL')
  })

  test('may have a fallback, which is looked for last', async () => {
    const interpreter = read({ type: 'command', resolve_cmd: ['x'], fallback: 'python3' })
    const found = await requireInterpreter(
      interpreter,
      'a',
      async request => request.names[0] && `/usr/bin/${request.names[0]}`,
    )
    expect(found).toEqual({ path: '/usr/bin/python3', note: undefined })
  })
})
