import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentOf, findFences, toFileOffset } from '../../../src/parse/markdown/fences.ts'

const found = (text: string): [string, string][] =>
  [...findFences(text)].map(fence => [fence.language, contentOf(text, fence)])

describe('findFences', () => {
  it.each<[string, string, [string, string][]]>([
    ['backticks', '```xml\na\n```\n', [['xml', 'a\n']]],
    ['tildes', '~~~ yaml \na\n~~~', [['yaml', 'a\n']]],
    ['no info string', '```\na\n```\n', [['', 'a\n']]],
    ['a longer closing line', '```\na\n`````  \nb\n', [['', 'a\n']]],
    ['a shorter line inside', '````\n```\n````\n', [['', '```\n']]],
    ['other marks inside', '```\n~~~\n```\n', [['', '~~~\n']]],
    ['a closing line with a word', '```\n``` a\n```\n', [['', '``` a\n']]],
    [
      'a sample in a longer fence',
      '````md\n```xml\nx\n```\n````\n```xml\ny\n```\n',
      [
        ['md', '```xml\nx\n```\n'],
        ['xml', 'y\n'],
      ],
    ],
    ['three spaces of indent', '   ```\n   a\n     b\n c\n   ```\n', [['', 'a\n  b\nc\n']]],
    ['four spaces: indented code', '    ```\n    a\n    ```\n', []],
    ['a closing line indented by four', '```\n    ```\n```\n', [['', '    ```\n']]],
    ['two marks', '``\na\n``\n', []],
    ['a backtick in a backtick info string', '``` a`b\nc\n', []],
    ['a backtick in a tilde info string', '~~~ a`b\nc\n~~~\n', [['a`b', 'c\n']]],
    ['no end', '```xml\na\n', [['xml', 'a\n']]],
    ['nothing after the opening line', '```xml', [['xml', '']]],
    ['an empty fence', '```\n```\n', [['', '']]],
    ['inside a comment', '<!--\n```\na\n```\n-->\n```\nb\n```\n', [['', 'b\n']]],
    ['after a comment of one line', '<!-- x -->\n```\nb\n```\n', [['', 'b\n']]],
    ['inside a pre element', '<pre>\n```\na\n```\n</PRE>\n', []],
    ['a tag that only begins like pre', '<prelude>\n```\na\n```\n', [['', 'a\n']]],
    ['upper case', '```XML\na\n```\n', [['xml', 'a\n']]],
    ['after a line separator, which ends no line', 'x\u2028```\na\n', []],
    ['after a line separator and a line', '\u2028<!--\n```\na\n```\n', [['', 'a\n']]],
    ['inside a quotation', '> ```\n> a\n', []],
  ])('%s', (_title, text, expected) => {
    expect(found(text)).toEqual(expected)
  })

  it('stops at a limit', () => {
    expect([...findFences('```\n'.repeat(10), 0, 3)]).toHaveLength(3)
  })

  it('says where each part stands, and whether the fence is closed', () => {
    const text = 'x\n```a\nb\n```\ny\n~~~\nz'
    const [first, second] = [...findFences(text)]
    expect(first).toMatchObject({ start: 2, contentStart: 7, contentEnd: 9, end: 13, isClosed: true })
    expect(second).toMatchObject({ start: 15, contentStart: 19, contentEnd: 20, end: 20, isClosed: false })
  })
})

const line = fc.constantFrom(
  '```',
  '````',
  '`````',
  '~~~',
  '~~~~',
  '```xml',
  '````md',
  '~~~ yaml',
  ' ```',
  '   ~~~',
  '    ```',
  '``` x`y',
  '~~~ x~y',
  '``',
  'text',
  '',
  '  text',
  '``` ',
  '~~~\t',
  '\t```',
  'a ```',
)

/** By regular expressions over whole lines, without offsets. */
function oracle(lines: readonly string[]): string[][] {
  const fences: string[][] = []
  let open: { mark: string; indent: number; lines: string[] } | undefined
  for (const current of lines) {
    if (open === undefined) {
      const match = /^( {0,3})(`{3,})[^`]*$|^( {0,3})(~{3,}).*$/.exec(current)
      if (match === null) continue
      open = { mark: match[2] ?? match[4]!, indent: (match[1] ?? match[3]!).length, lines: [] }
      fences.push(open.lines)
    } else {
      const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(current)
      if (closing !== null && closing[1]!.startsWith(open.mark)) open = undefined
      else open.lines.push(current.replace(new RegExp(`^ {0,${open.indent}}`), ''))
    }
  }
  return fences
}

describe('findFences, for any lines', () => {
  it('agrees with an oracle', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 15 }), lines => {
        const text = `${lines.join('\n')}\n`
        const contents = found(text).map(([, content]) => content)
        expect(contents).toEqual(oracle(lines).map(content => content.map(entry => `${entry}\n`).join('')))
      }),
      { numRuns: 1_000 },
    )
  })

  it('maps every offset of a content to the same character of the text', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 15 }), lines => {
        const text = lines.join('\n')
        for (const fence of findFences(text)) {
          const content = contentOf(text, fence)
          for (let offset = 0; offset < content.length; offset++) {
            expect(text[toFileOffset(text, fence, offset)]).toBe(content[offset])
          }
        }
      }),
    )
  })
})
