import { createPublicKey, verify as verifyEd25519 } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sign } from '../../src/trust/sign.ts'
import type { SignedFile } from '../../src/trust/types.ts'
import { verify } from '../../src/trust/verify.ts'
import { contextWith, DETACHED, HASH_MARKS, key, NOW, SLASH_MARKS, samples, XML_MARKS } from './samples.ts'

const options = { timestamp: NOW, format: 'v2' } as const
const context = contextWith()

function signText(text: string, file: Pick<SignedFile, 'type' | 'id' | 'extension' | 'format'>) {
  return sign({ ...file, bytes: Buffer.from(text) }, key, options)
}

const script = { type: 'tool', id: 'demo/run', extension: '.py', format: HASH_MARKS } as const
const page = { type: 'knowledge', id: 'notes/entry', extension: '.md', format: XML_MARKS } as const
const linesOf = (bytes: Uint8Array) => Buffer.from(bytes).toString().split('\n')

describe('signing', () => {
  it('puts the line first, or behind the shebang, and keeps every other byte', () => {
    expect(linesOf(signText('a\nb\n', page).bytes).slice(1)).toEqual(['a', 'b', ''])
    const lines = linesOf(signText('#!/bin/sh\necho\n', script).bytes)
    expect(lines[0]).toBe('#!/bin/sh')
    expect(lines[1]).toMatch(/^# rye:signed:/)
    expect(lines.slice(2)).toEqual(['echo', ''])
  })

  it('keeps CRLF, and ends its own line the same way', () => {
    const { bytes } = signText('#!/bin/sh\r\necho\r\n', script)
    expect(Buffer.from(bytes).toString()).toMatch(/^#!\/bin\/sh\r\n# rye:signed:[^\r\n]+\r\necho\r\n$/)
  })

  it('ends its own line as the first line does, be that an empty one', () => {
    expect(Buffer.from(signText('\ntext\r\n', page).bytes).toString()).toMatch(/-->\n\ntext\r\n$/)
    expect(Buffer.from(signText('\r\ntext\n', page).bytes).toString()).toMatch(/-->\r\n\r\ntext\n$/)
  })

  it('changes nothing but the line when it is repeated', () => {
    for (const file of Object.values(samples)) {
      const once = sign(file, key, options)
      const twice = sign({ ...file, bytes: once.bytes }, key, {
        ...options,
        timestamp: '2026-03-01T12:00:01Z',
      })
      expect(twice.signature.hash).toBe(once.signature.hash)
      expect(twice.bytes.length).toBe(once.bytes.length)
    }
  })

  it.each([
    '# kiwi-mcp:validated:2026-01-01T00:00:00Z:abc',
    '# kiwi-mcp:valid:abc:def:item',
    '# rye:validated:2026-01-01T00:00:00Z:abc',
    '# rye:signed:2026-02-04T23:57:39Z:placeholder:unsigned:unsigned',
    '# rye:signed:broken',
    '#rye:signed:broken',
  ])('replaces %s, before and behind the shebang', old => {
    const expected = linesOf(signText('#!/bin/sh\necho\n', script).bytes)
    for (const text of [`#!/bin/sh\n${old}\necho\n`, `${old}\n#!/bin/sh\n${old}\n${old}\necho\n`])
      expect(linesOf(signText(text, script).bytes)).toEqual(expected)
  })

  it('removes a well-formed line that slipped below content, and says where it stood', () => {
    const old = Buffer.from(signText('text\n', page).bytes).toString()
    const { bytes, warnings } = signText(`# Title\n\n${old}`, page)
    expect(linesOf(bytes).slice(1)).toEqual(['# Title', '', 'text', ''])
    expect(warnings).toEqual([
      {
        severity: 'warning',
        code: 'stray-signature',
        message: 'removed a signature line that was after content',
        line: 3,
        column: 1,
      },
    ])
  })

  it('removes a byte order mark, and says so', () => {
    const { bytes, warnings } = signText('\ufeff# Title\n', page)
    expect(linesOf(bytes)[1]).toBe('# Title')
    expect(warnings.map(warning => warning.code)).toEqual(['byte-order-mark'])
  })

  it('leaves a file without comments alone, and gives the signature beside it', () => {
    const file = samples['json tool']!
    const { bytes, detached } = sign(file, key, options)
    expect(bytes).toBe(file.bytes)
    expect(Buffer.from(detached!).toString()).toMatch(/^# rye:signed:[^\n]+\n$/)
  })

  it('names invisible and bidirectional characters with line and column in the new file', () => {
    const { warnings } = signText('one\ntwo \u202eeno\nthr\u200bee\n', page)
    expect(warnings.map(({ code, message, line, column }) => [code, message, line, column])).toEqual([
      ['bidirectional-character', 'bidirectional character U+202E', 3, 5],
      ['invisible-character', 'invisible character U+200B', 4, 4],
    ])
  })

  it('does not warn about what an emoji is made of', () => {
    expect(signText('ok \u2714\ufe0f \u{1f469}\u200d\u{1f4bb} 1\ufe0f\u20e3\n', page).warnings).toEqual([])
    expect(signText('a\u200db\n', page).warnings).toHaveLength(1)
  })

  it('bounds its warnings', () => {
    const { warnings } = signText('\u200b'.repeat(10_000), page)
    expect(warnings).toHaveLength(51)
    expect(warnings.at(-1)!.message).toBe('9950 more invisible characters from here on')
  })

  it.each([
    ['an id outside the grammar', { ...page, id: '../x' }, options, 'INVALID_ID'],
    ['a time that does not exist', page, { ...options, timestamp: '2026-02-30T00:00:00Z' }, 'INVALID_INPUT'],
    ['a provenance with a line feed', page, { ...options, provenance: 'a@b\nc' }, 'INVALID_INPUT'],
    [
      'v1 for a directive without a block',
      { ...page, type: 'directive' as const },
      { ...options, format: 'v1' as const },
      'ITEM_MALFORMED',
    ],
  ])('refuses %s', (_, file, with_, code) => {
    expect(() => sign({ ...file, bytes: Buffer.from('x\n') }, key, with_)).toThrow(
      expect.objectContaining({ code }),
    )
  })

  it('makes what verifies, from any bytes, in any format, with or without provenance', () => {
    const old = Buffer.from(signText('x\n', script).bytes).toString('latin1')
    const piece = fc.constantFrom(
      '#!/bin/sh',
      '\n',
      '\r\n',
      '\r',
      '# ',
      'rye:signed:',
      '// ',
      old,
      'x',
      '\xff',
      '\0',
    )
    const content = fc.oneof(
      fc.array(piece).map(pieces => Buffer.from(pieces.join(''), 'latin1')),
      fc.uint8Array({ maxLength: 200 }),
    )
    const format = fc.constantFrom(HASH_MARKS, SLASH_MARKS, XML_MARKS, DETACHED)
    const provenance = fc.constantFrom({}, { provenance: 'rye@someone' })
    fc.assert(
      fc.property(content, format, provenance, (bytes, format, given) => {
        const file = { ...script, format, bytes }
        const result = sign(file, key, { ...options, ...given })
        const { detached } = result
        const verdict = verify({ ...file, bytes: result.bytes, ...(detached && { detached }) }, context)
        expect(verdict).toMatchObject({ status: 'verified', format: 'v2', coverage: 'full' })
      }),
      { numRuns: 500 },
    )
  })
})

it('signs this message and no other', () => {
  const { signature } = sign({ ...script, bytes: Buffer.from('a\n') }, key, {
    ...options,
    provenance: 'hub@ann',
  })
  const hash = '87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7'
  const message = `rye-item-v2\ntool\ndemo/run\nrun.py\n2026-03-01T12:00:00Z\nhub@ann\n${hash}\n`
  expect(verifyEd25519(null, Buffer.from(message), createPublicKey(key.publicPem), signature.signature)).toBe(
    true,
  )
})
