// A skill with one bad part, beside a good skill: the rest of both is kept, and the bad part is reported.
import { describe, expect, it } from 'vitest'
import { scanSkills } from '../../src/skills/read/scan-skills.ts'
import { makeFolder } from './library.ts'

const SCRIPT = '@skill_command\ndef run(x: int): pass\n'
const FRONT = '---\nname: bad\ndescription: Works\n---\n'
const GOOD = makeFolder('good', {
  'SKILL.md': '---\nname: good\ndescription: Good\n---\n',
  'scripts/a.py': SCRIPT,
})

const CASES: [string, Record<string, string | Uint8Array>, string[]][] = [
  ['invalid YAML', { 'SKILL.md': '---\nname: "bad\ndescription: x\n---\n' }, ['yaml-repaired']],
  [
    'tabs',
    { 'SKILL.md': '---\nname: bad\n\tdescription: x\n---\n' },
    ['description-missing', 'yaml-repaired'],
  ],
  [
    'a key given twice',
    { 'SKILL.md': '---\nname: bad\nname: bad\ndescription: x\n---\n' },
    ['yaml-duplicate-key'],
  ],
  ['a name that no list can hold', { 'assets/back\\slash.txt': '' }, ['file-name']],
  ['a tab in a name', { 'assets/a\tb.txt': '', 'assets/c.txt': '' }, ['file-name']],
  ['rules that are text', { 'extensions/sniffer/rules.toml': 'match = "x"\n' }, ['sniffer-rule']],
  [
    'rules that are one table',
    { 'extensions/sniffer/rules.toml': '[match]\ntype = "x"\n' },
    ['sniffer-rule'],
  ],
  ['rules of another name', { 'extensions/sniffer/rules.toml': '[[rule]]\ntype = "x"\n' }, ['sniffer-rule']],
  ...['', '../../x', '/etc/hosts', 'a\\\\b'].flatMap(pattern =>
    ['file_exists', 'file_pattern'].map((type): (typeof CASES)[number] => [
      `a rule \`${type}\` for "${pattern}"`,
      { 'extensions/sniffer/rules.toml': `[[match]]\ntype = "${type}"\npattern = "${pattern}"\n` },
      ['sniffer-rule'],
    ]),
  ),
  ['a list for a front matter', { 'SKILL.md': '---\n- a\n---\n' }, ['front-matter-missing']],
  [
    'an unclosed front matter',
    { 'SKILL.md': '---\nname: bad\ndescription: x\n' },
    ['frontmatter-unterminated'],
  ],
  ['a NUL byte', { 'SKILL.md': '---\nname: b\0d\n---\n' }, ['nul-byte']],
  ['an empty SKILL.md', { 'SKILL.md': '' }, ['front-matter-missing']],
  [
    'wrong types',
    { 'SKILL.md': '---\nname: bad\ndescription: x\nmetadata: 7\nintents: {a: b}\nversion: [1]\n---\n' },
    ['field-type', 'field-type', 'field-type'],
  ],
  ['a script that is not UTF-8', { 'scripts/x.py': new Uint8Array([0x40, 0xff]) }, ['utf8-invalid']],
  ['a script that does not parse', { 'scripts/x.py': '@skill_command\ndef x(:\n' }, ['python-syntax']],
  [
    'deep nesting',
    { 'scripts/x.py': `@skill_command\ndef x(a=${'('.repeat(5000)}1${')'.repeat(5000)}): pass\n` },
    ['python-too-deep'],
  ],
  [
    'scripts that import each other',
    {
      'scripts/x.py': 'from .y import b\n@skill_command\ndef x(): pass\n',
      'scripts/y.py': 'from .x import x\nb = 1\n',
    },
    [],
  ],
  ['for_tools: 7', { 'references/r.md': '---\nfor_tools: 7\n---\n' }, ['field-type']],
  [
    'for_tools without a skill',
    { 'references/r.md': '---\nfor_tools: [run, ".x", "y."]\n---\n' },
    ['tool-name', 'tool-name', 'tool-name'],
  ],
  ['a reference that is not text', { 'references/r.md': new Uint8Array([0xff]) }, ['utf8-invalid']],
  ['rules that are not TOML', { 'extensions/sniffer/rules.toml': '[[match' }, ['toml-syntax']],
]

