// The examples from the document about authoring tools, executed as written.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Example, putContext7, readExample } from './seed-examples.ts'
import { chainOf, openServedLibrary, pythonHead, type ServedLibrary } from './served-library.ts'

let library: ServedLibrary
beforeAll(async () => {
  library = await openServedLibrary()
})
afterAll(() => library.close())

const SIGNED = { status: 'signed' }
const put = (example: Example, path: string) => library.write(path, readExample(example))

describe('authoring tools', () => {
  it('the file write tool writes, and stays in the project', async () => {
    put('write.py', 'tools/rye/file-system/write.py')
    expect(await library.signTool('rye/file-system/write')).toMatchObject(SIGNED)
    expect(
      await library.runTool('rye/file-system/write', { file_path: 'a/b.txt', content: 'hello' }),
    ).toMatchObject({
      status: 'success',
      data: { success: true, file_path: 'a/b.txt', bytes_written: 5, created: true },
    })
    expect(readFileSync(join(library.place.project, 'a/b.txt'), 'utf8')).toBe('hello')
    expect(
      await library.runTool('rye/file-system/write', { file_path: '../out', content: '' }),
    ).toMatchObject({ status: 'error', error: 'Path is outside the project workspace' })
    expect(await chainOf(library, 'rye/file-system/write', { file_path: 'a', content: '' })).toEqual([
      'rye/file-system/write',
      'rye/core/runtimes/python/function',
      'rye/core/primitives/subprocess',
    ])
  })

  it('the file write tool is a program as well', async () => {
    const { place } = library
    const words = [
      '--params',
      '{"file_path": "c.txt", "content": "by hand"}',
      '--project-path',
      place.project,
    ]
    const ran = await place.run('python3', [
      join(place.project, '.ai/tools/rye/file-system/write.py'),
      ...words,
    ])
    expect(ran.json()).toEqual({ success: true, file_path: 'c.txt', bytes_written: 7, created: true })
  })

  it('the bash tool runs, and returns its exit code', async () => {
    put('bash.py', 'tools/rye/bash/bash.py')
    expect(await library.signTool('rye/bash/bash')).toMatchObject(SIGNED)
    expect(await library.runTool('rye/bash/bash', { command: 'echo out; echo err >&2' })).toMatchObject({
      status: 'success',
      data: { success: true, stdout: 'out\n', stderr: 'err\n', exit_code: 0 },
    })
    expect(await library.runTool('rye/bash/bash', { command: 'exit 7' })).toMatchObject({
      status: 'error',
      data: { success: false, exit_code: 7 },
    })
    expect(await chainOf(library, 'rye/bash/bash', { command: 'ls' })).toEqual([
      'rye/bash/bash',
      'rye/core/runtimes/python/script',
      'rye/core/primitives/subprocess',
    ])
  })

  // The excerpts of one tool, joined; what they leave out is its head and the work that it does.
  it.each([
    ['python_function_runtime', 'def'],
    ['python_function_runtime', 'async def'],
    ['python_script_runtime', 'def'],
  ])('schema, execute() and the block for the command line make a tool: %s, %s', async (runtime, keyword) => {
    const id = `parts/${runtime}_${keyword.length}`
    const imports = 'import argparse, json\nfrom pathlib import Path\n'
    const work = 'def do_something(file_path):\n    return file_path.name\n'
    const parts = [
      pythonHead('parts', 'Made of parts', `rye/core/runtimes/${runtime}`),
      readExample('config-schema.py'),
      work,
      readExample('execute.py').replace('def execute', `${keyword} execute`),
      readExample('main-block.py'),
    ]
    library.write(`tools/${id}.py`, imports + parts.join('\n'))
    expect(await library.signTool(id)).toMatchObject(SIGNED)
    const given = { file_path: 'a/b.txt', content: '' }
    expect(await library.runTool(id, given)).toMatchObject({ data: { success: true, output: 'b.txt' } })
    expect(await library.runTool(id, { ...given, file_path: '/etc/passwd' })).toMatchObject({
      error: 'Path is outside the project workspace',
    })
    expect(await library.runTool(id, { file_path: 'a', timeout: 'soon' })).toMatchObject({
      code: 'PARAMETERS_INVALID',
      error: expect.stringMatching(/content[\s\S]*timeout|timeout[\s\S]*content/),
    })
  })

  it('the tools of an MCP server are planned up to the server', async () => {
    putContext7(library)
    for (const id of ['mcp/servers/context7', 'mcp/context7/query-docs', 'mcp/context7/resolve-library-id'])
      expect(await library.signTool(id)).toMatchObject(SIGNED)
    expect(
      await chainOf(library, 'mcp/context7/resolve-library-id', { query: 'hooks', libraryName: 'react' }),
    ).toHaveLength(3)
    expect(await library.runTool('mcp/context7/query-docs', {})).toMatchObject({ code: 'PARAMETERS_INVALID' })
  })

  it.each([
    ['rye/file-system/write', '.ai/tools/rye/file-system/write.py'],
    ['mcp/context7/query-docs', '.ai/tools/mcp/context7/query-docs.yaml'],
    ['rye/bash/bash', '.ai/tools/rye/bash/bash.py'],
  ])('%s is %s', async (item_id, path) => {
    expect(await library.call('load', { item_id })).toMatchObject({ path: join(library.place.project, path) })
  })
})
