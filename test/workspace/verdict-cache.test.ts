// Cached verdicts hold for one state of trust, whichever call asks, and in whatever order calls end.
import { mkdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { knowledge, type Scratch, scratch, TEST_KEY } from './scratch.ts'

describe('a verdict that is kept', () => {
  it('is not left behind by a call that began before a key was removed', async () => {
    const made = await scratch({ '.ai/knowledge/a.md': knowledge('a') })
    await made.sign('a')
    // Only a file's state that is not brand new proves anything.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const judge = (workspace: Awaited<ReturnType<typeof made.library.open>>) =>
      workspace.verdicts.judge({
        key: 'a',
        find: () => workspace.find({ id: 'a', type: 'knowledge' }),
        read: workspace.read,
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
    const judging = countReads(made, { id: 'a', type: 'knowledge' })
    const judge = async () => {
      const { verdict } = await judging.judge()
      return `${verdict.status}: ${verdict.reason}`
    }
    expect(await judge()).toMatch(/^untrusted: .*is not trusted/)
    expect(await judge()).toMatch(/^untrusted: .*is not trusted/)
    expect(judging.reads).toBe(1)
    made.write(`user:.ai/config/keys/revoked/${TEST_KEY.fingerprint}.toml`, '')
    expect(await judge()).toMatch(/^untrusted: .*is revoked/)
    made.write('.ai/knowledge/a.md', `${made.read('.ai/knowledge/a.md')}More.\n`)
    expect(await judge()).toMatch(/^tampered: /)
  })

  it.each([
    [
      'its main file is written',
      (made: Scratch) => made.write('.ai/skills/pdf/SKILL.md', '# Other\n'),
      'tampered',
    ],
    [
      'a file of it is written that is not searched',
      (made: Scratch) => made.write('.ai/skills/pdf/forms.md', 'Other.\n'),
      'tampered',
      'as the index knows it',
    ],
    [
      'a file is added in an empty folder of it',
      (made: Scratch) => made.write('.ai/skills/pdf/empty/new.py', ''),
      'tampered',
      'as the index knows it',
    ],
    [
      'its signature is removed',
      (made: Scratch) => rmSync(made.path('.ai/skills/pdf/SKILL.sig')),
      'unsigned',
    ],
    [
      'a file is put in the place of another, with its size and its times',
      (made: Scratch) => {
        const path = made.path('.ai/skills/pdf/forms.md')
        const { atime, mtime, size } = statSync(path)
        rmSync(path)
        made.write('.ai/skills/pdf/forms.md', 'x'.repeat(size))
        utimesSync(path, atime, mtime)
      },
      'tampered',
      'as the index knows it',
    ],
  ])('of a skill is kept until %s', async (_, change, status, known = 'other than the index knows it') => {
    const made = await scratch({
      '.ai/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Fill forms\n---\n# PDF\n',
      '.ai/skills/pdf/forms.md': 'Forms.\n',
    })
    mkdirSync(made.path('.ai/skills/pdf/empty'))
    await made.sign('skill:pdf')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const judging = countReads(made, { id: 'pdf', type: 'skill' })
    const first = await judging.judge()
    expect(first.verdict.status).toBe('verified')
    expect(await judging.judge()).toEqual(first)
    expect(judging.reads).toBe(1)
    change(made)
    const second = await judging.judge()
    expect(second.verdict.status).toBe(status)
    expect(second.digest === first.digest).toBe(known === 'as the index knows it')
    expect(judging.reads).toBe(2)
  })
})

/** Judges one item as each call does, and counts how often it was read. */
function countReads(made: Scratch, item: { readonly id: string; readonly type: 'knowledge' | 'skill' }) {
  return {
    reads: 0,
    async judge() {
      const workspace = await made.library.open(made.project)
      return workspace.verdicts.judge({
        key: item.id,
        find: () => workspace.find(item),
        read: found => {
          this.reads++
          return workspace.read(found)
        },
      })
    },
  }
}
