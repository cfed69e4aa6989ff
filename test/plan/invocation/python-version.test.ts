import { expect, it } from 'vitest'
import { isOtherPython } from '../../../src/plan/invocation/python-version.ts'

it.each([
  ['>=3.99', true],
  ['>=3.11', false],
  ['>=3.9', false],
  ['>=4', true],
  ['>3.10', false],
  ['>3.11', false],
  ['<3.11', true],
  ['<3.11.5', false],
  ['<3.12', false],
  ['<4', false],
  ['<=3.10', true],
  ['<=3.11', false],
  ['==3.11.*', false],
  ['==3.12', true],
  ['==3', false],
  ['==2', true],
  ['~=3.12', true],
  ['>=3.10, <3.14', false],
  ['>=3.10,<3.11', true],
  ['!=3.11', false],
  ['', false],
  ['whatever', false],
])('`%s` leaves out Python 3.11: %s', (wanted, expected) => {
  expect(isOtherPython(wanted, [3, 11])).toBe(expected)
})
