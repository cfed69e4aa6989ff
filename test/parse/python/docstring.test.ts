import { expect, it } from 'vitest'
import { cleanDocstring } from '../../../src/parse/python/docstring.ts'

it.each([
  ['One line', 'One line'],
  ['  Leading blanks', 'Leading blanks'],
  ['First\n\n    Args:\n        a: one\n    ', 'First\n\nArgs:\n    a: one'],
  ['\n    Begins late\n      deeper\n', 'Begins late\n  deeper'],
  ['First\n\tTab\n\t  deeper', 'First\nTab\n  deeper'],
  ['First\n  two\n    \n  three', 'First\ntwo\n  \nthree'],
  ['', ''],
  ['\n\n', ''],
])('%j is cleaned', (text, clean) => {
  expect(cleanDocstring(text)).toBe(clean)
})
