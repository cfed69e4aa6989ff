import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createScrubber } from '../../src/execute/scrub.ts'

it('takes a secret out of texts, keys and nested values', () => {
  const scrub = createScrubber(['hunter22'])
  expect(scrub({ a: ['x hunter22 y'], hunter22: { b: 'hunter22hunter22' }, n: 1, z: null })).toEqual({
    a: ['x [secret] y'],
    '[secret]': { b: '[secret][secret]' },
    n: 1,
    z: null,
  })
})

it('takes it out of JSON inside text as well', () => {
  const scrub = createScrubber(['pass"word'])
  expect(scrub('{"k": "pass\\"word"}')).toBe('{"k": "[secret]"}')
})

it('a secret inside a longer one leaves nothing of the longer one', () => {
  expect(createScrubber(['abcd', 'abcdefgh'])('abcdefgh')).toBe('[secret]')
})

it('very short values are left alone', () => {
  expect(createScrubber(['', 'a', 'yes'])('yes, a word')).toBe('yes, a word')
})

it('no answer contains a secret', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 4 }), fc.jsonValue(), fc.string(), (secret, value, around) => {
      fc.pre(!'[secret]'.includes(secret) && !secret.includes('[secret]') && !/^[secrt[\]]+$/.test(secret))
      const answer = createScrubber([secret])({ value, text: around + secret + around } as never)
      expect((answer as { text: string }).text.replaceAll('[secret]', '')).not.toContain(secret)
    }),
    { numRuns: 200 },
  )
})
