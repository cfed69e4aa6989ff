// Front matter as real skills have it: each fault was met in a public repository.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseBytes } from '../../../src/parse/index.ts'

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
      [],
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
      'without an end',
      '---\nname: a\ndescription: Does it\n\n# A\n\nText: here\n',
      DESCRIBED,
      '# A\n\nText: here',
      ['warning 1 frontmatter-unterminated'],
    ],
    [
      'with numbers for texts',
      '---\nname: 2024 # year\ndescription: 1.10\n---\n',
      { name: '2024', description: '1.10' },
      '',
      ['warning 2 field-quotes', 'warning 3 field-quotes'],
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

  it('is read whatever stands between the marks, and no problem is an error', async () => {
    const line = fc.oneof(
      fc.string({ maxLength: 30 }),
      fc.constantFrom(
        'name: a',
        'metadata:',
        '  k: [1',
        '- x',
        '"q',
        'a: {',
        'b: |',
        '\ttab: 1',
        '&a b',
        '? c',
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), async lines => {
        const text = `---\ndescription: kept\n${lines.join('\n').replaceAll(/[\0\ud800-\udfff]/g, '')}\n---\nText`
        const { codes } = await read(text)
        expect(codes.filter(code => code.startsWith('error'))).toEqual([])
      }),
      { numRuns: 200 },
    )
  })
})
