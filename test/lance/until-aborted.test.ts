import { expect, it } from 'vitest'
import { untilAborted } from '../../src/lance/index.ts'

it('leaves no rejection to nobody when it was over before it began', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  try {
    const work = new Promise<never>((_, reject) =>
      setImmediate(() => reject(new Error('Connection is closed'))),
    )
    await expect(untilAborted(work, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped')
    await new Promise(done => setTimeout(done, 20))
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', note)
  }
})
