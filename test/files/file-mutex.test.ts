import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { acquireMutex } from '../../src/files/file-mutex.ts'
import { ownerTag } from '../../src/files/temporary-name.ts'
import { replaceCall, systemError } from './system-call.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Nobody waits this long for a free lock. */
const OPTIONS = { waitMs: 25_000, holdMs: 60_000 }

function makePath(): string {
  return join(temporaryFolder(), 'below', 'a.lock')
}

describe('acquireMutex', () => {
  it('only one holds it at a time', async () => {
    const path = makePath()
    let inside = 0
    let most = 0
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const lock = await acquireMutex(path, OPTIONS)
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
    await acquireMutex(path, OPTIONS)
    await expect(acquireMutex(path, { ...OPTIONS, waitMs: 20 })).rejects.toMatchObject({
      code: 'EXECUTION_TIMEOUT',
      message: expect.stringContaining(`process ${process.pid}`),
    })
  })

  it('can be given up while waiting', async () => {
    const path = makePath()
    await acquireMutex(path, OPTIONS)
    const signal = AbortSignal.timeout(20)
    await expect(acquireMutex(path, { ...OPTIONS, signal })).rejects.toMatchObject({
      code: 'EXECUTION_CANCELLED',
    })
  })

  it('is kept by a living owner, whatever the clock says', async () => {
    const path = makePath()
    const lock = await acquireMutex(path, { ...OPTIONS, holdMs: -60_000 })
    await expect(acquireMutex(path, { ...OPTIONS, waitMs: 20 })).rejects.toMatchObject({
      code: 'EXECUTION_TIMEOUT',
    })
    lock.release()
    expect(existsSync(path)).toBe(false)
  })

  it('takes over the lock of a stranger whose time is over, who then does not remove the new one', async () => {
    const path = makePath()
    const late = await acquireMutex(path, OPTIONS)
    const content = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify({ ...content, owner: 'elsewhere', expires: Date.now() - 1 }))
    await acquireMutex(path, OPTIONS)
    late.release()
    expect(existsSync(path)).toBe(true)
  })

  it('waits for a stranger whose time is not over', async () => {
    const path = makePath()
    const content = { holders: [{ pid: 1, started: '1' }], owner: 'elsewhere', token: 'x' }
    mkdirSync(dirname(path))
    writeFileSync(path, JSON.stringify({ ...content, expires: Date.now() + 60_000 }))
    await expect(acquireMutex(path, { ...OPTIONS, waitMs: 20 })).rejects.toMatchObject({
      code: 'EXECUTION_TIMEOUT',
    })
  })

  it('takes over the lock of a process that is gone, though its number was given out again', async () => {
    const path = makePath()
    await acquireMutex(path, OPTIONS)
    const content = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify({ ...content, holders: [{ pid: process.pid, started: '1' }] }))
    await acquireMutex(path, OPTIONS)
    expect(JSON.parse(readFileSync(path, 'utf8')).holders).toEqual(content.holders)
  })

  it('outlasts its owner for as long as a process lives that it is bound to', async () => {
    const path = makePath()
    const child = spawn('sleep', ['60'])
    await once(child, 'spawn')
    const lock = await acquireMutex(path, OPTIONS)
    lock.bind([child.pid!])
    const content = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify({ ...content, holders: content.holders.slice(1) }))
    await expect(acquireMutex(path, { ...OPTIONS, waitMs: 20 })).rejects.toMatchObject({
      code: 'EXECUTION_TIMEOUT',
    })
    child.kill('SIGKILL')
    await once(child, 'exit')
    await acquireMutex(path, OPTIONS)
    expect(readdirSync(dirname(path))).toEqual(['a.lock'])
  })

  it.each([
    ['a link to a device', (path: string) => symlinkSync('/dev/zero', path)],
    ['a link to nowhere', (path: string) => symlinkSync('/nowhere/at/all', path)],
    ['a page of text', (path: string) => writeFileSync(path, 'x'.repeat(1_000_000))],
    ['JSON of another shape', (path: string) => writeFileSync(path, '[{"holders": 7}]')],
  ])('takes %s for nobody’s once it is old, and leaves what it leads to', async (_name, plant) => {
    const path = makePath()
    mkdirSync(dirname(path), { recursive: true })
    plant(path)
    await expect(acquireMutex(path, { ...OPTIONS, waitMs: 100 })).rejects.toThrow(/an unknown process/)
    lutimesSync(path, 1, 1)
    const lock = await acquireMutex(path, OPTIONS)
    expect(lstatSync(path).isFile()).toBe(true)
    lock.release()
    expect(existsSync('/dev/zero')).toBe(true)
  })

  it('clears up after one who was killed while breaking it', async () => {
    const path = makePath()
    await acquireMutex(path, OPTIONS)
    const content = JSON.parse(readFileSync(path, 'utf8'))
    const gone = JSON.stringify({ ...content, holders: [{ pid: process.pid, started: '1' }] })
    writeFileSync(path, gone)
    writeFileSync(`${path}.break`, gone)
    await acquireMutex(path, OPTIONS)
    expect(readdirSync(dirname(path))).toEqual(['a.lock'])
  })

  it.each(['', '{"pid":', '[]', '{"pid": "1"}'])('takes over a lock that says nothing: %s', async content => {
    const path = makePath()
    ;(await acquireMutex(path, OPTIONS)).release()
    writeFileSync(path, content)
    const old = new Date(Date.now() - 60_000)
    utimesSync(path, old, old)
    await acquireMutex(path, OPTIONS)
    expect(JSON.parse(readFileSync(path, 'utf8')).holders).toMatchObject([{ pid: process.pid }])
  })

  const whole = { holders: [{ pid: 1, started: '1' }], owner: 'elsewhere', expires: 1e15, token: 'x' }
  it.each([
    ['a holder that is no object', { ...whole, holders: [7] }],
    ['a holder without a process', { ...whole, holders: [{ started: '1' }] }],
    ['a process that is no number', { ...whole, holders: [{ pid: '1', started: '1' }] }],
    ['a process without a start', { ...whole, holders: [{ pid: 1 }] }],
    ['one wrong holder of two', { ...whole, holders: [...whole.holders, { pid: 1, started: 7 }] }],
    ['holders that are no list', { ...whole, holders: {} }],
    ['a time that is no number', { ...whole, expires: '1e15' }],
    ['an owner that is no text', { ...whole, owner: 7 }],
    ['a token that is no text', { ...whole, token: null }],
  ])('takes a lock with %s for nobody’s after five seconds', async (_name, content) => {
    const path = makePath()
    mkdirSync(dirname(path))
    writeFileSync(path, JSON.stringify(content))
    await expect(acquireMutex(path, { ...OPTIONS, waitMs: 0 })).rejects.toThrow(/an unknown process/)
    const old = new Date(Date.now() - 6_000)
    utimesSync(path, old, old)
    const lock = await acquireMutex(path, { ...OPTIONS, waitMs: 3_000 })
    lock.release()
    expect(readdirSync(dirname(path))).toEqual([])
  })

  it('waits for a whole lock of that age', async () => {
    const path = makePath()
    mkdirSync(dirname(path))
    writeFileSync(path, JSON.stringify(whole))
    const old = new Date(Date.now() - 6_000)
    utimesSync(path, old, old)
    await expect(acquireMutex(path, { ...OPTIONS, waitMs: 0 })).rejects.toThrow(/held by process 1$/)
  })

  it('takes over the lock of a stranger that is older than any may be, whatever time it claims', async () => {
    const path = makePath()
    mkdirSync(dirname(path))
    writeFileSync(path, JSON.stringify(whole))
    const old = new Date(Date.now() - 30_000)
    utimesSync(path, old, old)
    await expect(acquireMutex(path, { ...OPTIONS, waitMs: 0 })).rejects.toThrow(/held by process 1$/)
    ;(await acquireMutex(path, { ...OPTIONS, longestMs: 20_000 })).release()
    expect(existsSync(path)).toBe(false)
  })

  it('goes by the clock where the start of a process is not known', async () => {
    const path = makePath()
    mkdirSync(dirname(path))
    const holders = [{ pid: process.pid, started: null }]
    const content = { ...whole, owner: ownerTag(), holders }
    writeFileSync(path, JSON.stringify(content))
    await expect(acquireMutex(path, { ...OPTIONS, waitMs: 0 })).rejects.toThrow(/held by process/)
    writeFileSync(path, JSON.stringify({ ...content, expires: Date.now() - 1 }))
    ;(await acquireMutex(path, OPTIONS)).release()
    expect(existsSync(path)).toBe(false)
  })

  it('is for its owner alone to read, and so is the folder that it makes', async () => {
    const path = makePath()
    const lock = await acquireMutex(path, OPTIONS)
    expect([lstatSync(path).mode & 0o777, lstatSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700])
    lock.bind([process.ppid])
    expect(lstatSync(path).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(path, 'utf8')).holders).toMatchObject([
      { pid: process.pid },
      { pid: process.ppid },
    ])
    lock.release()
  })

  it('names what it protects', async () => {
    const path = makePath()
    const lock = await acquireMutex(path, OPTIONS)
    const waiting = { ...OPTIONS, subject: 'the index', waitMs: 0 }
    await expect(acquireMutex(path, waiting)).rejects.toThrow(/^the index is held by process \d+$/)
    const signal = AbortSignal.abort()
    await expect(acquireMutex(path, { ...waiting, signal })).rejects.toThrow(/waiting for the index$/)
    lock.release()
  })

  it('is not left without an owner on a full disk', async () => {
    const path = makePath()
    replaceCall('writeSync', () => () => {
      throw systemError('ENOSPC')
    })
    await expect(acquireMutex(path, OPTIONS)).rejects.toMatchObject({
      code: 'WRITE_FAILED',
      message: expect.stringMatching(/cannot lock .*: ENOSPC$/),
    })
    expect(readdirSync(dirname(path))).toEqual([])
  })

  it('stays ours when the disk is full as it is bound', async () => {
    const path = makePath()
    const lock = await acquireMutex(path, OPTIONS)
    const before = readFileSync(path, 'utf8')
    replaceCall('writeSync', () => () => {
      throw systemError('ENOSPC')
    })
    lock.bind([process.ppid])
    expect(readFileSync(path, 'utf8')).toBe(before)
    lock.release()
    expect(readdirSync(dirname(path))).toEqual([])
  })

  it('that another has taken over is not bound any more', async () => {
    const path = makePath()
    const lock = await acquireMutex(path, OPTIONS)
    const other = JSON.stringify({ ...whole, expires: Date.now() + 60_000 })
    writeFileSync(path, other)
    lock.bind([process.ppid])
    expect(readFileSync(path, 'utf8')).toBe(other)
    lock.release()
    expect(readFileSync(path, 'utf8')).toBe(other)
  })
})
