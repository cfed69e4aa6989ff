// The examples of the documents that rye was built from, executed as they are written. The corpus of the parsers holds their files,
// letter by letter; calls stand here with the arguments that the documents give them. Where we deviate, DEVIATIONS says why.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePlace, PROGRAM } from './run-rye.ts'

type Json = Readonly<Record<string, unknown>>

/** The examples that are files, by a name of ours. */
const EXAMPLES = {
  'bash.py': 'python/valid/seed-003-bash/input.py',
  'context7.yaml': 'yaml/valid/seed-003-mcp-server/input.yml',
  'greet.ts': 'javascript/valid/seed-000-tool/input.ts',
  'knowledge.md': 'markdown-frontmatter/valid/seed-000-sample/input.md',
  'query-docs.yaml': 'yaml/valid/seed-003-mcp-tool/input.yaml',
  'required-structure.py': 'python/valid/seed-003-structure/input.py',
  'resolve-library-id.yaml': 'yaml/valid/seed-003-mcp-tool-resolve/input.yaml',
  'runtime.yaml': 'yaml/valid/seed-000-runtime/input.yaml',
  'shell-commands.py': 'python/valid/seed-000-tool/input.py',
  'write.py': 'python/valid/seed-003-write/input.py',
  'yaml-tool.yaml': 'yaml/valid/seed-003-tool/input.yaml',
} as const

/** What is not as the documents have it: the example, what happens instead, the reason. */
const DEVIATIONS = {
  'required-structure.py': [
    "name 'result' is not defined",
    'a template: its function names a variable that it leaves to the reader',
  ],
  'shell-commands.py': [
    'nothing in it can be run',
    'it shows metadata alone; without an entry a run would do nothing and pass for a success',
  ],
  'greet.ts': ['nothing in it can be run', 'as above'],
  'yaml-tool.yaml': [
    'runs .py files, got `category/path/tool_name` with `.yaml`',
    'a file of settings is no Python program; the newer documents give YAML tools runtimes of their own',
  ],
  'rye/bash/bash': ['did you mean `rye/bash`', 'the newer document has it at `.ai/tools/rye/bash.py`'],
} as const

const place = makePlace()
const client = new Client({ name: 'seeds', version: '1' })

beforeAll(async () => {
  expect(await place.rye(['keys', 'generate'])).toMatchObject({ status: 0 })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, 'mcp', '--profile', 'all'],
      cwd: place.project,
      env: place.environment,
      stderr: 'ignore',
    }),
  )
})

afterAll(async () => {
  await client.close()
  place.remove()
})

/** A call as a document writes it; its example paths are our project. */
async function call(name: string, given: Json): Promise<Json> {
  const result = await client.callTool({ name, arguments: { ...given, project_path: place.project } })
  return result.structuredContent as Json
}

