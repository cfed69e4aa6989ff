// How many calls a user may make, with a clock controlled by the test.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CallLimits } from '../../../src/surfaces/mcp/http/call-limits.ts'

function limitsAt() {
  const clock = { now: 0 }
  return { clock, limits: new CallLimits(() => clock.now) }
}

const MANY = { rate: 1_000_000, concurrency: 1000, queue: 10_000 }

describe('the rate', () => {
  it('allows ten seconds of calls at once, then one at a time, and says when', async () => {
    const { clock, limits } = limitsAt()
    const rate = { ...MANY, rate: 60 }
    for (let call = 0; call < 10; call++) expect(await limits.enter('ada', rate)).toHaveProperty('leave')
    expect(await limits.enter('ada', rate)).toEqual({ reason: 'rate', retryAfterSeconds: 1 })
    expect(await limits.enter('bob', rate)).toHaveProperty('leave')
    clock.now += 1000
    expect(await limits.enter('ada', rate)).toHaveProperty('leave')
    expect(await limits.enter('ada', { ...rate, rate: 1 })).toEqual({ reason: 'rate', retryAfterSeconds: 60 })
  })

  it('is never more than its burst and its minutes, however calls come', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 500 }),
        fc.array(fc.nat(20_000), { maxLength: 200 }),
        async (rate, pauses) => {
          const { clock, limits } = limitsAt()
          let served = 0
          for (const pause of pauses) {
            clock.now += pause
            const entered = await limits.enter('ada', { ...MANY, rate })
            if ('reason' in entered) expect(entered.retryAfterSeconds).toBeGreaterThanOrEqual(1)
            else {
              served += 1
              entered.leave()
            }
          }
          expect(served).toBeLessThanOrEqual(Math.ceil(rate / 6) + (clock.now * rate) / 60_000 + 1)
        },
      ),
    )
  })
})

describe('calls at once', () => {
  it('wait in a bounded line, in their order, and a place is given on once', async () => {
    const { limits } = limitsAt()
    const two = { ...MANY, concurrency: 2, queue: 2 }
    const first = await limits.enter('ada', two)
    await limits.enter('ada', two)
    const order: number[] = []
    const waiting = [1, 2].map(async number => {
      const entered = await limits.enter('ada', two)
      order.push(number)
      return entered
    })
    expect(limits.waiting).toBe(2)
    expect(await limits.enter('ada', two)).toEqual({ reason: 'queue', retryAfterSeconds: 1 })
    if (!('leave' in first)) throw new Error('expected a place')
    first.leave()
    first.leave()
    await waiting[0]
    expect(order).toEqual([1])
    expect([limits.running, limits.waiting]).toEqual([2, 1])
  })

  it('leave the line when their client goes away', async () => {
    const { limits } = limitsAt()
    const one = { ...MANY, concurrency: 1 }
    await limits.enter('ada', one)
    const gone = new AbortController()
    const waiting = limits.enter('ada', one, gone.signal)
    gone.abort()
    expect(await waiting).toMatchObject({ reason: 'queue' })
    expect(await limits.enter('ada', one, AbortSignal.abort())).toMatchObject({ reason: 'queue' })
    expect([limits.running, limits.waiting]).toEqual([1, 0])
  })
})
