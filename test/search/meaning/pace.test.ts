// How texts are sent to a provider: laws about the pace, and whole runs against providers that only count.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Pace } from '../../../src/search/meaning/pace.ts'
import type { ProviderProblem } from '../../../src/search/meaning/provider-error.ts'

const PROBLEMS: readonly ProviderProblem[] = ['slow', 'busy', 'unreachable', 'refused', 'denied']

const events = fc.array(
  fc.oneof(
    fc.record({ ms: fc.double({ min: 0, max: 100_000, noNaN: true }) }),
    fc.record({
      problem: fc.constantFrom(...PROBLEMS),
      retryAfterMs: fc.option(fc.nat(120_000), { nil: undefined }),
    }),
  ),
  { maxLength: 60 },
)

describe('a pace', () => {
  it('sends 1 to 64 texts, whatever happens, and never waits longer than a minute', () => {
    fc.assert(
      fc.property(events, all => {
        const pace = new Pace()
        for (const event of all) {
          expect(pace.size).toBeGreaterThanOrEqual(1)
          expect(pace.size).toBeLessThanOrEqual(64)
          if ('ms' in event) pace.succeeded(pace.size, event.ms)
          else {
            const next = pace.failed(pace.size, event)
            if (typeof next === 'object') {
              expect(next.waitMs).toBeGreaterThanOrEqual(0)
              expect(next.waitMs).toBeLessThanOrEqual(60_000)
            }
          }
        }
      }),
    )
  })

  it.each(PROBLEMS)('ends when nothing but `%s` comes', problem => {
    const pace = new Pace()
    const steps = Array.from({ length: 20 }, () => pace.failed(pace.size, { problem }))
    expect(steps).toContain('give up')
  })

  it('sends so many that a request takes some seconds: few to a slow provider, most to a fast one', () => {
    const settle = (msPerText: number) => {
      const pace = new Pace()
      for (let round = 0; round < 20; round++) pace.succeeded(pace.size, pace.size * msPerText)
      return pace.size
    }
    expect(settle(1)).toBe(64)
    expect(settle(1500 / 8)).toBe(21)
    expect(settle(3000)).toBe(1)
    expect(settle(30_000)).toBe(1)
  })

  it('waits as long as it is asked to, and sends less then', () => {
    const pace = new Pace()
    expect(pace.failed(8, { problem: 'busy', retryAfterMs: 7000 })).toEqual({ waitMs: 7000 })
    expect(pace.size).toBe(4)
    expect(pace.failed(4, { problem: 'busy', retryAfterMs: 3_600_000 })).toBe('give up')
  })

  it('finds the text that is not taken, and leaves it out', () => {
    const pace = new Pace()
    const steps = [8, 4, 2, 1].map(texts => pace.failed(texts, { problem: 'refused' }))
    expect(steps).toEqual([{ waitMs: 0 }, { waitMs: 0 }, { waitMs: 0 }, 'leave out'])
  })
})
