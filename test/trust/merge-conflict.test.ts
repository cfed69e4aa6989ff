import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generateKey } from '../../src/trust/key.ts'
import { readMergeConflict } from '../../src/trust/merge-conflict.ts'
import { sign } from '../../src/trust/sign.ts'

const FORMAT = { prefix: '#', suffix: '', afterShebang: true, detached: false }
const KEY = generateKey()

function signatureOf(text: string): string {
  const file = { type: 'tool', id: 'x', extension: '.py', bytes: Buffer.from(text), format: FORMAT } as const
  const signed = sign(file, KEY, { timestamp: '2026-01-02T03:04:05Z', format: 'v2' })
  return Buffer.from(signed.bytes).toString().split('\n')[0]!
}

const [A, B, C] = ['a\n', 'b\n', 'c\n'].map(signatureOf)
const conflict = (ours: string, theirs: string) => `<<<<<<< HEAD\n${ours}=======\n${theirs}>>>>>>> branch\n`

const countOf = (lines: readonly string[]) => lines.filter(line => line === 'text\n').length

function read(text: string) {
  const found = readMergeConflict(Buffer.from(text), FORMAT)
  return found.kind === 'signature' ? { ...found, bytes: Buffer.from(found.bytes).toString() } : found
}

describe('a conflict about the signature', () => {
  it.each([
    ['merge', `${conflict(`${A}\n`, `${B}\n`)}x = 1\n`, 'x = 1\n'],
    ['diff3', `<<<<<<< HEAD\n${A}\n||||||| base\n${C}\n=======\n${B}\n>>>>>>> b\nx = 1\n`, 'x = 1\n'],
    ['after a #! line', `#!/bin/sh\n${conflict(`${A}\n`, `${B}\n`)}x\n`, '#!/bin/sh\nx\n'],
    ['one side lost it', `${conflict(`${A}\n`, '')}x\n`, 'x\n'],
    ['Windows', `${conflict(`${A}\n`, `${B}\n`)}x\n`.replaceAll('\n', '\r\n'), 'x\r\n'],
  ])('%s', (_, text, bytes) => {
    expect(read(text)).toEqual({ kind: 'signature', bytes })
  })
})

describe('anything else', () => {
  it.each([
    ['no conflict', 'x = 1\n', { kind: 'none' }],
    ['a heading', 'Title\n=======\n', { kind: 'none' }],
    ['a shift', 'x <<<<<<< y\n', { kind: 'none' }],
    ['content', conflict('x = 1\n', 'x = 2\n'), { kind: 'content', line: 1, hasSignature: false }],
    [
      'signature and content at once',
      conflict(`${A}\nx = 1\n`, `${B}\n`),
      { kind: 'content', line: 1, hasSignature: true },
    ],
    [
      'content after the signature',
      `${conflict(`${A}\n`, `${B}\n`)}y\n${conflict('1\n', '2\n')}`,
      { kind: 'content', line: 7, hasSignature: true },
    ],
    [
      'a block without an end',
      `<<<<<<< HEAD\n${A}\n=======\nx\n`,
      { kind: 'content', line: 1, hasSignature: false },
    ],
    [
      'the end of another block',
      `${conflict(`${A}\n`, `${B}\n`)}y\n>>>>>>> other\n`,
      { kind: 'content', line: 2, hasSignature: true },
    ],
    [
      'a block in a block',
      `<<<<<<< HEAD\n${A}\n${conflict(`${A}\n`, `${B}\n`)}`,
      { kind: 'content', line: 1, hasSignature: true },
    ],
  ])('%s', (_, text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  it('never keeps a marker, and never loses a line of content', () => {
    const line = fc.constantFrom(
      '<<<<<<< x\n',
      '=======\n',
      '>>>>>>> x\n',
      '||||||| x\n',
      `${A}\n`,
      `${B}\n`,
      'text\n',
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), lines => {
        const found = read(lines.join(''))
        const text = found.kind === 'signature' ? found.bytes : 'text\n'.repeat(countOf(lines))
        expect(text).not.toMatch(/^(<{7}|>{7}) x$/m)
        expect(text.split('text').length - 1).toBe(countOf(lines))
      }),
    )
  })
})
