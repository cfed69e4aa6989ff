// Approvals in the user space and in a project: what they make usable, and what ends them.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/base/digest.ts'
import { type ApprovalDocument, approve } from '../../src/trust/approval.ts'
import { generateKey, type SigningKey } from '../../src/trust/key.ts'
import { digestSkill } from '../../src/trust/skill-manifest.ts'
import { approvalFile, approvalFolder } from '../../src/user/approvals.ts'
import { knowledge, scratch, TEST_KEY } from './scratch.ts'

const TEXT = knowledge('a')

function approveText(key: SigningKey, text = TEXT) {
  return approve(
    {
      at: '2026-01-01T00:00:00Z',
      source: 'https://example.org/notes.git',
      revision: 'c0ffee',
      items: new Map([['knowledge:a.md', sha256Hex(text)]]),
    },
    key,
  )
}

function recordApproval(space: string, document: ApprovalDocument): string {
  const { name, text } = approvalFile(document)
  mkdirSync(approvalFolder(space), { recursive: true })
  writeFileSync(join(approvalFolder(space), name), text)
  return join(approvalFolder(space), name)
}

async function project() {
  const made = await scratch({ '.ai/knowledge/a.md': TEXT })
  const status = async () => {
    const workspace = await made.library.open(made.project)
    return workspace.read(workspace.find({ id: 'a', type: 'knowledge' })).verdict.status
  }
  return { made, status }
}

describe('an approval', () => {
  it.each(['user', 'project'] as const)(
    'in the %s space makes an item usable until it is removed',
    async space => {
      const { made, status } = await project()
      expect(await status()).toBe('unsigned')
      const path = recordApproval(made[space], approveText(TEST_KEY))
      expect(await status()).toBe('verified')
      const loaded = await made.run('load', { item_id: 'knowledge:a' })
      expect(loaded).toMatchObject({
        status: 'success',
        trust: { signer: TEST_KEY.fingerprint, approved: { source: 'https://example.org/notes.git' } },
      })
      rmSync(path)
      expect(await status()).toBe('unsigned')
    },
  )

  it.each([
    ['knowledge', '.ai/knowledge/a.md', 'knowledge:a.md', sha256Hex],
    [
      'skill',
      '.ai/skills/a/SKILL.md',
      'skill:a',
      (text: string) => digestSkill(new Map([['SKILL.md', sha256Hex(text)]])),
    ],
  ] as const)(
    'makes a %s that bears no signature found among what is trusted',
    async (type, path, name, digest) => {
      const text = '---\nname: a\ntitle: A\ndescription: Move loads in the harbour\n---\n# A\n\nText.\n'
      const made = await scratch({ [path]: text })
      const search = { query: 'loads in the harbour', item_type: type, source: 'project', trusted: true }
      expect(await made.run('search', search)).toMatchObject({ results: [] })
      const items = new Map([[name, digest(text)]])
      const { at, source, revision } = approveText(TEST_KEY)
      recordApproval(made.project, approve({ at, source, revision, items }, TEST_KEY))
      expect(await made.run('search', search)).toMatchObject({
        results: [{ id: 'a', trust: { status: 'verified' } }],
      })
    },
  )

  it('ends with the first change of the item', async () => {
    const { made, status } = await project()
    recordApproval(made.user, approveText(TEST_KEY))
    expect(await status()).toBe('verified')
    made.write('.ai/knowledge/a.md', `${TEXT}More.\n`)
    expect(await status()).toBe('unsigned')
  })

  it('ends with the trust in its key', async () => {
    const { made, status } = await project()
    recordApproval(made.project, approveText(TEST_KEY))
    expect(await status()).toBe('verified')
    await made.run('keys remove', { fingerprint: TEST_KEY.fingerprint })
    expect(await status()).toBe('unsigned')
  })

  it.each([
    ['by a stranger', () => approveText(generateKey())],
    [
      'with the name of a trusted key',
      () => ({ ...approveText(generateKey()), signer: TEST_KEY.fingerprint }),
    ],
    [
      'with another digest than was signed',
      () => ({ ...approveText(TEST_KEY, 'other'), items: approveText(TEST_KEY).items }),
    ],
  ])('%s counts for nothing, wherever it lies', async (_, make) => {
    const { made, status } = await project()
    recordApproval(made.user, make())
    recordApproval(made.project, make())
    expect(await status()).toBe('unsigned')
  })

  it('of one project is not one of another', async () => {
    const { made } = await project()
    const other = await scratch({ '.ai/knowledge/a.md': TEXT })
    recordApproval(made.project, approveText(TEST_KEY))
    const judge = async (path: string) => {
      const workspace = await made.library.open(path)
      return workspace.verdicts.judge({
        key: `a in ${path}`,
        find: () => workspace.find({ id: 'a', type: 'knowledge' }),
        read: workspace.read,
      }).verdict.status
    }
    for (let time = 0; time < 3; time++) {
      expect(await judge(made.project)).toBe('verified')
      expect(await judge(other.project)).toBe('unsigned')
    }
  })
})
