// A search of a large library is answered before we know whether the index is current. When the answer does
// not stand, nothing of it may remain.
import { statSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ballast } from '../../../fixtures/ballast.ts'
import { indexFile } from '../../../fixtures/kept-places.ts'
import { knowledge, scratch } from '../../../workspace/scratch.ts'

let hours = 0
beforeEach(() => later())
afterEach(() => vi.useRealTimers())

/** Waits until files are old enough to be believed. */
function later(): void {
  vi.useRealTimers()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 * ++hours })
}

describe('an answer that was found early', () => {
  it('leaves no verdict under the digest of what the index knew', async () => {
    const world = await scratch()
    // The size of its index is what makes a library large.
    for (let number = 0; number < 260; number++)
      world.write(`.ai/knowledge/ballast${number}.md`, knowledge(`ballast${number}`, { body: ballast() }))
    const path = world.write('.ai/knowledge/bread.md', knowledge('bread', { body: 'flour and water' }))
    await world.sign('knowledge:bread')
    const signed = world.read('.ai/knowledge/bread.md')
    await world.run('index')
    expect(statSync(indexFile(world.environment.XDG_CACHE_HOME!, world.project)).size).toBeGreaterThan(
      5_000_000,
    )
    const look = async () => {
      const { results } = await world.run('search', { query: 'water', source: 'project' })
      return results.map(({ id, trust }: { id: string; trust: { status: string } }) => [id, trust.status])
    }
    const tampered = signed.replace('flour', 'chalk')
    for (const [text, verdict] of [
      [tampered, 'tampered'],
      [signed, 'verified'],
      [tampered, 'tampered'],
    ] as const) {
      writeFileSync(path, text)
      later()
      expect(await look()).toEqual([['bread', verdict]])
      expect(await look()).toEqual([['bread', verdict]])
    }
  })
})
