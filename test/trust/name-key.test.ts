import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keysNamed } from '../../src/trust/name-key.ts'

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
const owners = fc.oneof(fc.constantFrom('ann', 'Ann <ann@example.org>', 'cafe', 'beef1234'), hex(16), hex(5))
const keys = fc.uniqueArray(fc.record({ fingerprint: hex(16), owner: owners }), {
  selector: key => key.fingerprint,
  maxLength: 6,
})

describe('a key is found', () => {
  it('by its whole fingerprint, alone, whatever the others are called', () => {
    fc.assert(
      fc.property(keys, hex(16), (known, owner) => {
        const all = [...known, { fingerprint: owner, owner: 'ann' }]
        // Somebody uses another key's fingerprint as their name.
        const liar = { fingerprint: 'f'.repeat(16), owner }
        expect(keysNamed(owner, [liar, ...all]).every(key => key.fingerprint === owner)).toBe(true)
        for (const key of known) expect(keysNamed(key.fingerprint, all)).toContain(key)
      }),
    )
  })

  it('by a beginning: exactly the keys that begin so, or are called so', () => {
    fc.assert(
      fc.property(keys, fc.integer({ min: 4, max: 15 }), (known, length) => {
        for (const { fingerprint } of known) {
          const prefix = fingerprint.slice(0, length)
          const expected = known.filter(key => key.fingerprint.startsWith(prefix) || key.owner === prefix)
          expect(keysNamed(prefix, known)).toEqual(expected)
        }
      }),
    )
  })

  it.each([
    ['Ann <ann@example.org>', 1],
    ['Ann', 1],
    ['ann@example.org', 1],
    ['ann', 0],
    ['0123', 1],
    ['012', 0],
    ['0123456789ABCDEF', 0],
    ['', 0],
    ['__proto__', 0],
  ])('by %j: %i', (name, count) => {
    const known = [{ fingerprint: '0123456789abcdef', owner: 'Ann <ann@example.org>' }]
    expect(keysNamed(name, known)).toHaveLength(count)
  })
})