function put(example: keyof typeof EXAMPLES, path: string, change = (text: string) => text): void {
  const file = join(place.project, '.ai', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(
    file,
    change(readFileSync(new URL(`../corpus/${EXAMPLES[example]}`, import.meta.url), 'utf8')),
  )
}

const signTool = (item_id: string) => call('sign', { item_type: 'tool', item_id, location: 'project' })
const runTool = (item_id: string, parameters: Json = {}) =>
  call('execute', { item_type: 'tool', item_id, parameters })

describe('authoring tools', () => {
  it('the file write tool writes, and stays in the project', async () => {
    put('write.py', 'tools/rye/file-system/write.py')
    expect(await signTool('rye/file-system/write')).toMatchObject({ status: 'signed' })
    const written = await runTool('rye/file-system/write', { file_path: 'a/b.txt', content: 'hello' })
    expect(written).toMatchObject({
      status: 'success',
      data: { success: true, file_path: 'a/b.txt', bytes_written: 5, created: true },
    })
    expect(readFileSync(join(place.project, 'a/b.txt'), 'utf8')).toBe('hello')
    expect(await runTool('rye/file-system/write', { file_path: '../out', content: '' })).toMatchObject({
      status: 'error',
      error: 'Path is outside the project workspace',
    })
  })

  it('the bash tool runs, and returns its exit code', async () => {
    put('bash.py', 'tools/rye/bash/bash.py')
    expect(await signTool('rye/bash/bash')).toMatchObject({ status: 'signed' })
    expect(await runTool('rye/bash/bash', { command: 'echo out; echo err >&2' })).toMatchObject({
      status: 'success',
      data: { success: true, stdout: 'out\n', stderr: 'err\n', exit_code: 0 },
    })
    expect(await runTool('rye/bash/bash', { command: 'exit 7' })).toMatchObject({
      status: 'error',
      data: { success: false, exit_code: 7 },
    })
  })

  it('the tools of an MCP server are planned up to the server', async () => {
    put('context7.yaml', 'tools/mcp/servers/context7.yaml')
    put('query-docs.yaml', 'tools/mcp/context7/query-docs.yaml')
    put('resolve-library-id.yaml', 'tools/mcp/context7/resolve-library-id.yaml')
    for (const id of ['mcp/servers/context7', 'mcp/context7/query-docs', 'mcp/context7/resolve-library-id'])
      expect(await signTool(id)).toMatchObject({ status: 'signed' })
    const parameters = { query: 'hooks', libraryName: 'react' }
    expect(
      await call('execute', { item_id: 'mcp/context7/resolve-library-id', parameters, dry_run: true }),
    ).toMatchObject({ status: 'validation_passed' })
    expect(await runTool('mcp/context7/query-docs', {})).toMatchObject({ code: 'PARAMETERS_INVALID' })
  })
})

describe('parsers', () => {
  it('the YAML runtime runs a Python tool', async () => {
    put(
      'runtime.yaml',
      'tools/own/script.yaml',
      text =>
        // What the excerpt leaves out, and what its place asks for.
        `${text.replace('rye/core/runtimes/python/script', 'own/script')}category: own\nversion: "1.0.0"\ndescription: Runs\n`,
    )
    const head = ['version', 'tool_type', 'executor_id', 'category', 'tool_description']
    const values = ['1.0.0', 'python', 'own/script', 'own', 'Says what it got']
    writeFileSync(
      join(place.project, '.ai/tools/own/say.py'),
      [
        ...head.map((name, at) => `__${name}__ = "${values[at]}"`),
        'import sys',
        'print(sys.argv[2])',
        '',
      ].join('\n'),
    )
    expect(await signTool('own/script')).toMatchObject({ status: 'signed' })
    expect(await signTool('own/say')).toMatchObject({ status: 'signed' })
    expect(await runTool('own/say', { command: 'ls' })).toMatchObject({
      status: 'success',
      data: { command: 'ls' },
    })
  })

  it('the knowledge entry executes to its body', async () => {
    put('knowledge.md', 'knowledge/rye/core/my-knowledge.md')
    expect(await call('sign', { item_type: 'knowledge', item_id: 'rye/core/my-knowledge' })).toMatchObject({
      status: 'signed',
    })
    expect(await call('execute', { item_type: 'knowledge', item_id: 'rye/core/my-knowledge' })).toMatchObject(
      { content: '# Content starts here' },
    )
  })
})

describe('what deviates', () => {
  it.each([
    [
      'required-structure.py',
      'tools/category/path/required.py',
      'category/path/required',
      { param_name: 'x' },
    ],
    ['shell-commands.py', 'tools/rye/bash/shell.py', 'rye/bash/shell', {}],
    ['greet.ts', 'tools/utility/greet.ts', 'utility/greet', { name: 'Ada' }],
    ['yaml-tool.yaml', 'tools/category/path/tool_name.yaml', 'category/path/tool_name', { param_name: 'x' }],
  ] as const)('%s', async (fixture, path, id, parameters) => {
    put(fixture, path)
    const signed = await signTool(id)
    const answer = signed.status === 'signed' ? await runTool(id, parameters) : signed
    expect(answer.status).toBe('error')
    expect(JSON.stringify(answer)).toContain(DEVIATIONS[fixture][0])
  })

  it('rye/bash/bash, where the package has it elsewhere', async () => {
    const fresh = makePlace()
    const { stderr } = await fresh.rye(['execute', 'tool:rye/bash/bash'])
    fresh.remove()
    expect(stderr).toContain(DEVIATIONS['rye/bash/bash'][0])
  })
})

describe('rye_fetch', () => {
  it.each([
    [{ item_type: 'tool', item_id: 'rye/file-system/read', source: 'system' }],
    [{ item_type: 'knowledge', item_id: 'rye/core/tool-metadata-reference', source: 'system' }],
    [{ item_type: 'knowledge', item_id: 'rye/core/terminology', source: 'system' }],
  ])('%j loads', async given => {
    const { item_id } = given
    expect(await call('fetch', given)).toMatchObject({
      status: 'success',
      metadata: { name: item_id.slice(item_id.lastIndexOf('/') + 1) },
      source: 'system',
    })
  })

  it('copies a system directive into the project', async () => {
    const given = { item_type: 'directive', item_id: 'rye/core/create_tool', source: 'system' }
    expect(await call('fetch', { ...given, destination: 'project' })).toMatchObject({
      status: 'success',
      copied_to: 'project',
      destination_path: join(place.project, '.ai/directives/rye/core/create_tool.md'),
    })
    expect(await call('fetch', { item_id: 'rye/core/create_tool', source: 'project' })).toMatchObject({
      source: 'project',
    })
  })

  it('says what is not found', async () => {
    expect(await call('fetch', { item_type: 'tool', item_id: 'my-project/missing-tool' })).toMatchObject({
      status: 'error',
      error: 'Item not found: my-project/missing-tool',
      item_type: 'tool',
      item_id: 'my-project/missing-tool',
    })
  })

  it.each([
    [{ query: 'create', scope: 'directive' }, 1],
    [{ query: 'read write', scope: 'tool.rye.file-system.*' }, 1],
    [{ query: 'thread', scope: 'tool', fields: { category: 'agent' } }, 0],
    [{ query: 'deploy', scope: 'directive', source: 'project' }, 0],
    [{ query: 'direcive', scope: 'directive', fuzzy: { enabled: true, max_distance: 2 } }, 1],
    [{ query: 'file tool', scope: 'tool', proximity: { enabled: true, max_distance: 5 } }, 0],
    [{ query: 'file OR directory', scope: 'rye.fetch.tool.rye.*' }, 1],
    [{ query: '(file OR dir) AND read', scope: 'tool' }, 1],
    [{ query: '*search', scope: 'tool' }, 1],
  ])('%j', async (given, least) => {
    const answer = await call('fetch', given)
    expect(answer).toMatchObject({ query: given.query, scope: given.scope, limit: 10, offset: 0 })
    expect(answer.total).toBeGreaterThanOrEqual(least)
  })
})

describe('the four tools', () => {
  it('search takes every filter of the example', async () => {
    const given = {
      item_type: 'tool',
      query: 'git operations',
      source: 'project',
      limit: 10,
      sort_by: 'score',
    }
    const filters = { category: 'git', tags: ['vcs'], date_from: '2024-01-01', date_to: '2024-12-31' }
    expect(await call('search', { ...given, ...filters })).toMatchObject({ results: [], total: 0 })
  })

  it('execute, load and sign take the arguments of the examples', async () => {
    const git = { item_type: 'tool', item_id: 'git' }
    const missing = { status: 'error', error: 'Item not found: git', code: 'ITEM_NOT_FOUND' }
    expect(
      await call('execute', { ...git, parameters: { command: 'status' }, dry_run: false }),
    ).toMatchObject(missing)
    expect(await call('load', { ...git, source: 'project', destination: 'user' })).toMatchObject(missing)
    const bootstrap = { item_type: 'directive', item_id: 'bootstrap', location: 'project', category: 'core' }
    expect(await call('sign', bootstrap)).toMatchObject({ status: 'error', code: 'ITEM_NOT_FOUND' })
  })
})
