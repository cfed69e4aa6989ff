// A new key replaces the old one, whenever the program is stopped.
import { chmodSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseIdentity } from '../../../src/trust/identity-document.ts'
import { generateKey } from '../../../src/trust/key.ts'
import {
  directive,
  knowledge,
  type Scratch,
  scratch,
  skill,
  TEST_KEY,
  tool,
} from '../../workspace/scratch.ts'

const SIGNING = 'user:.ai/config/keys/signing'
const OLD = TEST_KEY.fingerprint

async function withItems(): Promise<Scratch> {
  const made = await scratch({
    '.ai/tools/ops/a.py': tool('ops/a'),
    '.ai/directives/ship.md': directive('ship'),
    '.ai/skills/pdf/SKILL.md': skill('pdf'),
    '.ai/knowledge/changed.md': knowledge('changed'),
    '.ai/knowledge/new.md': knowledge('new'),
    '.ai/config/limits.yaml': 'version: 1.0.0\ncategory: ""\nlimit: 3\n',
    'user:.ai/tools/mine.py': tool('mine'),
  })
  for (const item of ['ops/a', 'ship', 'pdf', 'changed']) await made.sign(item)
  await made.sign('config:limits')
  await made.sign('mine', { source: 'user' })
  made.write('.ai/knowledge/changed.md', `${made.read('.ai/knowledge/changed.md')}More.\n`)
  return made
}

const AGAIN = [
  'config:limits@project',
  'directive:ship@project',
  'skill:pdf@project',
  'tool:mine@user',
  'tool:ops/a@project',
]

const statuses = async (made: Scratch) =>
  Object.fromEntries(
    (await made.run('verify')).items
      .filter((item: { signer: string }) => item.signer !== 'system')
      .map((item: { item_id: string; status: string; signer: string }) => [
        item.item_id,
        [item.status, item.signer],
      ]),
  )

