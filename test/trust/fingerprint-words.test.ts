import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fingerprintWords } from '../../src/trust/name-key.ts'

const fingerprint = fc.stringMatching(/^[0-9a-f]{16}$/)

it('four words stand for a fingerprint, and others for every other one', () => {
  fc.assert(
    fc.property(fingerprint, fingerprint, (one, other) => {
      expect(fingerprintWords(one)).toMatch(
        /^(?:[b-z][aiou][b-z][aiou][b-z]-){3}[b-z][aiou][b-z][aiou][b-z]$/,
      )
      expect(fingerprintWords(one) === fingerprintWords(other)).toBe(one === other)
    }),
  )
  expect(fingerprintWords('87c9fa367709cdcf')).toBe('mizan-zomuk-lisan-sulaz')
})
