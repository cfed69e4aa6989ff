import { describe, expect, it } from 'vitest'
import { isTimestamp, printSignatureLine, readSignatureLine } from '../../src/trust/signature-line.ts'
import type { SignatureLine } from '../../src/trust/types.ts'

const marks = { prefix: '<!--', suffix: '-->' }
const line: SignatureLine = {
  timestamp: '2026-02-23T05:24:41Z',
  hash: 'c4'.repeat(32),
  signature: Uint8Array.from({ length: 64 }, (_, index) => (index * 7) % 256),
  fingerprint: '9fbfabe975fa5a7f',
  provenance: null,
}
const printed = printSignatureLine(line, marks)
const read = (text: string) => readSignatureLine(text, marks)

describe('a signature line', () => {
  it('is read as it was printed, with and without provenance, in every comment syntax', () => {
    for (const other of [marks, { prefix: '#', suffix: '' }, { prefix: '//', suffix: '' }]) {
      for (const provenance of [null, 'rye-registry@some_user']) {
        const value = { ...line, provenance }
        const reading = readSignatureLine(printSignatureLine(value, other), other)
        expect(reading).toMatchObject({ kind: 'signature', line: { ...value, signature: expect.anything() } })
        expect(reading.kind === 'signature' && [...reading.line.signature]).toEqual([...line.signature])
      }
    }
  })

  it('is printed in the form that the older system reads, padding included', () => {
    expect(printed).toMatch(
      /^<!-- rye:signed:2026-02-23T05:24:41Z:[0-9a-f]{64}:[A-Za-z0-9_-]{86}==:9fbfabe975fa5a7f -->$/,
    )
  })

  it('is a comment that ends with its fields where a comment needs no end', () => {
    expect(printSignatureLine(line, { prefix: '#', suffix: '' })).toMatch(
      /^# rye:signed:2026.*:9fbfabe975fa5a7f$/,
    )
    expect(printSignatureLine(line, { prefix: '', suffix: '' })).toMatch(
      /^rye:signed:2026.*:9fbfabe975fa5a7f$/,
    )
  })

  it('is accepted without padding', () => {
    expect(read(printed.replace('==', '')).kind).toBe('signature')
  })

  it.each([
    ['trailing junk', `${printed} x`],
    ['trailing space', `${printed} `],
    ['leading space', ` ${printed}`],
    ['two spaces inside', printed.replace('<!-- ', '<!--  ')],
    ['no space inside', printed.replace('<!-- ', '<!--')],
    ['an unclosed comment', printed.replace(' -->', '')],
    ['junk after the fingerprint', printed.replace(' -->', 'x -->')],
    ['upper-case hash', printed.replace('c4c4', 'C4c4')],
    ['a short hash', printed.replace('c4c4', 'c4')],
    ['a long hash', printed.replace('c4c4', 'c4c4c')],
    ['upper-case fingerprint', printed.replace('9fbf', '9FBF')],
    ['a short fingerprint', printed.replace('9fbfabe975fa5a7f', '9fbfabe975fa5a7')],
    ['a long fingerprint', printed.replace('9fbfabe975fa5a7f', '9fbfabe975fa5a7f0')],
    ['an empty fingerprint', printed.replace('9fbfabe975fa5a7f', '')],
    ['a fingerprint that is a path', printed.replace('9fbfabe975fa5a7f', '../../../../x.xx')],
    ['one padding sign', printed.replace('==', '=')],
    ['three padding signs', printed.replace('==', '===')],
    ['the other base64 alphabet', printed.replace(/:([A-Za-z0-9_-]{10})([A-Za-z0-9_-]{76}==)/, ':+/$1$2')],
    ['a day that does not exist', printed.replace('02-23', '02-30')],
    ['an hour that does not exist', printed.replace('T05', 'T24')],
    ['a time without zone', printed.replace('41Z', '41+')],
    ['a provenance without user', printed.replace(' -->', '|rye@ -->')],
    ['a provenance with spaces', printed.replace(' -->', '|rye@a b -->')],
    ['two provenances', printed.replace(' -->', '|a@b|c@d -->')],
    ['an oversize provenance', printed.replace(' -->', `|a@${'b'.repeat(65)} -->`)],
    ['only the tag', '<!-- rye:signed: -->'],
    ['the example of a manual', '<!-- rye:signed:TIMESTAMP:HASH:SIG:FP -->'],
  ])('with %s is malformed', (_, text) => {
    expect(text).not.toBe(printed)
    expect(read(text).kind).toBe('malformed')
  })

  it('with loose trailing bits in its base64 is malformed', () => {
    const encoded = /:([A-Za-z0-9_-]{86})==/.exec(printed)![1]!
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const next = alphabet[alphabet.indexOf(encoded.at(-1)!) + 1]!
    const loose = encoded.slice(0, -1) + next
    expect(Buffer.from(loose, 'base64url')).toEqual(Buffer.from(encoded, 'base64url'))
    expect(read(printed.replace(encoded, loose)).kind).toBe('malformed')
  })

  it.each([
    '<!-- kiwi-mcp:validated:2026-01-01T00:00:00Z:abc -->',
    '<!-- kiwi-mcp:valid:abc:def:item -->',
    '<!-- rye:validated:2026-01-01T00:00:00Z:abc -->',
    '<!-- rye:signed:2026-02-04T23:57:39Z:placeholder:unsigned:unsigned -->',
  ])('of an older system or a placeholder is no signature: %s', text => {
    expect(read(text).kind).toBe('retired')
  })

  it.each(['', '# Title', '<!-- rye:unsigned -->', `text ${printed}`, '# rye:signed:x', '<!-- note -->'])(
    'is not seen in ordinary content: %s',
    text => {
      expect(read(text).kind).toBe('content')
    },
  )

  it('holds a real calendar time', () => {
    expect(['2024-02-29T23:59:59Z', '1970-01-01T00:00:00Z'].every(isTimestamp)).toBe(true)
    const wrong = ['2023-02-29T00:00:00Z', '2026-13-01T00:00:00Z', '2026-01-01T00:60:00Z', '2026-01-01', '']
    expect(wrong.some(isTimestamp)).toBe(false)
  })
})