describe('a bad part', () => {
  it.each(CASES)('%s', async (_, files, codes) => {
    const bad = makeFolder('bad', { 'SKILL.md': FRONT, 'scripts/good.py': SCRIPT, ...files })
    const { skills, diagnostics } = await scanSkills([bad, GOOD])
    expect(diagnostics.map(found => found.code)).toEqual(codes)
    expect(diagnostics.every(found => found.path.startsWith('bad/') && found.line >= 1)).toBe(true)
    expect(skills.map(({ payload }) => payload.skill_name)).toEqual(['bad', 'good'])
    expect(Object.keys(skills[0]!.payload.skill_tools)).toContain('bad.run')
    expect(Object.keys(skills[1]!.payload.skill_tools)).toEqual(['good.run'])
  })

  it('among 10 000 references hides none of them', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => [`references/${index}.md`, `# Part ${index}\n`])
    const files = {
      'SKILL.md': FRONT,
      ...Object.fromEntries(many),
      'references/odd.md': '---\nfor_tools: bad.rum\n---\n',
    }
    const { skills, diagnostics } = await scanSkills([makeFolder('bad', files), GOOD])
    expect(Object.keys(skills[0]!.payload.references)).toHaveLength(10_001)
    expect(diagnostics.map(found => `${found.path} ${found.code}`)).toEqual([
      'bad/references/odd.md tool-unknown',
    ])
  })
})

it.each<[string, string, string[]]>([
  [
    'tables',
    '# rules\n[[match]]\ntype = "file_exists"\npattern = "a"\n\n[[match]]\n  type = "wrong"\n  pattern = "x"\n[[ match ]]\ntype = "file_exists"\npattern = "../x"\n[[match]]\npattern = "b"\n[[match]]\npattern = "b"\ntype = 5\n',
    ['7:3', '11:1', '12:1', '16:1'],
  ],
  ['an array', '\nmatch = [\n  { type = "wrong", pattern = "x" },\n]\n', ['2:1']],
  ['one table', '\n[match]\ntype = "x"\n', ['2:1']],
  ['another name', '[[rule]]\n', ['1:1']],
])('a rule that matches nothing is told at its place: %s', async (_, text, places) => {
  const folder = makeFolder('bad', { 'SKILL.md': FRONT, 'extensions/sniffer/rules.toml': text })
  const { diagnostics } = await scanSkills([folder])
  expect(diagnostics.map(({ line, column }) => `${line}:${column}`)).toEqual(places)
  for (const { path } of diagnostics) expect(path).toBe('bad/extensions/sniffer/rules.toml')
})

it.each([
  ['blanks', `${' '.repeat(200_000)}\nmatch = 5\n`],
  ['rules of another spelling', `"match" = [\n${'{},\n\n\n\n\n'.repeat(15_000)}]\n`],
])('many %s are read in one pass', async (_, text) => {
  const folder = makeFolder('bad', { 'SKILL.md': FRONT, 'extensions/sniffer/rules.toml': text })
  const { diagnostics } = await scanSkills([folder])
  expect(diagnostics.length).toBeGreaterThan(0)
})

it('a description below `metadata` is told of in SKILL.md, and is usual in other documents', async () => {
  const nested = '---\nname: bad\nmetadata:\n  description: Works\n---\n# A\n'
  const folder = makeFolder('bad', { 'SKILL.md': nested, 'references/a.md': nested })
  const { diagnostics, skills } = await scanSkills([folder])
  expect(diagnostics).toMatchObject([
    { path: 'bad/SKILL.md', code: 'description-nested', line: 4, column: 3 },
  ])
  expect(Object.values(skills[0]!.payload.references)).toMatchObject([{ description: 'Works' }])
})
