import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findHidden } from '../../src/base/index.ts'
import { previewAround, previewSource } from '../../src/search/preview.ts'

const FILLER = 'lorem ipsum dolor sit amet '.repeat(40)

describe('a preview', () => {
  it('shows the place with most of the words', () => {
    const text = `${FILLER} one deploy here. ${FILLER} deploy the web server safely. ${FILLER}`
    expect(previewAround(text, ['deploy', 'server'])).toContain('deploy the web server safely')
  })

  it('shows the place with most of the words, wherever each stands first', () => {
    const places = ['alpha', 'beta', 'gamma', 'alpha beta', 'beta gamma', 'alpha gamma beta']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...places), { minLength: 1, maxLength: 8 }), chosen => {
        const most = Math.max(...chosen.map(place => place.split(' ').length))
        const text = chosen.map(place => `${FILLER} ${place} `).join('') + FILLER
        const preview = previewAround(text, ['alpha', 'beta', 'gamma', 'absent'])
        expect(preview.match(/alpha|beta|gamma/g)).toHaveLength(most)
        // Of several such places, the first.
        const first = chosen.find(place => place.split(' ').length === most)!
        expect(preview).toContain(` ${first} `)
      }),
    )
  })

  it('makes one space of any white space', () => {
    expect(previewAround('a\tb  c \n d\n\n\te\u00a0f \u2003g', [])).toBe('a b c d e f g')
  })

  it('is the beginning when nothing matches', () => {
    expect(previewAround('First line.\nSecond line.', [])).toBe('First line. Second line.')
  })

  it('finds the parts of identifiers', () => {
    expect(previewAround(`${FILLER} call getUserName() now ${FILLER}`, ['user'])).toContain('getUserName')
  })

  it('says with dots that there is more', () => {
    const preview = previewAround(`${FILLER} needle ${FILLER}`, ['needle'])
    expect(preview.startsWith('… ')).toBe(true)
    expect(preview.endsWith(' …')).toBe(true)
  })

  it('is one line of bounded length without anything hidden, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), fc.array(fc.string()), (text, words) => {
        const preview = previewAround(previewSource(text), words)
        expect(preview.length).toBeLessThan(260)
        expect(findHidden(preview)).toEqual([])
        expect(preview).not.toMatch(/[\n\t]/)
      }),
    )
  })

  it('shows bidirectional and zero-width characters as escapes', () => {
    expect(previewAround('safe\u202e evil\u200b', [])).toBe('safe\\u{202e} evil\\u{200b}')
  })
})

describe('the text that previews are cut from', () => {
  it('has no signature lines and no metadata assignments', () => {
    const body = [
      '#!/usr/bin/env python3',
      '# rye:signed:2026-01-01T00:00:00Z:abc:def:0123456789abcdef',
      '__version__ = "1.0.0"',
      '# __executor_id__ = "x"',
      'def run(): pass',
    ].join('\n')
    expect(previewSource(body)).toBe('#!/usr/bin/env python3\ndef run(): pass')
  })

  it('leaves other lines as they are', () => {
    expect(previewSource('a\n__init__ is a method\nb')).toBe('a\n__init__ is a method\nb')
  })
})

describe('metadata of a tool', () => {
  const BODY = 'the body begins here'
  it.each([
    [
      'Python',
      ['"""What it is for."""', 'import os', ''],
      ['', 'def execute(params, project_path):', `    # ${BODY}`],
      [
        '__version__ = "1.0.0"',
        '__tool_description__ = (',
        '    "leak "  # it\'s a leak (',
        '    "leak"',
        ')',
        'CONFIG_SCHEMA: Dict[str, Any] = {',
        '    "leak": {"type": "string", "pattern": "[({"},',
        "    'leak': '\\'',",
        '}',
        'CONFIG = {"leak": """',
        'leak } ] )',
        '"""}',
        'tags = ["leak",',
        '        "leak"]',
        '__category__ = \\',
        '    "leak"',
      ],
    ],
    [
      'shell',
      ['#!/usr/bin/env bash', '# What it is for.', '#'],
      ['set -eu', 'CONFIG=$(kept)', `echo ${BODY}`],
      [
        '# __version__ = "1.0.0"',
        '# CONFIG_SCHEMA = {"type": "object",',
        '#   "properties": {"leak": {"type": "string"}},',
        '#   "required": ["leak"]',
        '# }',
        "# __tool_description__ = 'leak'",
      ],
    ],
    [
      'shell, broken off',
      ['# What it is for.'],
      [`echo ${BODY}`],
      ['# CONFIG_SCHEMA = {"leak": [', '#   "leak"'],
    ],
    [
      'TypeScript',
      ['// What it is for.'],
      ['export function execute() {', `  return '${BODY}'`, '}'],
      [
        "export const __version__ = '1.0.0'",
        'export const __tool_description__ =',
        "  'leak' +",
        "  'leak'",
        'export const CONFIG_SCHEMA = {',
        "  leak: { pattern: '}' }, // it's a leak {",
        '  other: `',
        '    leak }',
        '  `,',
        '} as const',
        'const tags: readonly string[] = [',
        "  'leak',",
        ']',
      ],
    ],
  ])('is left out of a preview: %s', (_, before, after, metadata) => {
    const source = [...before, ...metadata, ...after].join('\n')
    expect(previewSource(source)).toBe([...before, ...after].join('\n'))
  })

  it('takes nothing from text that only speaks of it', () => {
    const text = [
      'CONFIG == x is a comparison',
      'tags are words, keywords too',
      'CONFIG=x',
      'The CONFIG = of a tool',
      '    __version__ = 1',
      'keywords: [a]',
    ].join('\n')
    expect(previewSource(text)).toBe(text)
  })

  it('that never ends costs one line, not the text', () => {
    const lines = Array.from({ length: 1500 }, (_, number) => `line ${number}`)
    expect(previewSource(['CONFIG = {', ...lines].join('\n'))).toBe(lines.join('\n'))
  })
})
