import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limitCommands, resourceLimits } from '../../../src/execute/process/resource-limits.ts'

const MB = 1024 * 1024
const SMALL = { memoryBytes: 256 * MB, processes: 4_000, fileBytes: MB }

describe('resourceLimits', () => {
  it('has defaults', () => {
    expect(resourceLimits()).toMatchObject({ processes: 4_096, fileBytes: 8_192 * MB })
    expect(resourceLimits().memoryBytes).toBeGreaterThanOrEqual(1_024 * MB)
  })

  it('lets a user raise them', () => {
    const user = { memory_mb: 1_000_000, processes: 9_999, file_mb: 50_000 }
    const raised = { memoryBytes: 1_000_000 * MB, processes: 9_999, fileBytes: 50_000 * MB }
    expect(resourceLimits(user)).toEqual(raised)
  })

  const count = fc.integer({ min: 1, max: 1_000_000 })
  const declared = fc.record({ memory_mb: count, processes: count, file_mb: count }, { requiredKeys: [] })

  it('never gives a tool more than without its own declaration, and no more than it declares', () => {
    fc.assert(
      fc.property(declared, declared, (user, tool) => {
        const [given, most] = [resourceLimits(user, tool), resourceLimits(user)]
        expect(given.memoryBytes).toBe(
          Math.min(most.memoryBytes, (tool.memory_mb ?? Number.POSITIVE_INFINITY) * MB),
        )
        expect(given.processes).toBe(Math.min(most.processes, tool.processes ?? Number.POSITIVE_INFINITY))
        expect(given.fileBytes).toBe(
          Math.min(most.fileBytes, (tool.file_mb ?? Number.POSITIVE_INFINITY) * MB),
        )
      }),
    )
  })
})

describe('limitCommands', () => {
  it.runIf(process.platform === 'linux')('limits the shell and what it becomes', () => {
    const script = [...limitCommands(SMALL), 'exec cat /proc/self/limits'].join('\n')
    const { stdout, stderr } = spawnSync('/bin/sh', ['-c', script], { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^Max data size +268435456 +268435456 /m)
    expect(stdout).toMatch(/^Max file size +1048576 +1048576 /m)
    expect(stdout).toMatch(/^Max processes +4000 +4000 /m)
  })

  it.each([
    ['6.18.44-vm', true],
    ['5.14.0', true],
    ['5.13.19-generic', false],
    ['4.19.0', false],
    ['unheard-of', false],
  ])('limits processes where they are counted per sandbox: Linux %s', (kernel, limits) => {
    expect(limitCommands(SMALL, kernel).join(' ').includes('ulimit -u')).toBe(limits)
  })
})
