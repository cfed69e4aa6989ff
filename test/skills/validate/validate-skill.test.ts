import { describe, expect, it } from 'vitest'
import { validateSkill } from '../../../src/skills/validate/validate-skill.ts'
import { makeFolder } from '../library.ts'

const VALID = '---\nname: pdf-tools\ndescription: Reads PDF files. Use for forms.\n---\n# PDF\n'

async function findings(skillMd: string, name = 'pdf-tools', files: Record<string, string> = {}) {
  const { errors, warnings, valid } = await validateSkill(makeFolder(name, { 'SKILL.md': skillMd, ...files }))
  return { valid, errors: errors.map(one => one.code), warnings: warnings.map(one => one.code) }
}

function matter(lines: string): string {
  return `---\n${lines}\n---\nText\n`
}

const REST = 'description: Reads'

describe('the specification', () => {
  it('accepts a plain skill', async () => {
    expect(await findings(VALID)).toEqual({ valid: true, errors: [], warnings: [] })
  })

  it('accepts every optional field', async () => {
    const all = `name: pdf-tools\n${REST}\nlicense: MIT\ncompatibility: needs Python\nallowed-tools: Bash(git:*) Read\nmetadata:\n  author: me`
    expect(await findings(matter(all))).toEqual({ valid: true, errors: [], warnings: [] })
  })

  it.each([
    ['no front matter', '# Title\n', ['front-matter']],
    ['a comment before it', `<!-- x -->\n${VALID}`, ['front-matter']],
    ['an unclosed block', '---\nname: pdf-tools\ndescription: x\n', ['frontmatter-unterminated']],
    [
      'an unclosed block with a rule below',
      `---\nname: pdf-tools\n${REST}\n\nText\n\n---\nMore\n`,
      ['frontmatter-unterminated'],
    ],
    ['a block that ends with dots', `---\nname: pdf-tools\n${REST}\n...\nText\n`, ['front-matter-dots']],
    ['invalid YAML', matter('name: [pdf'), ['yaml-repaired', 'description-missing']],
    ['tabs', matter(`name: pdf-tools\n${REST}\nmetadata:\n\tauthor: me`), ['yaml-tab']],
    ['a list for a description', matter('name: pdf-tools\ndescription: [a, b]'), ['field-type']],
    ['a template for a description', matter('name: pdf-tools\ndescription: {{ x }} y'), ['yaml-repaired']],
    [
      'two keys given twice',
      matter(`name: pdf-tools\nname: pdf-tools\n${REST}\n${REST}`),
      ['yaml-duplicate-key', 'yaml-duplicate-key'],
    ],
    ['an unquoted colon', matter('name: pdf-tools\ndescription: Use this: now'), ['yaml-unquoted-colon']],
    ['a key given twice', matter(`name: pdf-tools\nname: pdf-tools\n${REST}`), ['yaml-duplicate-key']],
    ['no name', matter(REST), ['name-missing']],
    ['an empty name', matter(`name: ""\n${REST}`), ['name-missing']],
    ['a list for a name', matter(`name: [a]\n${REST}`), ['field-type']],
    ['upper case', matter(`name: PDF-tools\n${REST}`), ['name-case', 'name-folder']],
    ['an underscore', matter(`name: pdf_tools\n${REST}`), ['name-characters', 'name-folder']],
    ['a hyphen at the end', matter(`name: pdf-tools-\n${REST}`), ['name-folder', 'name-hyphen']],
    ['two hyphens', matter(`name: pdf--tools\n${REST}`), ['name-folder', 'name-hyphen']],
    ['a name too long', matter(`name: ${'a'.repeat(65)}\n${REST}`), ['name-folder', 'name-length']],
    ['another folder', matter(`name: other\n${REST}`), ['name-folder']],
    ['no description', matter('name: pdf-tools'), ['description-missing']],
    ['a blank description', matter('name: pdf-tools\ndescription: "  "'), ['description-missing']],
    [
      'a description too long',
      matter(`name: pdf-tools\ndescription: ${'x'.repeat(1025)}`),
      ['description-length'],
    ],
    ['an unknown field', matter(`name: pdf-tools\n${REST}\nversion: 1`), ['field-unknown']],
    ['a signature field', matter(`name: pdf-tools\n${REST}\nsignature: abc`), ['field-unknown']],
    ['tools as a list', matter(`name: pdf-tools\n${REST}\nallowed-tools: [Read]`), ['allowed-tools']],
    [
      'compatibility too long',
      matter(`name: pdf-tools\n${REST}\ncompatibility: ${'x'.repeat(501)}`),
      ['compatibility-length'],
    ],
    ['metadata as text', matter(`name: pdf-tools\n${REST}\nmetadata: x`), ['metadata']],
    ['a byte order mark', `\ufeff${VALID}`, ['byte-order-mark']],
    ['a signature line', `<!-- rye:signed:x -->\n${VALID}`, ['front-matter-late']],
    ['a description below metadata', matter(`name: pdf-tools\nmetadata:\n  ${REST}`), ['description-nested']],
    [
      'a value that holds itself',
      matter(`name: pdf-tools\n${REST}\nmetadata: &m\n  a: *m`),
      ['metadata-too-large'],
    ],
  ])('refuses %s', async (_, text, errors) => {
    const found = await findings(text)
    expect(found.errors.sort()).toEqual(errors.sort())
    expect(found.valid).toBe(false)
  })

  it.each([
    [
      'values of metadata that are not text',
      matter(`name: pdf-tools\n${REST}\nmetadata:\n  tags: [a]`),
      ['metadata-value'],
    ],
    [
      'reserved keys',
      matter(`name: pdf-tools\n${REST}\nmetadata:\n  io.modelcontextprotocol/x: y`),
      ['metadata-reserved'],
    ],
    ['a long text', matter(`name: pdf-tools\n${REST}`) + 'x\n'.repeat(600), ['body-long']],
    ['no text', `---\nname: pdf-tools\n${REST}\n---\n`, ['body-empty']],
    ['blanks after the mark', `--- \nname: pdf-tools\n${REST}\n---\nText\n`, ['front-matter-blanks']],
    [
      'quotes that go on at the margin',
      matter('name: pdf-tools\ndescription: "first\nsecond"'),
      ['value-margin'],
    ],
    ['a broken link', `${VALID}[x](references/none.md)`, ['link-broken']],
    ['a link that leads out', `${VALID}[x](../other.md)`, ['link-outside']],
  ])('warns of %s', async (_, text, warnings) => {
    expect(await findings(text)).toEqual({ valid: true, errors: [], warnings })
  })

  it('follows links to files, folders, addresses and anchors', async () => {
    const text = `${VALID}[a](references/a.md#part) [b](./scripts) [c](https://example.com) [d](#part) [e](a%20b.txt)`
    expect(
      (await findings(text, 'pdf-tools', { 'references/a.md': '', 'scripts/x.py': '', 'a b.txt': '' }))
        .warnings,
    ).toEqual([])
  })

  it('takes letters of any script, with a warning', async () => {
    expect(await findings(matter(`name: été\n${REST}`), 'été')).toEqual({
      valid: true,
      errors: [],
      warnings: ['name-ascii'],
    })
  })

  it('takes a name that is a number for text, with a warning', async () => {
    expect(await findings(matter(`name: 2024\n${REST}`), '2024')).toEqual({
      valid: true,
      errors: [],
      warnings: ['field-quotes'],
    })
  })

  it('says of a folder without a main file just that', async () => {
    const { loads, served, errors } = await validateSkill(makeFolder('pdf-tools', { 'notes.md': 'x' }))
    expect(loads).toEqual({ ok: false, reasons: ['no readable file `SKILL.md` in the folder'] })
    expect(served).toEqual(loads)
    expect(errors.map(one => one.code)).toEqual(['skill-md'])
  })

  it('loads another spelling of SKILL.md, which does not conform', async () => {
    const { errors, loads } = await validateSkill(makeFolder('pdf-tools', { 'Skill.MD': VALID }))
    expect(loads.ok).toBe(true)
    expect(errors.map(one => one.message)).toEqual([
      expect.stringMatching(/^expected the name `SKILL.md`, got `Skill.MD`/),
    ])
  })

  it('takes `skill.md`, with a warning', async () => {
    const { valid, warnings } = await validateSkill(makeFolder('pdf-tools', { 'skill.md': VALID }))
    expect([valid, warnings.map(one => one.code)]).toEqual([true, ['skill-md-case']])
  })
})

