import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/base/json.ts'
import type { Space } from '../../../src/item/index.ts'
import { collectFiles } from '../../../src/plan/invocation/anchor.ts'
import { describePrivateCopy } from '../../../src/plan/invocation/private-copy.ts'
import type { SiblingSource } from '../../../src/plan/types.ts'
import { failureOf, makeContext, makeTool, type ToolFacts, type WorldFacts } from '../world.ts'

const DIRECTORY = '/srv/app/.ai/tools/pkg/sub'
const ANCHOR = { enabled: true, mode: 'auto', markers_any: ['__init__.py'], root: 'tool_dir' }
const VERIFY = { enabled: true, scope: 'anchor', recursive: true, extensions: ['.py', '.json'] }

function collect(
  text: string,
  files: Record<string, NonNullable<WorldFacts['files']>[string]>,
  runtime: JsonObject = { anchor: ANCHOR, verify_deps: VERIFY },
  facts: ToolFacts = {},
  mode: Pick<SiblingSource, 'acceptsUnsigned'> = {},
) {
  const tool = makeTool('pkg/sub/tool', {}, { extension: '.py', text, ...facts })
  const chain = [tool, makeTool('r/runtime', runtime, { space: 'system' })]
  const placed = Object.fromEntries(
    Object.entries({ 'tool.py': text, ...files }).map(([path, file]) => [
      path.startsWith('/') ? path : `${DIRECTORY}/${path}`,
      file,
    ]),
  )
  return collectFiles(chain, { ...makeContext({ files: placed }).siblings, ...mode })
}

function paths(collected: { files: readonly { path: string }[] }): string[] {
  return collected.files.map(file => file.path)
}

const UNSIGNED = { text: 'evil', verdict: { status: 'unsigned' as const } }

describe('without an active anchor', () => {
  test('a tool that names no sibling is copied alone', async () => {
    expect(paths(await collect('print(1)', { 'other.py': 'x' }))).toEqual(['tool.py'])
  })

  test('siblings that it names are copied, and those that they name', async () => {
    const collected = await collect('import helper\n', {
      'helper.py': 'from deeper import x',
      'deeper.py': '',
      'other.py': '',
      'helper.so': '',
    })
    expect(paths(collected)).toEqual(['deeper.py', 'helper.py', 'tool.py'])
    expect(collected.anchor).toBeNull()
  })

  test('one that is not verified is left out, with the reason', async () => {
    const collected = await collect('import helper', { 'helper.py': UNSIGNED })
    expect(paths(collected)).toEqual(['tool.py'])
    expect(collected.leftOut).toEqual([{ path: 'helper.py', reason: 'unsigned' }])
  })

  test('unsigned siblings are copied in development mode, for tools of the project alone', async () => {
    const files = { 'helper.py': UNSIGNED }
    const copied = async (space: Space) =>
      paths(await collect('import helper', files, {}, { space }, { acceptsUnsigned: true }))
    expect(await copied('project')).toEqual(['helper.py', 'tool.py'])
    expect(await copied('user')).toEqual(['tool.py'])
    expect(await copied('system')).toEqual(['tool.py'])
  })

  test('names with dashes are seen too', async () => {
    expect(paths(await collect("import './my-helper.js'", { 'my-helper.py': '' }))).toContain('my-helper.py')
  })

  test('scope tool_file means the tool alone', async () => {
    const rules = { verify_deps: { scope: 'tool_file', extensions: ['.py'] } }
    expect(paths(await collect('import helper', { 'helper.py': '' }, rules))).toEqual(['tool.py'])
  })
})

