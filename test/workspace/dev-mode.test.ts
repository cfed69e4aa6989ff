import { expect, it } from 'vitest'
import { describeDevMode, isDevMode } from '../../src/workspace/dev-mode.ts'

it.each([
  [undefined, undefined],
  ['', undefined],
  ['0', undefined],
  ['False', undefined],
  [
    '1',
    'RYE_DEV_MODE=1: items of the project that are unsigned, or that you have changed since you signed them, are accepted',
  ],
  ['true', 'RYE_DEV_MODE is not on: expected 1, got `true`'],
  ['yes', 'RYE_DEV_MODE is not on: expected 1, got `yes`'],
  ['1 ', 'RYE_DEV_MODE is not on: expected 1, got `1 `'],
])('development mode with %j', (value, says) => {
  const environment = { RYE_DEV_MODE: value }
  expect(isDevMode(environment)).toBe(value === '1')
  expect(describeDevMode(environment)).toBe(says)
})
