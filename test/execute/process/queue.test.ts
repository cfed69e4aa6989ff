import { expect, it } from 'vitest'
import { FairQueue } from '../../../src/execute/process/queue.ts'

/** A run that lasts until `end` is called. */
function longRun(): { readonly ended: Promise<void>; end: () => void } {
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  return { ended, end }
}

it('runs no more at once than its limit', async () => {
  const queue = new FairQueue(3)
  let running = 0
  let most = 0
  await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      queue.run(`caller-${i % 4}`, async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise(resolve => setTimeout(resolve, 1))
        running -= 1
      }),
    ),
  )
  expect(most).toBe(3)
  expect(running).toBe(0)
})

it('takes callers in turn, however many runs each has waiting', async () => {
  const queue = new FairQueue(1)
  const first = longRun()
  const order: string[] = []
  const run = (caller: string) => queue.run(caller, async () => void order.push(caller))
  const all = [queue.run('a', () => first.ended), run('a'), run('a'), run('a'), run('b'), run('c')]
  first.end()
  await Promise.all(all)
  expect(order).toEqual(['a', 'b', 'c', 'a', 'a'])
})

it('a failed run frees its place', async () => {
  const queue = new FairQueue(1)
  await expect(queue.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await queue.run('a', async () => 'next')).toBe('next')
})

it('a cancelled call leaves the line and never runs', async () => {
  const queue = new FairQueue(1)
  const first = longRun()
  const controller = new AbortController()
  const running = queue.run('a', () => first.ended)
  let ran = false
  const waiting = queue.run(
    'a',
    async () => {
      ran = true
    },
    controller.signal,
  )
  const behind = queue.run('a', async () => 'behind')
  controller.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'EXECUTION_CANCELLED' })
  first.end()
  await running
  expect(await behind).toBe('behind')
  expect(ran).toBe(false)
})