describe('with an active anchor', () => {
  const PACKAGE = {
    '__init__.py': '',
    'a/b.py': '',
    'data.json': '{}',
    'native.so': 'x',
    '__pycache__/x.py': UNSIGNED,
  }

  test('every file of the package is copied, by extension', async () => {
    const collected = await collect('', PACKAGE)
    expect(paths(collected)).toEqual(['__init__.py', 'a/b.py', 'data.json', 'tool.py'])
    expect(collected.anchor).toMatchObject({ root: 'tool_dir' })
  })

  test.each([
    ['unsigned', 'ITEM_UNSIGNED'],
    ['tampered', 'ITEM_TAMPERED'],
    ['untrusted', 'ITEM_UNTRUSTED'],
    ['malformed', 'ITEM_MALFORMED'],
  ] as const)('one that is %s stops the run', async (status, code) => {
    const failure = await failureOf(collect('', { ...PACKAGE, 'a/b.py': { text: 'x', verdict: { status } } }))
    expect(failure.code).toBe(code)
    expect(failure.message).toContain(`a/b.py, a dependency of \`pkg/sub/tool\`, is ${status}`)
  })

  test('scope tool_siblings stays in the folder', async () => {
    const collected = await collect('', PACKAGE, {
      anchor: ANCHOR,
      verify_deps: { ...VERIFY, scope: 'tool_siblings' },
    })
    expect(paths(collected)).toEqual(['__init__.py', 'data.json', 'tool.py'])
  })

  test('root tool_parent begins one folder up, and never above the folder of tools', async () => {
    const up = { anchor: { ...ANCHOR, root: 'tool_parent' }, verify_deps: VERIFY }
    const collected = await collect('', { ...PACKAGE, '/srv/app/.ai/tools/pkg/shared.py': '' }, up)
    expect(collected.toolPath).toBe('sub/tool.py')
    expect(paths(collected)).toEqual([
      'shared.py',
      'sub/__init__.py',
      'sub/a/b.py',
      'sub/data.json',
      'sub/tool.py',
    ])
    const shallow = makeTool('sub/tool', {}, { extension: '.py' })
    const files = { '/srv/app/.ai/tools/sub/__init__.py': '', '/srv/app/.ai/tools/secret.py': '' }
    const chain = [shallow, makeTool('r', up, { space: 'system' })]
    expect(paths(await collectFiles(chain, makeContext({ files }).siblings))).toEqual([
      '__init__.py',
      'tool.py',
    ])
  })

  test.each([
    [{ ...ANCHOR, enabled: false }],
    [{ ...ANCHOR, mode: 'never' }],
    [{ ...ANCHOR, markers_any: ['setup.py'] }],
  ])('%j is not active', async anchor => {
    expect((await collect('', PACKAGE, { anchor, verify_deps: VERIFY })).anchor).toBeNull()
  })

  test('mode always needs no marker', async () => {
    expect(
      paths(
        await collect('', { 'x.py': '' }, { anchor: { ...ANCHOR, mode: 'always' }, verify_deps: VERIFY }),
      ),
    ).toEqual(['tool.py', 'x.py'])
  })

  test('without a library of the runtime, none is copied', async () => {
    const lib = { '/opt/rye/system/.ai/tools/r/lib/shim.py': 'shim' }
    for (const anchor of [ANCHOR, { ...ANCHOR, lib: 7 }, { ...ANCHOR, lib: 'lib', enabled: false }]) {
      const collected = await collect('', lib, { anchor, verify_deps: VERIFY })
      expect([paths(collected), collected.hasLib]).toEqual([['tool.py'], false])
    }
  })

  test('siblings of a tool below its anchor lie where the tool does', async () => {
    const collected = await collect(
      '',
      { ...PACKAGE, '/srv/app/.ai/tools/pkg/shared.py': '' },
      {
        anchor: { ...ANCHOR, root: 'tool_parent' },
        verify_deps: { ...VERIFY, scope: 'tool_siblings' },
      },
    )
    expect(paths(collected)).toEqual(['sub/__init__.py', 'sub/data.json', 'sub/tool.py'])
  })

  test('the runtime’s library is copied into a folder of its own', async () => {
    const anchor = { ...ANCHOR, lib: 'lib' }
    const collected = await collect(
      '',
      { '/opt/rye/system/.ai/tools/r/lib/shim.py': 'shim' },
      { anchor, verify_deps: VERIFY },
    )
    expect(paths(collected)).toEqual(['.rye-lib/shim.py', 'tool.py'])
    expect(collected.hasLib).toBe(true)
    const failure = await failureOf(
      collect('', {}, { anchor: { ...ANCHOR, lib: '../../..' }, verify_deps: VERIFY }),
    )
    expect(failure.message).toContain('points outside of its folder')
  })
})

describe('a listing', () => {
  function listing(...listed: string[]): SiblingSource {
    return { ...makeContext({}).siblings, list: async () => listed }
  }
  const chain = [
    makeTool('pkg/tool', {}, { extension: '.py', text: 'passwd' }),
    makeTool('r', { anchor: { ...ANCHOR, mode: 'always' }, verify_deps: VERIFY }, { space: 'system' }),
  ]

  test.each([
    '../passwd.py',
    '/etc/passwd.py',
    'a/../../passwd.py',
    './passwd.py',
    'a\\..\\passwd.py',
    'C:/passwd.py',
    '.rye-lib/passwd.py',
  ])('that names %s is refused', async path => {
    expect((await failureOf(collectFiles(chain, listing(path)))).message).toContain(
      'points outside of its folder',
    )
  })

  test('that refuses a link ends the run', async () => {
    const source: SiblingSource = { ...listing(), list: () => Promise.reject(new Error('link leads out')) }
    await expect(collectFiles(chain, source)).rejects.toThrow('link leads out')
  })

  test('of too many files is refused', async () => {
    const names = Array.from({ length: 1001 }, (_, index) => `f${index}.py`)
    const source: SiblingSource = {
      list: async () => names,
      read: async () => ({ bytes: new Uint8Array(), digest: '', verdict: chain[0]!.verdict }),
    }
    expect((await failureOf(collectFiles(chain, source))).code).toBe('CHAIN_INVALID')
  })
})

describe('a private copy', () => {
  const file = (path: string, digest: string) => ({ path, digest, bytes: new Uint8Array() })

  test('is named by the paths and contents in it', () => {
    const one = describePrivateCopy([file('a.py', '1')], '/cache')
    expect(one.directory).toBe(`/cache/${one.digest}`)
    expect(describePrivateCopy([file('a.py', '1')], '/cache').digest).toBe(one.digest)
    for (const other of [[file('a.py', '2')], [file('b.py', '1')], [file('a.py', '1'), file('b.py', '1')]]) {
      expect(describePrivateCopy(other, '/cache').digest).not.toBe(one.digest)
    }
  })
})
