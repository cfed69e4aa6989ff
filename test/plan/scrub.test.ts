import { expect, test } from 'vitest'
import { createScrubber } from '../../src/plan/scrub.ts'

test.each([
  [
    'a longer secret goes whole, whatever it contains',
    ['abcd', 'abcdefgh'],
    ['abcdefgh abcd'],
    ['[secret] [secret]'],
  ],
  [
    'keys are scrubbed like values',
    ['hunter2'],
    { hunter2: { a: 'x hunter2' } },
    { '[secret]': { a: 'x [secret]' } },
  ],
  ['a secret is found where JSON escaped it', ['a"b\\n'], '{"x":"a\\"b\\\\n"}', '{"x":"[secret]"}'],
  ['a short word is left alone', ['no', ''], 'no news', 'no news'],
  ['other values stay as they are', ['abcd'], [1, null, true], [1, null, true]],
])('%s', (_, secrets, value, expected) => {
  expect(createScrubber(secrets)(value)).toEqual(expected)
})
