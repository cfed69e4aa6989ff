import { existsSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { acquireLock } from '../../src/store/file-lock.ts'

const OPTIONS = { waitMs: 5_000, holdMs: 60_000 }

function makePath(): string {
  return join(mkdtempSync(join(tmpdir(), 'rye-lock-')), 'below', 'a.lock')
}

describe('acquireLock', () => {
  it('only one holds it at a time', async () => {
    const path = makePath()
    let inside = 0
    let most = 0
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const lock = await acquireLock(path, OPTIONS)
        inside += 1
        most = Math.max(most, inside)
        await new Promise(resolve => setTimeout(resolve, 1))
        inside -= 1
        lock.release()
      }),
    )
    expect(most).toBe(1)
    expect(existsSync(path)).toBe(false)
  })

  it('says who holds it when the wait is over', async () => {
    const path = makePath()
    await acquireLock(path, OPTIONS)
    await expect(acquireLock(path, { ...OPTIONS, waitMs: 20 })).rejects.toMatchObject({
      code: 'EXECUTION_TIMEOUT',
      message: expect.stringContaining(`process ${process.pid}`),
    })
  })

  it('can be given up while waiting', async () => {
    const path = makePath()
    await acquireLock(path, OPTIONS)
    const signal = AbortSignal.timeout(20)
    await expect(acquireLock(path, { ...OPTIONS, signal })).rejects.toMatchObject({
      code: 'EXECUTION_CANCELLED',
    })
  })

  it('takes over a lock whose time is over, and the late owner does not remove the new one', async () => {
    const path = makePath()
    const late = await acquireLock(path, { ...OPTIONS, holdMs: 1 })
    await new Promise(resolve => setTimeout(resolve, 5))
    await acquireLock(path, OPTIONS)
    late.release()
    expect(existsSync(path)).toBe(true)
  })

  it.each(['', '{"pid":', '[]', '{"pid": "1"}'])('takes over a lock that says nothing: %s', async content => {
    const path = makePath()
    ;(await acquireLock(path, OPTIONS)).release()
    writeFileSync(path, content)
    const old = new Date(Date.now() - 60_000)
    utimesSync(path, old, old)
    await acquireLock(path, { ...OPTIONS, waitMs: 500 })
  })
})
