import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { DiskReserve, leastFree } from '../../../src/execute/process/disk-reserve.ts'
import { childrenOf, measureTree } from '../../../src/execute/process/process-tree.ts'
import { describeExcess, watchResources } from '../../../src/execute/process/watch-resources.ts'

const LIMITS = { memoryBytes: 1024 * 1024, processes: 3, fileBytes: 1 }

describe('describeExcess', () => {
  it.each([
    ['at its limits', 1024 * 1024, 3, null],
    ['a process too many', 0, 4, 'more than 3 processes'],
    ['a byte too many', 1024 * 1024 + 1, 1, 'more than 1 MB of memory'],
  ])('%s', (_, memoryBytes, processes, expected) => {
    expect(describeExcess({ memoryBytes, processes }, LIMITS)).toBe(expected)
  })
})

describe('the disk', () => {
  const MB = 1024 * 1024
  const disk = (total: number, free: number) => ({ bsize: MB, blocks: total, bavail: free })
  it.each([
    ['a large one keeps 512 MB', disk(1_000_000, 500_000), 512],
    ['a small one keeps a twentieth', disk(100, 90), 5],
    ['one that is nearly full keeps half of what is left', disk(1_000_000, 300), 150],
  ])('%s', (_, before, megabytes) => {
    expect(leastFree(before)).toBe(megabytes * MB)
  })

  it('has enough left, and nothing is known of one that is not there', () => {
    expect(new DiskReserve('/').describeExcess()).toBe(null)
    expect(new DiskReserve('/missing').describeExcess()).toBe(null)
  })
})

describe.runIf(process.platform === 'linux')('a tree of processes', () => {
  let shell: ChildProcess
  afterEach(() => process.kill(-shell.pid!, 'SIGKILL'))

  async function startTree(): Promise<number> {
    const script = 'sleep 60 & sleep 60 & (sleep 60 & echo ready; wait)'
    shell = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
    await once(shell.stdout!, 'data')
    return shell.pid!
  }

  it('is counted with all its descendants, up to the limit', async () => {
    const pid = await startTree()
    expect(childrenOf(pid).length).toBe(3)
    expect(measureTree(pid, 100).processes).toBe(5)
    expect(measureTree(pid, 100).memoryBytes).toBeGreaterThan(0)
    expect(measureTree(pid, 2).processes).toBe(3)
  })

  it('is reported once it is too large, and not after it was let go', async () => {
    const pid = await startTree()
    const unheard = watchResources({ root: pid, folder: '/', limits: LIMITS }, () => {
      throw new Error('the watch was stopped')
    })
    unheard()
    const limits = { ...LIMITS, memoryBytes: 2 ** 40 }
    const reported = await new Promise<string>(resolve => {
      watchResources({ root: pid, folder: '/', limits }, resolve)
      // The watch alone would not keep a process alive.
      setTimeout(() => resolve('nothing'), 60_000).unref()
    })
    expect(reported).toBe('more than 3 processes')
  })

  it('of a process that is gone takes nothing', () => {
    expect(measureTree(2 ** 30, 10)).toEqual({ memoryBytes: 0, processes: 0 })
    shell = spawn('/bin/sh', ['-c', 'sleep 60'], { detached: true, stdio: 'ignore' })
  })
})
