import { setTimeout as pause } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { releaseMemory } from '../../../src/surfaces/ui/release-memory.ts'

it('collects what nobody has any more, and leaves the flags of V8 as they were', async () => {
  const before = runInNewContext('typeof gc')
  const gone = (() => new WeakRef({ text: 'x'.repeat(1000) }))()
  // What was made in this turn of the loop is held until its end.
  await pause(0)
  releaseMemory()
  expect(gone.deref()).toBeUndefined()
  releaseMemory()
  expect(runInNewContext('typeof gc')).toBe(before)
})