describe('keys rotate', () => {
  it('signs again what verifies, leaves and lists what does not, and keeps the old key trusted', async () => {
    const made = await withItems()
    const answer = await made.run('keys rotate')
    expect(answer).toMatchObject({ status: 'rotated', previous: OLD, owner: 'local' })
    const { fingerprint } = answer
    expect(fingerprint).not.toBe(OLD)
    expect(answer.signed.toSorted()).toEqual(AGAIN)
    expect(answer.failed).toEqual([
      { item: 'knowledge:changed@project', error: expect.stringContaining('tampered') },
    ])
    const after = await statuses(made)
    for (const id of ['limits', 'ship', 'pdf', 'mine', 'ops/a'])
      expect(after[id]).toEqual(['verified', fingerprint])
    expect(after).toMatchObject({ changed: ['tampered', OLD], new: ['unsigned', null] })
    const { keys } = await made.run('keys list')
    expect(keys.map((key: { fingerprint: string }) => key.fingerprint).toSorted()).toEqual(
      [OLD, fingerprint].toSorted(),
    )
    expect(await made.sign('new')).toMatchObject({ signature: { pubkey_fp: fingerprint } })
    const modes = ['/private_key.pem', '/retired', `/retired/${OLD}.pem`].map(
      path => statSync(made.path(`${SIGNING}${path}`)).mode & 0o777,
    )
    expect(modes).toEqual([0o600, 0o700, 0o600])
    expect(existsSync(made.path(`${SIGNING}/next_key.pem`))).toBe(false)
  })

  it('does not make a person of the agent that had an item signed', async () => {
    const made = await withItems()
    made.write('.ai/tools/plain.py', tool('plain'))
    expect(await made.run('sign', { item_id: 'plain' }, 'agent')).toMatchObject({
      status: 'signed',
    })
    expect(made.read('.ai/tools/plain.py')).toContain('|rye@agent')
    await made.run('keys rotate')
    expect(made.read('.ai/tools/plain.py')).toContain('|rye@agent')
    await made.sign('plain')
    expect(made.read('.ai/tools/plain.py')).not.toContain('|rye@agent')
  })

  it('hands on the word of the old key', async () => {
    const made = await scratch()
    const { fingerprint } = await made.run('keys rotate')
    const { document } = await made.run('keys export')
    expect((await parseIdentity(document)).vouch).toMatchObject({ fingerprint: OLD })
    const other = await scratch({ 'next.toml': document })
    expect(await other.run('keys trust', { file: 'next.toml' })).toMatchObject({
      fingerprint,
      vouched_by: { fingerprint: OLD },
    })
  })

  it('lets the old key sign its own revocation later', async () => {
    const made = await scratch()
    await made.run('keys rotate')
    expect(await made.run('keys revoke', { key: OLD })).toMatchObject({ signed: true, status: 'revoked' })
    expect(await made.run('sign', { item_id: 'x' })).toMatchObject({ code: 'ITEM_NOT_FOUND' })
  })

  it('of a revoked key makes a new one that nothing vouches for, and signs nothing again', async () => {
    const made = await withItems()
    await made.run('keys revoke', { key: OLD })
    const answer = await made.run('keys rotate')
    expect(answer).toMatchObject({
      status: 'rotated',
      signed: [],
      message: expect.stringContaining('is revoked'),
    })
    expect(answer.failed.map(({ item }: { item: string }) => item)).toContain('tool:ops/a@project')
    expect((await parseIdentity((await made.run('keys export')).document)).vouch).toBeUndefined()
    expect(await made.sign('new')).toMatchObject({ signature: { pubkey_fp: answer.fingerprint } })
  })

  it('of a key that is not trusted is refused: what it signed could not be told from anything else', async () => {
    const made = await withItems()
    await made.run('keys remove', { fingerprint: OLD })
    expect(await made.run('keys rotate')).toMatchObject({ code: 'KEY_INVALID' })
    expect(readdirSync(made.path(SIGNING))).toEqual(['private_key.pem'])
  })

  it('begins nothing in a project that is not there', async () => {
    const made = await scratch()
    expect(await made.run('keys rotate', { project_path: made.path('none') })).toMatchObject({
      code: 'PROJECT_NOT_FOUND',
    })
    expect(readdirSync(made.path(SIGNING))).toEqual(['private_key.pem'])
    expect((await made.run('keys list')).keys).toHaveLength(1)
  })

  it('is finished by doing it again, wherever it was interrupted', async () => {
    const next = generateKey()
    const place = (made: Scratch, name: string, pem: string) =>
      chmodSync(made.write(`${SIGNING}/${name}`, pem), 0o600)

    // The new key was written, and nothing else.
    const early = await withItems()
    place(early, 'next_key.pem', next.privatePem)
    expect((await statuses(early))['ops/a']).toEqual(['verified', OLD])
    expect(await early.run('keys rotate')).toMatchObject({ fingerprint: next.fingerprint, previous: OLD })
    expect((await statuses(early))['ops/a']).toEqual(['verified', next.fingerprint])

    // Some items were signed again.
    const half = await withItems()
    const whole = await half.run('keys rotate')
    place(half, 'next_key.pem', half.read(`${SIGNING}/private_key.pem`))
    place(half, 'private_key.pem', TEST_KEY.privatePem)
    rmSync(half.path(`${SIGNING}/retired`), { recursive: true })
    half.write('.ai/tools/ops/a.py', tool('ops/a'))
    await half.sign('ops/a')
    expect((await statuses(half))['ops/a']).toEqual(['verified', OLD])
    const again = await half.run('keys rotate')
    expect(again).toMatchObject({ fingerprint: whole.fingerprint, signed: ['tool:ops/a@project'] })

    // Only the last file was left.
    place(half, 'next_key.pem', half.read(`${SIGNING}/private_key.pem`))
    expect(await half.run('keys rotate')).toMatchObject({
      fingerprint: whole.fingerprint,
      signed: [],
      message: 'finished the rotation that was interrupted',
    })
    expect(existsSync(half.path(`${SIGNING}/next_key.pem`))).toBe(false)
    expect((await half.run('keys rotate')).fingerprint).not.toBe(whole.fingerprint)
  })
})
