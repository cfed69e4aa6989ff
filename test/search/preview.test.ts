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
