import { expect, it } from 'vitest'
import { FairQueue } from '../../src/execute/queue.ts'

function gate(): { readonly opened: Promise<void>; open: () => void } {
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { opened, open }
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
  expect(queue.waiting).toBe(0)
})

it('takes callers in turn, however many runs each has waiting', async () => {
  const queue = new FairQueue(1)
  const first = gate()
  const order: string[] = []
  const run = (caller: string) => queue.run(caller, async () => void order.push(caller))
  const all = [queue.run('a', () => first.opened), run('a'), run('a'), run('a'), run('b'), run('c')]
  first.open()
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
  const first = gate()
  const controller = new AbortController()
  const running = queue.run('a', () => first.opened)
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
  first.open()
  await running
  expect(await behind).toBe('behind')
  expect(ran).toBe(false)
})
