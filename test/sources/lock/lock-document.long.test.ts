import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Lock, parseLock, printLock } from '../../../src/sources/lock/lock-document.ts'
import { tries } from '../../fixtures/tries.ts'

const word = fc.stringMatching(/^[A-Za-z0-9._^-]{1,12}$/)
const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`))
const text = fc
  .string({ minLength: 1, maxLength: 20 })
  .filter(value => /^[^\p{Cc}\u2028\u2029]+$/u.test(value))
const item = fc.record(
  {
    name: fc.constantFrom('skill:', 'tool:', 'knowledge:').chain(type => fc.uuid().map(id => type + id)),
    digest: hex(64),
    signer: hex(16),
    accepted: hex(16),
    at: word.filter(value => value !== '-'),
    path: text,
  },
  { requiredKeys: ['name', 'digest', 'path'] },
)
const source = fc.record(
  {
    source: fc.uuid().map(name => `npm:${name}`),
    ref: word,
    resolved: word,
    integrity: word,
    only: fc.uniqueArray(text, { maxLength: 3 }).map(patterns => patterns.sort()),
    items: fc.array(item, { maxLength: 4 }),
  },
  { requiredKeys: ['source', 'resolved', 'only', 'items'] },
)
const lock: fc.Arbitrary<Lock> = fc.array(source, { maxLength: 4 }).map(sources => ({ sources }))

describe('the lock', () => {
  it('is read as it was written, whatever the order it was given in', () => {
    fc.assert(
      fc.property(lock, one => {
        const printed = printLock(one)
        const read = parseLock(printed)
        expect(printLock(read)).toBe(printed)
        const reversed = {
          sources: [...one.sources].reverse().map(entry => ({ ...entry, items: [...entry.items].reverse() })),
        }
        expect(printLock(reversed)).toBe(printed)
        expect(read.sources.map(entry => entry.items.length).sort()).toEqual(
          one.sources.map(entry => entry.items.length).sort(),
        )
      }),
    )
  })

  it('is read with the line ends of another system, and with those alone', () => {
    fc.assert(
      fc.property(lock, one => {
        const printed = printLock(one)
        expect(parseLock(printed.replaceAll('\n', '\r\n'))).toEqual(parseLock(printed))
      }),
    )
    expect(() => parseLock(`rye lock v1\n\n${entry.replace('\n', '\r\n')}`)).toThrow('line 3')
    expect(() => parseLock('\r\n'.repeat(tries({ usual: 1_000_000, torture: 8_000_000 })))).toThrow(
      'expected `rye lock v1`',
    )
  })

  it.each([
    ['<<<<<<< HEAD', 3],
    ['||||||| 1234567', 3],
    ['=======', 3],
    ['>>>>>>> theirs', 3],
  ])('with %s says that a merge left a conflict, and how to take a side', (mark, line) => {
    const message = `line ${line}: a merge has left a conflict`
    const hint = expect.stringContaining('git checkout --ours .ai/rye.lock')
    const refusal = expect.objectContaining({ message: expect.stringContaining(message), hint })
    expect(() => parseLock(`rye lock v1\n\n${mark}\n${entry}`)).toThrow(refusal)
    expect(() => parseLock(`rye lock v1\r\n\r\n${mark}\r\n`)).toThrow(refusal)
  })

  const entry = `source npm:a\n  resolved 1.0.0\n  item skill:pdf sha256:${'0'.repeat(64)} signer - accepted - at - from pdf/SKILL.md\n`

  it.each([
    ['another program', 'lock v2\n'],
    ['a source twice', `rye lock v1\n\n${entry}\n${entry}`],
    ['an item in two sources', `rye lock v1\n\n${entry}\n${entry.replace('npm:a', 'npm:b')}`],
    ['no state', 'rye lock v1\n\nsource npm:a\n'],
    ['an id that leads elsewhere', `rye lock v1\n\n${entry.replace('skill:pdf', 'skill:../pdf')}`],
    ['a type of its own', `rye lock v1\n\n${entry.replace('skill:pdf', 'config:pdf')}`],
    ['a short digest', `rye lock v1\n\n${entry.replace('0'.repeat(64), '0'.repeat(63))}`],
    ['a key that is none', `rye lock v1\n\n${entry.replace('signer -', 'signer me')}`],
    [
      'another order',
      `rye lock v1\n\n${entry.replace('npm:a', 'npm:b').replace('skill:pdf', 'skill:a')}\n${entry}`,
    ],
  ])('with %s is refused', (_, written) => {
    expect(() => parseLock(written)).toThrow(expect.objectContaining({ code: 'ITEM_MALFORMED' }))
  })
})
