import { setTimeout as pause } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { expect, it } from 'vitest'
import { releaseMemory } from '../../src/base/release-memory.ts'

it('collects what nobody has any more, and shrinks what is young', async () => {
  const gone = (() => new WeakRef({ text: 'x'.repeat(1000) }))()
  const lists = Array.from({ length: 300_000 }, (_, index) => [index])
  const young = () =>
    getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')!.space_size
  const before = young()
  expect(lists).toHaveLength(300_000)
  // What was allocated in this turn of the loop is held until its end.
  await pause(0)
  await releaseMemory()
  await releaseMemory()
  expect(gone.deref()).toBeUndefined()
  expect(young()).toBeLessThan(before)
})
