import { afterAll, expect, it } from 'vitest'
import { createPatternGuard } from '../../../src/execute/workers/pattern-guard.ts'

const guard = createPatternGuard()
afterAll(() => guard.close())

it.each([
  ['^[a-z]+$', 'abc', true],
  ['^[a-z]+$', 'ab1', false],
  ['\\p{L}', 'é', true],
  ['b', 'abc', true],
])('%s on %s', async (pattern, text, expected) => {
  expect(await guard.matches(pattern, text)).toBe(expected)
})

it('an invalid pattern is reported', async () => {
  await expect(guard.matches('(', 'x')).rejects.toMatchObject({ code: 'PARAMETERS_INVALID' })
})

it('a pattern that backtracks without end costs its call, and the next one works', async () => {
  const hang = guard.matches('^(a+)+$', `${'a'.repeat(40)}!`)
  const next = guard.matches('^(a|b)$', 'a')
  await expect(hang).rejects.toMatchObject({
    code: 'PARAMETERS_INVALID',
    message: expect.stringContaining('100 ms'),
  })
  expect(await next).toBe(true)
})

it('a harmless pattern is not blamed for a busy main thread or a busy machine', async () => {
  await guard.matches('warm', 'up')
  const asked = [guard.matches('^[a-z]+$', 'abc'), guard.matches('^[a-z]+$', 'ab1')]
  await new Promise<void>(resolve => {
    // Until after the match was asked for, and well past its deadline.
    setImmediate(() => {
      for (const end = performance.now() + 400; performance.now() < end; );
      resolve()
    })
  })
  expect(await Promise.all(asked)).toEqual([true, false])
})
