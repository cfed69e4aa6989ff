// Front matter as real skills have it: each fault was found in a public repository.
import { describe, expect, it } from 'vitest'
import { parseBytes } from '../../../src/parse/index.ts'
import { firstHeading } from '../../../src/parse/markdown/first-paragraph.ts'

async function read(text: string) {
  const { metadata, diagnostics } = await parseBytes('markdown/skill', Buffer.from(text), '.md')
  const { body, ...rest } = metadata
  return { data: rest, body, codes: diagnostics.map(one => `${one.severity} ${one.line} ${one.code}`) }
}

const DESCRIBED = { name: 'a', description: 'Does it' }

describe('a skill', () => {
  it.each<[string, string, object, string, string[]]>([
    ['without a fault', '---\nname: a\ndescription: Does it\n---\n# A\n', DESCRIBED, '# A', []],
    [
      'with blanks after the marks',
      '--- \nname: a\ndescription: Does it\n---\t\n# A\n',
      DESCRIBED,
      '# A',
      ['warning 1 front-matter-blanks', 'warning 4 front-matter-blanks'],
    ],
    ['with CRLF', '---\r\nname: a\r\ndescription: Does it\r\n---\r\n# A', DESCRIBED, '# A', []],
    [
      'with a byte order mark',
      '\ufeff---\nname: a\ndescription: Does it\n---\n# A\n',
      DESCRIBED,
      '# A',
      ['warning 1 byte-order-mark'],
    ],
    [
      'with blank lines before it',
      '\n\n---\nname: a\ndescription: Does it\n---\n',
      DESCRIBED,
      '',
      ['warning 1 front-matter-late'],
    ],
    [
      'with an unquoted colon',
      '---\nname: a\ndescription: Use when: asked\n---\n',
      { name: 'a', description: 'Use when: asked' },
      '',
      ['warning 3 yaml-unquoted-colon'],
    ],
    ['with a quote over two lines', '---\nname: a\ndescription: "Does\n  it"\n---\n', DESCRIBED, '', []],
    [
      'with a quote that goes on at the margin',
      '---\nname: a\ndescription: "Does\nit"\nlicense: MIT\n---\n',
      { ...DESCRIBED, license: 'MIT' },
      '',
      ['warning 3 value-margin'],
    ],
    [
      'with a bracket that closes at the margin',
      '---\nname: a\ndescription: Does it\nmetadata: {\n  "a": "b"\n}\n---\n',
      { ...DESCRIBED, metadata: { a: 'b' } },
      '',
      ['warning 4 value-margin'],
    ],
    [
      'with such a quote and another mistake',
      '---\nname: a\ndescription: "Does\nit"\nmetadata: {"a":{"b":["c"]}\n---\n',
      DESCRIBED,
      '',
      ['warning 3 value-margin', 'warning 5 yaml-repaired'],
    ],
    [
      'with a quote that is never closed',
      '---\nname: a\ndescription: "Does it\nlicense: MIT\n---\n',
      { ...DESCRIBED, license: 'MIT' },
      '',
      ['warning 3 yaml-repaired'],
    ],
    [
      'with a mark inside quotes',
      "---\nname: a\ndescription: 'it's broken'\n---\n",
      { name: 'a', description: "it's broken" },
      '',
      ['warning 3 yaml-repaired'],
    ],
    [
      'with marks inside quotes, over two lines',
      '---\nname: a\ndescription: "Does "it"\n  and more"\n---\n',
      { name: 'a', description: 'Does "it" and more' },
      '',
      ['warning 3 yaml-repaired'],
    ],
    [
      'with words in quotes that are not around all of it',
      '---\nname: a\ndescription: "this" or "that"\n---\n',
      { name: 'a', description: '"this" or "that"' },
      '',
      ['warning 3 yaml-repaired'],
    ],
    [
      'with tabs',
      '---\nname: a\ndescription: Does it\nmetadata:\n\tversion: "1"\n\ttags:\n\t\t- x\n---\n',
      { ...DESCRIBED, metadata: { version: '1', tags: ['x'] } },
      '',
      ['warning 5 yaml-tab'],
    ],
    [
      'with a template for a description',
      '---\nname: a\ndescription: {{ thing }} does\n---\n',
      { name: 'a', description: '{{ thing }} does' },
      '',
      ['warning 3 yaml-repaired'],
    ],
    [
      'with a tag that nobody knows',
      '---\nname: a\ndescription: Does it\nicon: !image x.png\n---\n',
      { ...DESCRIBED, icon: '!image x.png' },
      '',
      ['warning 4 yaml-repaired'],
    ],
    [
      'with several lines that are no YAML',
      '---\nname: a\nfirst\nsecond\ndescription: Does it\n---\n',
      DESCRIBED,
      '',
      ['warning 3 yaml-repaired'],
    ],
    [
      'with braces that do not match',
      '---\nname: a\ndescription: Does it\nmetadata: {"a":{"b":["c"]}\n---\n# A',
      DESCRIBED,
      '# A',
      ['warning 4 yaml-repaired'],
    ],
    [
      'with two lists on one line',
      '---\nname: a\ndescription: Does it\nargument-hint: [title] [message]\n---\n',
      { ...DESCRIBED, 'argument-hint': '[title] [message]' },
      '',
      ['warning 4 yaml-repaired'],
    ],
    [
      'with the marks of a merge',
      '---\nname: a\ndescription: Does it\n<<<<<<< Updated upstream\nlicense: MIT\n=======\n---\n',
      { ...DESCRIBED, license: 'MIT' },
      '',
      ['warning 4 yaml-repaired', 'warning 6 yaml-repaired'],
    ],
    [
      'with a key given twice',
      '---\nname: b\nname: a\ndescription: Does it\n---\n',
      DESCRIBED,
      '',
      ['warning 3 yaml-duplicate-key'],
    ],
    [
      'with two keys given twice',
      '---\nname: b\nname: a\ndescription: b\ndescription: Does it\n---\n',
      DESCRIBED,
      '',
      ['warning 3 yaml-duplicate-key', 'warning 5 yaml-duplicate-key'],
    ],
    [
      'without an end',
      '---\nname: a\ndescription: Does it\n\n# A\n\nText: here\n',
      DESCRIBED,
      '# A\n\nText: here',
      ['warning 1 frontmatter-unterminated'],
    ],
    [
      'without an end, and a rule further down',
      '---\nname: a\ndescription: Does it\n\n# A\n\nText that matters.\n\nStep one: go\n\n---\n## Part two\n',
      DESCRIBED,
      '# A\n\nText that matters.\n\nStep one: go\n\n---\n## Part two',
      ['warning 1 frontmatter-unterminated'],
    ],
    [
      'without an end, and text at once',
      '---\nname: a\ndescription: Does it\n# A\nText\n\n- one\n---\nB\n',
      DESCRIBED,
      '# A\nText\n\n- one\n---\nB',
      ['warning 1 frontmatter-unterminated'],
    ],
    [
      'without an end, and sentences that look like keys',
      '---\nname: a\ndescription: Does it\n\nNote: read this.\n\nText\n\n---\nB\n',
      DESCRIBED,
      'Note: read this.\n\nText\n\n---\nB',
      ['warning 1 frontmatter-unterminated'],
    ],
    [
      'without an end, and a list of the text',
      '---\nname: a\ndescription: Does it\ntags:\n- x\nlicense: MIT\n\n- one\n- two\n',
      { ...DESCRIBED, tags: ['x'], license: 'MIT' },
      '- one\n- two',
      ['warning 1 frontmatter-unterminated'],
    ],
    [
      'without an end, after a heading for a key',
      '---\n\n## name: a\ndescription: Does it\n\n# A\n\nText\n\n---\nB\n',
      { description: 'Does it' },
      '# A\n\nText\n\n---\nB',
      ['warning 1 frontmatter-unterminated'],
    ],
    [
      'without an end but for an indented one',
      '---\nname: a\ndescription: |-\n  Does it\n  ---\n\n  # A\n',
      DESCRIBED,
      '# A',
      ['warning 5 front-matter-indent'],
    ],
    [
      'that ends with dots',
      '---\nname: a\ndescription: Does it\n...\n# A\n',
      DESCRIBED,
      '# A',
      ['warning 4 front-matter-dots'],
    ],
    [
      'with a comment and a blank line',
      '---\nname: a\n\n# What it does\n\ndescription: Does it\n---\n# A\n',
      DESCRIBED,
      '# A',
      [],
    ],
    [
      'with a paragraph before a field that is required',
      '---\nname: a\n\nText\n\ndescription: Does it\n---\n# A\n',
      DESCRIBED,
      '# A',
      ['warning 4 yaml-repaired'],
    ],
    [
      'with numbers for texts',
      '---\nname: 2024 # year\ndescription: 1.10\n---\n',
      { name: '2024', description: '1.10' },
      '',
      ['warning 2 field-quotes', 'warning 3 field-quotes'],
    ],
    [
      'that is indented as a whole',
      '---\n  # as YAML allows\n  name: a\n  description: 1.10\n---\n# A\n',
      { name: 'a', description: '1.10' },
      '# A',
      ['warning 4 field-quotes'],
    ],
    [
      'that is indented, with an unquoted colon',
      '---\n  name: a\n  description: Use when: asked\n---\n# A\n',
      { name: 'a', description: 'Use when: asked' },
      '# A',
      ['warning 3 yaml-unquoted-colon'],
    ],
    [
      'that is indented, with one bad value',
      '---\n  name: a\n  description: Use when: "forms" are asked\n  tags: [x\n  license: MIT\n---\n# A\n',
      { name: 'a', description: 'Use when: "forms" are asked', license: 'MIT' },
      '# A',
      ['warning 3 yaml-unquoted-colon', 'warning 4 yaml-repaired'],
    ],
    [
      'with numbers for labels',
      '---\nname: a\ndescription: Does it\ncategory: 1.20\ntags: [1.10, 0x1F, b]\nkeywords:\n  - 3.0\nmost: 1.50\n---\n',
      { ...DESCRIBED, category: '1.20', tags: ['1.10', '0x1F', 'b'], keywords: ['3.0'], most: 1.5 },
      '',
      [],
    ],
    [
      'with lists for texts',
      '---\nname: [a, b]\ndescription:\n  - x\n---\n# A\n',
      {},
      '# A',
      ['warning 2 field-type', 'warning 3 field-type'],
    ],
    [
      'with its description below metadata',
      '---\nname: a\nmetadata:\n  description: Does it\n---\n',
      { ...DESCRIBED, metadata: { description: 'Does it' } },
      '',
      ['warning 4 description-nested'],
    ],
    [
      'with its description in brackets below metadata, after another one',
      '---\nname: a\nhooks:\n  description: x\nmetadata: {description: Does it}\n---\n',
      { ...DESCRIBED, hooks: { description: 'x' }, metadata: { description: 'Does it' } },
      '',
      ['warning 5 description-nested'],
    ],
    [
      'with its description below metadata, after a deeper one',
      '---\nname: a\nmetadata:\n # about\n  a:\n    description: x\n  description: Does it\n---\n',
      { ...DESCRIBED, metadata: { a: { description: 'x' }, description: 'Does it' } },
      '',
      ['warning 7 description-nested'],
    ],
    [
      'with its description in brackets below metadata, before another one',
      '---\nname: a\nmetadata: {description: Does it}\nhooks:\n  description: x\n---\n',
      { ...DESCRIBED, hooks: { description: 'x' }, metadata: { description: 'Does it' } },
      '',
      ['warning 3 description-nested'],
    ],
    [
      'with its description in quotes below metadata in quotes, and Windows line ends',
      '---\r\nname: a\r\n"metadata":\r\n  b: 1\r\n\r\n  "description": Does it\r\n---\r\n',
      { ...DESCRIBED, metadata: { b: 1, description: 'Does it' } },
      '',
      ['warning 6 description-nested'],
    ],
    [
      'with a value that holds itself',
      '---\nname: a\ndescription: Does it\nmetadata: &m\n  a: *m\n---\n',
      DESCRIBED,
      '',
      ['warning 2 metadata-too-large'],
    ],
    ['with an empty name', '---\nname: ""\n---\n', {}, '', []],
    ['without front matter', '# A\n', {}, '# A', ['warning 1 metadata-missing']],
    [
      'that begins with a rule',
      '---\n\n# A\n\n---\n\nB\n',
      {},
      '---\n\n# A\n\n---\n\nB',
      ['warning 1 metadata-missing'],
    ],
  ])('%s', async (_, text, data, body, codes) => {
    expect(await read(text)).toEqual({ data, body, codes })
  })

  it.each([
    ['# A\n', 'expected front matter that begins with `---` on the first line'],
    [
      '---\n- name: x\n---\n',
      'expected `key: value` lines after the first `---`, got a list: `- name: x`; everything is read as text',
    ],
    [
      '---\nJust text\n---\n',
      'expected `key: value` lines after the first `---`, got text: `Just text`; everything is read as text',
    ],
    [
      '---\n---\n# A\n',
      'expected `key: value` lines after the first `---`, got nothing; everything is read as text',
    ],
  ])('without front matter is told what was found: %j', async (text, message) => {
    const { diagnostics } = await parseBytes('markdown/skill', Buffer.from(text), '.md')
    expect(diagnostics.map(one => one.message)).toEqual([message])
  })

  it('names the fields of which something could not be kept', async () => {
    const lost = async (text: string) =>
      (await parseBytes('markdown/skill', Buffer.from(text), '.md')).leftOut
    expect(await lost('---\nname: a\ndescription: Does it\n---\n')).toEqual([])
    expect(await lost('---\nname: [a]\nmetadata: &m\n  a: *m\n---\n')).toEqual(['metadata', 'name'])
    expect(await lost('---\nname: a\ntags: [x\nmore: {y\n---\n')).toEqual(['tags', 'more'])
  })

  it('with more fields than can be read has the first of them', async () => {
    const fields = Array.from({ length: 30_000 }, (_, at) => `k${at}: v`)
    const text = `---\nname: a\ndescription: Does it\n${fields.join('\n')}\n---\n# A\n`
    const { metadata, leftOut, diagnostics } = await parseBytes('markdown/skill', Buffer.from(text), '.md')
    expect(metadata).toMatchObject({ ...DESCRIBED, k0: 'v', body: '# A' })
    expect(Object.keys(metadata).length + 1).toBeLessThan(fields.length)
    expect(diagnostics.map(one => [one.severity, one.code])).toEqual([['warning', 'yaml-too-large']])
    expect(leftOut).toHaveLength(100)
    expect(metadata).not.toHaveProperty(leftOut![0]!)
  })
})

it.each([
  ['blanks in a heading', `---\nname: a\n---\n# a${' '.repeat(100_000)}b\n`],
  ['blanks after a number', `---\nname: 1${' '.repeat(100_000)}\ndescription: b\n---\n`],
  ['blanks before a comment', `---\nname: 1${' #'.repeat(100_000)}\ndescription: b\n---\n`],
])('a skill with many %s is read in a moment', async (_, text) => {
  const { metadata } = await parseBytes('markdown/skill', Buffer.from(text), '.md')
  expect(metadata.name).toMatch(/^[a1]$/)
  expect(firstHeading(text)?.length ?? 0).toBeLessThanOrEqual(200)
})
