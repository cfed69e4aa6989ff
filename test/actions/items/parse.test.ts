import { mkdirSync, symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findAction } from '../../../src/actions/table.ts'
import { type Answer, directive, knowledge, scratch, skill, tool } from '../../workspace/scratch.ts'

async function exitStatus(answer: Answer): Promise<number> {
  return (await findAction('parse')!.load()).exitStatus!(answer)
}

describe('parse', () => {
  it.each([
    [
      '.ai/tools/ops/a.py',
      tool('ops/a'),
      'tool',
      'python/ast',
      { version: '1.0.0', category: 'ops', name: 'a' },
    ],
    [
      '.ai/tools/a.ts',
      "export const __version__ = '2.0.0'\n",
      'tool',
      'javascript/javascript',
      { version: '2.0.0' },
    ],
    [
      '.ai/tools/a.mjs',
      "export const __version__ = '2.0.0'\n",
      'tool',
      'javascript/javascript',
      { version: '2.0.0' },
    ],
    ['.ai/tools/a.yaml', 'version: "3.0.0"\n', 'tool', 'yaml/yaml', { version: '3.0.0' }],
    ['.ai/tools/a.json', '{"version": "4.0.0"}', 'tool', 'json/json', { version: '4.0.0' }],
    ['.ai/tools/a.toml', 'version = "5.0.0"\n', 'tool', 'toml/toml', { version: '5.0.0' }],
    [
      '.ai/tools/a.sh',
      '#!/bin/sh\n# __version__ = "6.0.0"\n',
      'tool',
      'shell/comments',
      { version: '6.0.0' },
    ],
    ['.ai/directives/a.md', directive('a'), 'directive', 'markdown/xml', { name: 'a', version: '1.0.0' }],
    ['.ai/knowledge/a.md', knowledge('a'), 'knowledge', 'markdown/frontmatter', { title: 'a' }],
    ['.ai/skills/a/SKILL.md', skill('a'), 'skill', 'markdown/skill', { name: 'a' }],
    ['.ai/config/a.toml', 'x = 1\n', 'config', 'toml/toml', { x: 1 }],
  ])('reads %s', async (path, text, type, parser, metadata) => {
    const made = await scratch({ [path]: text }, { key: false })
    const { items } = await made.run('parse', { paths: [made.path(path)] })
    expect(items).toHaveLength(1)
    expect(Object.keys(items[0])).toEqual(['path', 'item_type', 'parser', 'metadata', 'body', 'diagnostics'])
    expect(items[0]).toMatchObject({
      path: made.path(path),
      item_type: type,
      parser,
      metadata,
      diagnostics: [],
    })
  })

  it('reads the items of a directory, and nothing else in it', async () => {
    const made = await scratch(
      {
        '.ai/tools/a.py': tool('a'),
        '.ai/tools/b.json': '{}',
        '.ai/tools/b.json.sig': '# x\n',
        '.ai/tools/node_modules/c.py': tool('c'),
        '.ai/skills/s/SKILL.md': skill('s'),
        '.ai/skills/s/references/r.md': '# r\n',
        '.ai/state/notes.md': 'x',
        'README.md': '# Read me\n',
        LICENSE: 'x',
      },
      { key: false },
    )
    symlinkSync(made.path('.ai/tools/a.py'), made.path('.ai/tools/link.py'))
    const { items } = await made.run('parse', { paths: [made.project] })
    expect(items.map((item: Answer) => item.path).sort()).toEqual(
      ['.ai/skills/s/SKILL.md', '.ai/tools/a.py', '.ai/tools/b.json'].map(made.path),
    )
  })

  it('guesses the type of a file elsewhere, or takes it from the caller', async () => {
    const made = await scratch({ 'x/a.py': tool('a'), 'x/s/SKILL.md': skill('s'), 'x/n.md': knowledge('n') })
    const read = async (path: string, input: object = {}) =>
      (await made.run('parse', { paths: [made.path(path)], ...input })).items[0]
    expect(await read('x/a.py')).toMatchObject({ item_type: 'tool' })
    expect(await read('x/s/SKILL.md')).toMatchObject({ item_type: 'skill' })
    expect(await read('x/n.md', { item_type: 'knowledge' })).toMatchObject({ metadata: { title: 'n' } })
    expect(await read('x/n.md')).toMatchObject({
      item_type: null,
      parser: null,
      diagnostics: [{ severity: 'error', code: 'type-unknown', line: 1, column: 1 }],
    })
  })

  it('a file that is not there is a failure, wherever its type would come from', async () => {
    const made = await scratch({})
    const answer = await made.run('parse', { paths: [made.path('nothing.md')] })
    expect(answer.items).toMatchObject([{ diagnostics: [{ code: 'file-missing' }] }])
    expect(await exitStatus(answer)).toBe(1)
  })

  it('one bad file does not keep the others from being read', async () => {
    const made = await scratch({
      '.ai/tools/good.py': tool('good'),
      '.ai/tools/odd.exe': 'x',
      '.ai/knowledge/bad name.md': knowledge('bad'),
      '.ai/knowledge/broken.md': '```yaml\nname: [\n```\n',
    })
    mkdirSync(made.path('.ai/tools/folder.py'))
    symlinkSync('/etc/passwd', made.path('.ai/tools/link.py'))
    const names = ['good.py', 'odd.exe', 'missing.py', 'link.py']
    const paths = [
      ...names.map(name => `.ai/tools/${name}`),
      '.ai/knowledge/bad name.md',
      '.ai/knowledge/broken.md',
    ]
    const answer = await made.run('parse', { paths: paths.map(made.path) })
    const codes = answer.items.map((item: Answer) => item.diagnostics.map((found: Answer) => found.code))
    expect(codes).toEqual([
      [],
      ['extension-unknown'],
      ['file-missing'],
      ['file-unreadable'],
      ['invalid-id'],
      [expect.stringContaining('yaml')],
    ])
    expect(answer.items[4].metadata.title).toBe('bad')
    expect(await exitStatus(answer)).toBe(1)
    expect(await exitStatus(await made.run('parse', { paths: [made.path('.ai/knowledge/broken.md')] }))).toBe(
      0,
    )
  })

  it('runs nothing and trusts nothing', async () => {
    const made = await scratch()
    made.write('.ai/tools/evil.py', `${tool('evil')}\nopen("${made.path('ran')}", "w")\n`)
    const { items } = await made.run('parse', { paths: [made.path('.ai/tools/evil.py')] })
    expect(items[0].metadata.version).toBe('1.0.0')
    expect(() => made.read('ran')).toThrow()
  })
})
