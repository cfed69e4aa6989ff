// What the caller of a row thread is told when the thread fails. The system tests check that its rows are
// right, since it runs the built code.
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { RowThread } from '../../src/catalogue/row-thread.ts'

const ORIGIN = { root: 'project', made: '1' }
let thread: RowThread | undefined

afterEach(() => thread?.close())

function threadOf(code: string): RowThread {
  thread = new RowThread(
    new Worker(`const { parentPort } = require('node:worker_threads')\n${code}`, { eval: true }),
  )
  return thread
}

describe('a thread that makes rows', () => {
  it('answers in the order in which it was asked', async () => {
    const rows = threadOf(
      "parentPort.on('message', ([items]) => parentPort.postMessage({ columns: { count: items.length } }))",
    )
    const asked = [[], [{}], [{}, {}]].map(items => rows.make(items as never, ORIGIN))
    expect(await Promise.all(asked)).toEqual([{ count: 0 }, { count: 1 }, { count: 2 }])
  })

  it('says which fault it had, and goes on', async () => {
    const rows = threadOf(
      "parentPort.on('message', ([items]) => parentPort.postMessage(items.length ? { columns: {} } : { fault: 'no items' }))",
    )
    await expect(rows.make([], ORIGIN)).rejects.toThrow('no items')
    expect(await rows.make([{}] as never, ORIGIN)).toEqual({})
  })

  it.each([
    ['fails', "parentPort.on('message', () => { throw new Error('out of order') })", 'out of order'],
    ['ends', "parentPort.on('message', () => process.exit())", 'has ended'],
  ])('that %s keeps nobody waiting, then or later', async (_what, code, said) => {
    const rows = threadOf(code)
    const [first, second] = await Promise.allSettled([rows.make([], ORIGIN), rows.make([], ORIGIN)])
    expect(first).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining(said) } })
    expect(second).toMatchObject({ status: 'rejected' })
    await expect(rows.make([], ORIGIN)).rejects.toThrow()
  })

  it('that is closed while it works lets go of who waits', async () => {
    const rows = threadOf("parentPort.on('message', () => { for (;;); })")
    const asked = expect(rows.make([], ORIGIN)).rejects.toThrow('has ended')
    await rows.close()
    await asked
  })
})