describe('the three verdicts', () => {
  const verdicts = async (name: string, files: Record<string, string>) => {
    const { loads, conforms, served } = await validateSkill(makeFolder(name, files))
    return [loads.ok, conforms.ok, served.ok]
  }

  it.each<[string, string, string, boolean[]]>([
    ['a plain skill', 'pdf-tools', VALID, [true, true, true]],
    ['another name', 'pdf-forms', VALID, [true, false, true]],
    [
      'an unquoted colon',
      'pdf-tools',
      matter('name: pdf-tools\ndescription: Use this: now'),
      [true, false, true],
    ],
    [
      'a quote over two lines',
      'pdf-tools',
      matter('name: pdf-tools\ndescription: "a\n  b"'),
      [true, true, true],
    ],
    [
      'a list in metadata',
      'pdf-tools',
      matter(`name: pdf-tools\n${REST}\nmetadata:\n  tags: [a, b]`),
      [true, true, true],
    ],
    ['no front matter', 'pdf-tools', '# PDF\n\nReads PDF files.\n', [true, false, true]],
    ['a folder that clients refuse', 'pdf_tools', matter(`name: pdf_tools\n${REST}`), [true, false, false]],
    ['a heading alone', 'pdf-tools', '# PDF\n', [true, false, true]],
    ['a list for a description', 'pdf-tools', matter('description: [a, b]'), [true, false, true]],
    ['indented fields', 'pdf-tools', matter(`  name: pdf-tools\n  ${REST}`), [true, true, true]],
    ['nothing that says what it is for', 'pdf-tools', '---\nname: pdf-tools\n---\n', [false, false, false]],
  ])('%s', async (_, name, text, expected) => {
    expect(await verdicts(name, { 'SKILL.md': text })).toEqual(expected)
  })

  it('say why not', async () => {
    const { loads, served } = await validateSkill(makeFolder('a b', { 'SKILL.md': matter('name: a b') }))
    expect(loads.reasons).toEqual([
      expect.stringMatching(/^the folder's name is not an item id: segment `a b` is not allowed: expected /),
    ])
    expect(served).toEqual(loads)
  })

  it('say of a folder that no skill may be called so to rename it', async () => {
    const folder = makeFolder('Casey', { 'SKILL.md': matter(`name: casey\n${REST}`) })
    const { conforms, served } = await validateSkill(folder)
    expect(conforms.reasons).toEqual([
      '`name`: expected a folder called `casey`, got `Casey`, which is not a valid skill name: rename the folder',
    ])
    expect(served.reasons).toEqual([
      expect.stringMatching(/; rename the folder `Casey`: the skill is served under its name$/),
    ])
  })
})
