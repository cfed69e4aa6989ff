import { expect, it } from 'vitest'
import { isFuture } from '../../src/trust/clock.ts'

it('allows five minutes between two clocks, and no more', () => {
  const now = new Date('2026-02-01T10:00:00Z')
  const at = (ms: number) => new Date(now.getTime() + ms).toISOString()
  expect([0, 299_999, 300_000, 300_001, 600_000].map(ms => isFuture(at(ms), now))).toEqual([
    ...[false, false, false],
    ...[true, true],
  ])
})
