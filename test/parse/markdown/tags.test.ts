import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanTags } from '../../../src/parse/markdown/tags.ts'

const scan = (text: string): string[] =>
  [...scanTags(text)].map(({ kind, name, attributes }) =>
    [kind, name, ...[...attributes].map(([key, value]) => `${key}=${value}`)].join(' '),
  )

describe('scanTags', () => {
  it.each<[string, string, string[]]>([
    ['tags', '<a><b/></a>', ['open a', 'empty b', 'close a']],
    ['attributes', `<a b="1" c = 'x > y'\n d=""/>`, ['empty a b=1 c=x > y d=']],
    [
      'references in attributes',
      '<a b="&lt;&amp;&#34;&#x1F600;&nbsp;&#x110000;"/>',
      ['empty a b=<&"😀&nbsp;&#x110000;'],
    ],
    ['prose', 'if a < b and <c or 3<4>5', []],
    ['an attribute without quotes', '<a b=c>', []],
    ['an attribute without space before it', '<a b="1"c="2">', []],
    ['a tag inside a broken one', '<a b="<c/>', ['empty c']],
    ['comments, CDATA and instructions', '<!-- <a> --><![CDATA[<b>]]><?c <d>?><e/>', ['empty e']],
    ['a comment never closed', '<!-- <a/>', ['empty a']],
    ['declarations', '<!DOCTYPE a [<!ENTITY b "c">]>', ['declaration DOCTYPE', 'declaration ENTITY']],
    ['a closing tag with space', '</a >', ['close a']],
  ])('%s', (_title, text, expected) => {
    expect(scan(text)).toEqual(expected)
  })

  it('gives tags in order, each at its place', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '/',
      'a',
      ' ',
      '"',
      "'",
      '=',
      '!',
      '--',
      '<b c="d">',
      '<?',
      ']]>',
      '&amp;',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), pieces => {
        const text = pieces.join('')
        let end = 0
        for (const tag of scanTags(text)) {
          expect(tag.start).toBeGreaterThanOrEqual(end)
          expect(text[tag.start]).toBe('<')
          if (tag.kind !== 'declaration') expect(text[tag.end - 1]).toBe('>')
          end = tag.end
        }
      }),
    )
  })
})
