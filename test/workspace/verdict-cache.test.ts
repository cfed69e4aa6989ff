// Verdicts that are kept: for one state of trust, whichever call asks, and in whatever order calls end.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { knowledge, scratch, TEST_KEY } from './scratch.ts'

describe('a verdict that is kept', () => {
  it('is not left behind by a call that began before a key was removed', async () => {
    const made = await scratch({ '.ai/knowledge/a.md': knowledge('a') })
    await made.sign('a')
    // Only the state of a file that was not written just now proves anything.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const judge = (workspace: Awaited<ReturnType<typeof made.library.open>>) =>
      workspace.verdicts.judge({
        key: 'a',
        find: () => workspace.find({ id: 'a', type: 'knowledge' }),
        read: workspace.read,
        isWhole: true,
      }).verdict.status
    const early = await made.library.open(made.project)
    expect(judge(early)).toBe('verified')
    await made.run('keys remove', { fingerprint: TEST_KEY.fingerprint })
    const late = await made.library.open(made.project)
    // The first call goes on with what it knew; what it finds is not for the others.
    expect(judge(early)).toBe('verified')
    expect(judge(late)).toBe('untrusted')
    expect(judge(await made.library.open(made.project))).toBe('untrusted')
  })

  it('that refuses is kept, too, until the file, a key or a revocation changes', async () => {
    const made = await scratch({ '.ai/knowledge/a.md': knowledge('a') })
    await made.sign('a')
    await made.run('keys remove', { fingerprint: TEST_KEY.fingerprint })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    let reads = 0
    const judge = async () => {
      const workspace = await made.library.open(made.project)
      const { verdict } = workspace.verdicts.judge({
        key: 'a',
        find: () => workspace.find({ id: 'a', type: 'knowledge' }),
        read(found) {
          reads++
          return workspace.read(found)
        },
        isWhole: true,
      })
      return `${verdict.status}: ${verdict.reason}`
    }
    expect(await judge()).toMatch(/^untrusted: .*is not trusted/)
    expect(await judge()).toMatch(/^untrusted: .*is not trusted/)
    expect(reads).toBe(1)
    made.write(`user:.ai/config/keys/revoked/${TEST_KEY.fingerprint}.toml`, '')
    expect(await judge()).toMatch(/^untrusted: .*is revoked/)
    made.write('.ai/knowledge/a.md', `${made.read('.ai/knowledge/a.md')}More.\n`)
    expect(await judge()).toMatch(/^tampered: /)
  })
})
