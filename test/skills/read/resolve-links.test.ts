import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolveLinks } from '../../../src/skills/read/resolve-links.ts'

const FILES = new Set([
  'forms.md',
  'assets/a b.png',
  'scripts/a-b.py',
  'scripts/foo(1).txt',
  'references/guide.md',
])
const resolve = (text: string) =>
  resolveLinks(text, { id: 'office/pdf', space: 'project', isSpaceNamed: false }, path => FILES.has(path))

describe('links in the text of a skill', () => {
  it.each([
    ['[f](forms.md)', '[f](skill:office/pdf/forms.md)'],
    ['[f](./forms.md#top)', '[f](skill:office/pdf/forms.md#top)'],
    ['[f]( forms.md )', '[f]( skill:office/pdf/forms.md )'],
    ['![i](assets/a%20b.png)', '![i](<skill:office/pdf/assets/a b.png>)'],
    ['![i](<assets/a b.png>)', '![i](<skill:office/pdf/assets/a b.png>)'],
    ['[t](scripts/a-b.py "title")', '[t](skill:office/pdf/scripts/a-b.py "title")'],
    ['[x](<scripts/a-b.py>)', '[x](<skill:office/pdf/scripts/a-b.py>)'],
    ['[p](scripts/foo(1).txt)', '[p](skill:office/pdf/scripts/foo(1).txt)'],
    [
      'see [g][ref]\n\n[ref]: references/guide.md\n',
      'see [g][ref]\n\n[ref]: skill:office/pdf/references/guide.md\n',
    ],
    ['<a class="x" href="forms.md">f</a>', '<a class="x" href="skill:office/pdf/forms.md">f</a>'],
    ["<img src='assets/a%20b.png'>", "<img src='skill:office/pdf/assets/a b.png'>"],
    ['run {baseDir}/scripts/a-b.py', 'run skill:office/pdf/scripts/a-b.py'],
    ['run \x24{baseDir}/x', 'run skill:office/pdf/x'],
    ['run $CLAUDE_SKILL_DIR/x', 'run skill:office/pdf/x'],
  ])('%j leads to the file', (text, expected) => {
    expect(resolve(text)).toBe(expected)
  })

  it.each([
    '[f](none.md)',
    '[f](https://example.com/forms.md)',
    '[f](#forms.md)',
    '[f](%zz)',
    '[f](../forms.md)',
    '`forms.md`',
    '[ref]: none.md',
    '<a href="https://example.com">f</a>',
    '<a href="forms.md\n">',
  ])('%j is left as it is', text => {
    expect(resolve(text)).toBe(text)
  })

  it('are all that changes, whatever the text', () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '"',
      ' ',
      '\n',
      '#',
      'forms.md',
      ':',
      '%20',
      'a href=',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), pieces => {
        const text = pieces.join('')
        expect(resolve(text).replaceAll('skill:office/pdf/', '')).toBe(text)
      }),
    )
  })

  it.each(['](', '](<', '<a ', '[x]: ', '](((((', '](a(', '<a href="'])(
    'are looked for in one pass: %j',
    piece => {
      expect(resolve(piece.repeat(40_000))).toBe(piece.repeat(40_000))
    },
  )
})
