import { symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { matchRules } from '../../src/skills/sniff/match-rules.ts'
import { type Answer, scratch } from '../workspace/scratch.ts'

const exists = (pattern: string) => ({ type: 'file_exists', pattern })
const like = (pattern: string) => ({ type: 'file_pattern', pattern })

describe('rules', () => {
  const project = {
    files: ['Cargo.toml', 'docs/a.md', 'src/main.rs'],
    has: (path: string) => ['Cargo.toml', '.git', '../secret', '/etc'].includes(path),
  }

  it.each([
    [exists('Cargo.toml'), 'Cargo.toml'],
    [exists('.git'), '.git'],
    [exists('main.rs'), undefined],
    [exists('../secret'), undefined],
    [exists('/etc'), undefined],
    [exists(''), undefined],
    [like('*.rs'), 'src/main.rs'],
    [like('docs/*.md'), 'docs/a.md'],
    [like('src/**'), 'src/main.rs'],
    [like('*.py'), undefined],
    [{ type: 'run_program', pattern: 'Cargo.toml' }, undefined],
  ])('%j matches %s', (rule, path) => {
    expect(matchRules([rule], project)).toEqual(path === undefined ? [] : [{ ...rule, path }])
  })
})

describe('skills sniff', () => {
  it('tells which skills of the library fit, and what is wrong with rules', async () => {
    const skill = (name: string) => `---\nname: ${name}\ndescription: Does ${name}\n---\n`
    const rule = (type: string, pattern: string) => `[[match]]\ntype = "${type}"\npattern = "${pattern}"\n`
    const made = await scratch({
      'Cargo.toml': '',
      'src/main.rs': '',
      '.ai/skills/rust/SKILL.md': skill('rust'),
      '.ai/skills/rust/extensions/sniffer/rules.toml':
        rule('file_exists', 'Cargo.toml') + rule('file_pattern', '*.rs'),
      '.ai/skills/any/SKILL.md': skill('any'),
      '.claude/skills/files/SKILL.md': skill('files'),
      '.claude/skills/files/extensions/sniffer/rules.toml': `${rule('file_pattern', '*.toml')}[[match]]\n`,
      '.ai/skills/python/SKILL.md': skill('python'),
      '.ai/skills/python/extensions/sniffer/rules.toml':
        rule('file_pattern', '*.py') + rule('language', 'python'),
    })
    const answer = await made.run('skills sniff', { directory: made.project })
    expect(answer.root).toBe(made.project)
    expect(answer.skills).toEqual([
      {
        item_id: 'rust',
        space: 'project',
        matches: [
          { type: 'file_exists', pattern: 'Cargo.toml', path: 'Cargo.toml' },
          { type: 'file_pattern', pattern: '*.rs', path: 'src/main.rs' },
        ],
      },
      {
        item_id: 'files',
        space: 'project',
        matches: [{ type: 'file_pattern', pattern: '*.toml', path: 'Cargo.toml' }],
      },
    ])
    expect(answer.diagnostics).toMatchObject([
      { path: 'files/extensions/sniffer/rules.toml', code: 'sniffer-rule' },
      {
        path: 'python/extensions/sniffer/rules.toml',
        message:
          'rule 2: expected the type `file_exists` or `file_pattern`, got `language`: it matches nothing',
      },
    ])
  })

  it('tells of signs that are taken as they are, which match nothing in most projects', async () => {
    const rules: readonly (readonly [type: string, pattern: string, said?: string])[] = [
      [
        'file_pattern',
        '*.{rs,py}',
        'only `*`, `?` and `**` stand for others in `*.{rs,py}`: write a rule for each',
      ],
      [
        'file_pattern',
        '[a-z].rs',
        'only `*`, `?` and `**` stand for others in `[a-z].rs`: write a rule for each',
      ],
      ['file_exists', '*.rs', '`file_exists` takes `*.rs` as a name: use `file_pattern`'],
      ['file_pattern', '**/*.r?'],
      ['file_exists', '{x}.rs'],
      ['file_pattern', 'routes/[]/*.ts'],
    ]
    const made = await scratch({
      'x.rs': '',
      '.ai/skills/rust/SKILL.md': '---\nname: rust\ndescription: Does rust\n---\n',
      '.ai/skills/rust/extensions/sniffer/rules.toml': rules
        .map(([type, pattern]) => `[[match]]\ntype = "${type}"\npattern = "${pattern}"\n`)
        .join(''),
    })
    const { skills, diagnostics } = await made.run('skills sniff', { directory: made.project })
    expect(diagnostics.map(({ line, message }: Answer) => [line, message])).toEqual(
      rules.flatMap(([, , said], index) =>
        said === undefined ? [] : [[3 * index + 3, `rule ${index + 1}: ${said}`]],
      ),
    )
    expect(skills[0].matches).toHaveLength(1)
  })

  it('tells what it did not look at, once of each kind, and looks for nothing behind a link', async () => {
    const rules = ['outside/secret.txt', 'linked.txt', 'a/deep.rs'].map(
      pattern => `[[match]]\ntype = "file_exists"\npattern = "${pattern}"\n`,
    )
    const made = await scratch({
      '.ai/skills/one/SKILL.md': '---\nname: one\ndescription: Does one\n---\n',
      '.ai/skills/one/extensions/sniffer/rules.toml': rules.join(''),
      '.ai/skills/two/SKILL.md': '---\nname: two\ndescription: Does two\n---\n',
      '.ai/skills/two/extensions/sniffer/rules.toml/x': '',
      [`${'d/'.repeat(9)}a.rs`]: '',
      [`e/${'d/'.repeat(9)}a.rs`]: '',
      'user:elsewhere/secret.txt': '',
    })
    symlinkSync(made.path('user:elsewhere'), made.path('outside'))
    symlinkSync('nothing', made.path('linked.txt'))
    symlinkSync('nothing', made.path('.ai/skills/one/link'))
    const answer = await made.run('skills sniff', { directory: made.project })
    expect(answer.skills).toMatchObject([{ item_id: 'one', matches: [{ path: 'linked.txt' }] }])
    expect(
      answer.diagnostics.map((one: { path: string; message: string }) => [one.path, one.message]),
    ).toEqual([
      ['linked.txt', 'symbolic links are not followed; likewise 1 other'],
      ['d/d/d/d/d/d/d/d/d', 'only 8 levels are walked; likewise 1 other'],
      [
        'two/extensions/sniffer/rules.toml',
        expect.stringContaining('expected a regular file, got a directory'),
      ],
    ])
  })

  it('of what is no folder is refused as by the other commands', async () => {
    const made = await scratch({ 'a.txt': '' })
    expect(await made.run('skills sniff', { directory: made.path('a.txt') })).toMatchObject({
      code: 'INVALID_INPUT',
      error: expect.stringContaining('expected a directory at'),
    })
  })
})
