// Trust for some items, in some projects, for some time; names for keys; revocations; handing keys on.
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeKey, printIdentity } from '../../../src/trust/identity-document.ts'
import { generateKey, type SigningKey } from '../../../src/trust/key.ts'
import { printRevocation, revokeKey } from '../../../src/trust/revocation.ts'
import { sign } from '../../../src/trust/sign.ts'
import { vouchFor } from '../../../src/trust/vouch.ts'
import { type Scratch, scratch, TEST_KEY, tool } from '../../workspace/scratch.ts'

const ANN = generateKey()
const AT = '2026-03-01T12:00:00Z'
const MARKS = { prefix: '#', suffix: '', afterShebang: true, detached: false }

const documentOf = (key: SigningKey, owner = 'ann') => printIdentity(describeKey(key.publicPem, owner))
const trustedPath = (key: SigningKey) => `user:.ai/config/keys/trusted/${key.fingerprint}.toml`

function signedBy(key: SigningKey, id: string): string {
  const file = { type: 'tool', id, extension: '.py', bytes: Buffer.from(tool(id)), format: MARKS } as const
  return Buffer.from(sign(file, key, { timestamp: AT, format: 'v2' }).bytes).toString()
}

/** A project with two tools of Ann's, and her document. */
async function withAnn(options: Parameters<typeof scratch>[1] = {}): Promise<Scratch & { file: string }> {
  const made = await scratch(
    {
      '.ai/tools/team/a.py': signedBy(ANN, 'team/a'),
      '.ai/tools/other/b.py': signedBy(ANN, 'other/b'),
      'ann.toml': documentOf(ANN),
    },
    options,
  )
  return Object.assign(made, { file: made.path('ann.toml') })
}

const load = async (made: Scratch, id: string) => {
  const { status, code, error } = await made.run('load', { item_id: `tool:${id}` })
  return status === 'success' ? 'loaded' : `${code}: ${error}`
}

describe('keys trust within bounds', () => {
  it('makes items inside usable and no others, and says why', async () => {
    const made = await withAnn()
    const answer = await made.run('keys trust', { file: made.file, for: ['tool:team/*'] })
    expect(answer).toEqual({
      status: 'trusted',
      fingerprint: ANN.fingerprint,
      owner: 'ann',
      bounds: { for: ['tool:team/*'] },
      message: 'items signed by ann can now be used for tool:team/*',
    })
    expect(await load(made, 'team/a')).toBe('loaded')
    expect(await load(made, 'other/b')).toMatch(/^ITEM_UNTRUSTED: .*is trusted for tool:team\/\* only/)
    const { keys } = await made.run('keys list')
    expect(keys.find((key: { owner: string }) => key.owner === 'ann')).toMatchObject({
      bounds: { for: ['tool:team/*'] },
    })
  })

  it('is replaced by other bounds, and never dropped for want of them', async () => {
    const made = await withAnn()
    await made.run('keys trust', { file: made.file, for: ['tool:team/*'] })
    expect(await made.run('keys trust', { file: made.file, for: ['tool:team/*'] })).toMatchObject({
      status: 'unchanged',
    })
    expect(await made.run('keys trust', { file: made.file })).toMatchObject({ code: 'KEY_EXISTS' })
    expect(await load(made, 'other/b')).toContain('ITEM_UNTRUSTED')
    // By name, as the refusal says.
    await made.run('keys trust', { file: ANN.fingerprint.slice(0, 6), for: ['tool:team/*', 'tool:other/b'] })
    expect([await load(made, 'team/a'), await load(made, 'other/b')]).toEqual(['loaded', 'loaded'])
    await made.run('keys remove', { fingerprint: 'ann' })
    await made.run('keys trust', { file: made.file })
    await made.run('keys trust', { file: 'ann', for: ['tool:other/*'] })
    expect(await load(made, 'team/a')).toContain('ITEM_UNTRUSTED')
  })

  it('is not dropped by trusting the key again after its record was damaged, or was not in force', async () => {
    const made = await withAnn()
    const bounded = { file: made.file, for: ['tool:team/*'] }
    await made.run('keys trust', bounded)
    const refused = {
      code: 'KEY_EXISTS',
      hint: expect.stringContaining(`rye keys remove ${ANN.fingerprint}`),
    }
    made.write(trustedPath(ANN), made.read(trustedPath(ANN)).replace('[bounds]', '[bound]'))
    expect(await made.run('keys trust', { file: made.file })).toMatchObject(refused)
    expect(await load(made, 'other/b')).toContain('ITEM_UNTRUSTED')
    expect(await made.run('keys trust', bounded)).toMatchObject({ status: 'trusted' })
    expect(await load(made, 'team/a')).toBe('loaded')
    // A revocation that somebody wrote by hand leaves the record where it is.
    made.write(`user:.ai/config/keys/revoked/${ANN.fingerprint}.toml`, '')
    expect(await made.run('keys trust', { file: made.file, despite_revocation: true })).toMatchObject(refused)
    await made.run('keys remove', { fingerprint: ANN.fingerprint })
    expect(await made.run('keys trust', { file: made.file, despite_revocation: true })).toMatchObject({
      status: 'trusted',
    })
    expect(await load(made, 'other/b')).toBe('loaded')
  })

  it('holds in the project that is named, by whatever path, and in no other', async () => {
    const made = await withAnn()
    symlinkSync(made.project, join(made.root, 'link'))
    const answer = await made.run('keys trust', { file: made.file, project: [join(made.root, 'link')] })
    expect(answer.bounds).toEqual({ project: [made.project] })
    expect(await load(made, 'team/a')).toBe('loaded')
    made.write('user:.ai/tools/team/c.py', signedBy(ANN, 'team/c'))
    expect(await load(made, 'team/c')).toContain('ITEM_UNTRUSTED')
    const verified = async (path: string) =>
      (await made.run('verify', { targets: [made.path(path)] })).items[0].status
    expect([await verified('.ai/tools/team/a.py'), await verified('user:.ai/tools/team/c.py')]).toEqual([
      'verified',
      'untrusted',
    ])
    const other = join(made.root, 'other')
    mkdirSync(join(other, '.ai/tools/team'), { recursive: true })
    writeFileSync(join(other, '.ai/tools/team/a.py'), signedBy(ANN, 'team/a'))
    const moved = await made.run('load', { item_id: 'tool:team/a', project_path: other })
    expect(moved).toMatchObject({ code: 'ITEM_UNTRUSTED', error: expect.stringContaining(made.project) })
    const [item] = (await made.run('verify', { targets: [other] })).items
    expect(item).toMatchObject({ status: 'untrusted' })
  })

  it('ends when its time comes, also for verdicts that a server keeps', async () => {
    let now = new Date('2026-05-01T12:00:00Z')
    const made = await withAnn({ now: () => now })
    await made.run('keys trust', { file: made.file, until: '2026-05-01' })
    const found = async () =>
      (
        await made.run(
          'search',
          { query: 'team', item_type: 'tool', source: 'project', detail: 'full' },
          'agent',
        )
      ).results[0].trust.status
    expect([await load(made, 'team/a'), await found(), await found()]).toEqual([
      'loaded',
      'verified',
      'verified',
    ])
    now = new Date('2026-05-02T00:00:00Z')
    expect([await load(made, 'team/a'), await found()]).toEqual([
      expect.stringContaining('was trusted until 2026-05-01'),
      'untrusted',
    ])
    expect((await made.run('keys list')).keys).toContainEqual(expect.objectContaining({ expired: true }))
  })

  it.each([
    [{ for: ['tools:team/*'] }, 'INVALID_INPUT'],
    [{ for: [''] }, 'INVALID_INPUT'],
    [{ until: 'tomorrow' }, 'INVALID_INPUT'],
    [{ until: '2020-01-01' }, 'INVALID_INPUT'],
    [{ project: ['missing'] }, 'PROJECT_NOT_FOUND'],
    [{ project: ['ann.toml'] }, 'PROJECT_NOT_FOUND'],
  ])('refuses %j, and trusts nothing', async (bounds, code) => {
    const made = await withAnn()
    expect(await made.run('keys trust', { file: made.file, ...bounds })).toMatchObject({ code })
    expect((await made.run('keys list')).keys).toHaveLength(1)
  })

  it.each([
    ['an unknown bound', (text: string) => text.replace('for =', 'fur =')],
    ['no bound in the table', (text: string) => text.replace(/for =.*\n/, '')],
    ['a type that there is not', (text: string) => text.replace('tool:', 'tols:')],
    ['an unquoted date', (text: string) => `${text}until = 2030-01-01\n`],
    ['half a table', (text: string) => text.replace('[bounds]', '[bounds')],
  ])('is no trust with bounds damaged by hand: %s', async (_, damage) => {
    const made = await withAnn()
    await made.run('keys trust', { file: made.file, for: ['tool:team/*'] })
    const before = made.read(trustedPath(ANN))
    made.write(trustedPath(ANN), damage(before))
    expect(made.read(trustedPath(ANN))).not.toBe(before)
    expect(await load(made, 'team/a')).toContain('is not trusted')
    const { faults } = await made.run('keys list')
    expect(faults).toEqual([{ path: made.path(trustedPath(ANN)), reason: expect.any(String) }])
    await made.run('keys remove', { fingerprint: ANN.fingerprint })
    expect((await made.run('keys list')).faults).toEqual([])
  })
})

describe('a key is named', () => {
  it('by what is unique, and never by what could be two', async () => {
    const made = await scratch({ 'a.toml': documentOf(ANN), 'b.toml': documentOf(generateKey()) })
    for (const file of ['a.toml', 'b.toml']) await made.run('keys trust', { file })
    expect(await made.run('keys remove', { fingerprint: 'ann' })).toMatchObject({
      code: 'INVALID_INPUT',
      error: expect.stringContaining(ANN.fingerprint),
    })
    expect((await made.run('keys list')).keys).toHaveLength(3)
    const prefix = ANN.fingerprint.slice(0, 15)
    expect(await made.run('keys remove', { fingerprint: prefix })).toMatchObject({
      fingerprint: ANN.fingerprint,
    })
    expect(await made.run('keys remove', { fingerprint: 'ann' })).toMatchObject({ status: 'removed' })
  })

  it('by no owner that is called like a file which is there', async () => {
    const made = await withAnn()
    const sly = generateKey()
    for (const owner of ['ann.toml', './ann.toml', made.file]) {
      await made.run('keys trust', {
        file: made.write('sly.toml', documentOf(sly, owner)),
        for: ['tool:sly/*'],
      })
      expect(await made.run('keys trust', { file: owner, for: ['tool:team/*'] })).toMatchObject({
        code: 'INVALID_INPUT',
        error: expect.stringContaining(sly.fingerprint),
      })
      await made.run('keys remove', { fingerprint: sly.fingerprint })
      expect(await made.run('keys trust', { file: owner, for: ['tool:team/*'] })).toMatchObject({
        fingerprint: ANN.fingerprint,
      })
    }
  })

  it('by its whole fingerprint, where a project offers it: owner and first digits are the choice of a stranger', async () => {
    const made = await scratch({
      [`.ai/config/keys/trusted/${ANN.fingerprint}.toml`]: documentOf(ANN),
      ann: documentOf(generateKey()),
      [ANN.fingerprint]: documentOf(generateKey()),
    })
    for (const file of ['ann', ANN.fingerprint.slice(0, 12)]) {
      const refused = await made.run('keys trust', { file })
      expect(refused).toMatchObject({
        code: 'INVALID_INPUT',
        error: expect.stringContaining(ANN.fingerprint),
      })
    }
    expect(await made.run('keys trust', { file: ANN.fingerprint })).toMatchObject({
      fingerprint: ANN.fingerprint,
      status: 'trusted',
    })
    expect(await made.run('keys trust', { file: 'nobody' })).toMatchObject({ code: 'KEY_MISSING' })
  })
})

describe('keys revoke', () => {
  const revocation = printRevocation(revokeKey(ANN, { at: AT, reason: 'laptop stolen' }))

  it('obeys a revocation that the key itself signed', async () => {
    const made = await withAnn()
    await made.run('keys trust', { file: made.file })
    expect(await load(made, 'team/a')).toBe('loaded')
    const file = made.write('revoked.toml', revocation)
    expect(await made.run('keys trust', { file })).toMatchObject({
      code: 'KEY_INVALID',
      hint: 'obey it with `rye keys revoke --import FILE`',
    })
    expect(await made.run('keys revoke', { import: file })).toMatchObject({
      status: 'revoked',
      fingerprint: ANN.fingerprint,
      reason: 'laptop stolen',
      signed: true,
    })
    expect(await load(made, 'team/a')).toContain('is revoked: laptop stolen')
    expect(await made.run('keys list')).toMatchObject({
      keys: [{ fingerprint: TEST_KEY.fingerprint }],
      revoked: [{ fingerprint: ANN.fingerprint, reason: 'laptop stolen', signed: true, at: AT }],
    })
  })

  it('keeps the key from being trusted again, but for a person who insists', async () => {
    const made = await withAnn()
    await made.run('keys revoke', { key: ANN.fingerprint })
    expect(await made.run('keys trust', { file: made.file })).toMatchObject({ code: 'KEY_INVALID' })
    made.write(`.ai/config/keys/trusted/${ANN.fingerprint}.toml`, documentOf(ANN))
    expect(await made.run('keys trust', { file: ANN.fingerprint })).toMatchObject({ code: 'KEY_INVALID' })
    // A file put into the trust store by hand does not count either.
    made.write(trustedPath(ANN), documentOf(ANN))
    expect(await load(made, 'team/a')).toContain('is revoked')
    expect(await made.run('verify', { targets: ['tool:team/a'], trust: [made.file] })).toMatchObject({
      counts: { untrusted: 1 },
    })
    await made.run('keys trust', { file: made.file, despite_revocation: true })
    expect(await load(made, 'team/a')).toBe('loaded')
  })

  it('of a key of somebody else is for oneself alone', async () => {
    const made = await withAnn()
    await made.run('keys trust', { file: made.file })
    expect(await made.run('keys revoke', { key: 'ann', out: 'out.toml' })).toMatchObject({
      code: 'INVALID_INPUT',
    })
    expect(await load(made, 'team/a')).toBe('loaded')
    expect(await made.run('keys revoke', { key: 'ann', reason: 'left the team' })).toMatchObject({
      status: 'revoked',
      signed: false,
    })
    expect(existsSync(made.path('out.toml'))).toBe(false)
    const theirs = made.read(`user:.ai/config/keys/revoked/${ANN.fingerprint}.toml`)
    const file = (await scratch()).write('theirs.toml', theirs)
    expect(await made.run('keys revoke', { import: file })).toMatchObject({ code: 'KEY_INVALID' })
  })

  it('of the own key is signed, for others to import', async () => {
    const made = await scratch({ '.ai/tools/a.py': tool('a') })
    await made.sign('a')
    const answer = await made.run('keys revoke', {
      key: TEST_KEY.fingerprint,
      reason: 'lost',
      out: 'mine.toml',
    })
    expect(answer).toMatchObject({ status: 'revoked', signed: true, out: made.path('mine.toml') })
    expect(answer.document).toBe(made.read('mine.toml'))
    expect(answer.document).not.toContain('PRIVATE')
    expect(await load(made, 'a')).toContain('is revoked: lost')
    expect(await made.run('sign', { item_id: 'a' })).toMatchObject({
      code: 'KEY_INVALID',
      error: expect.stringContaining('is revoked'),
      hint: 'make a new one with `rye keys rotate`',
    })
    expect(await made.run('new', { item_type: 'tool', item_id: 'b' })).toMatchObject({ signed: false })
    const other = await withAnn()
    await other.run('keys trust', { file: other.write('me.toml', documentOf(TEST_KEY)) })
    const file = other.write('mine.toml', made.read('mine.toml'))
    expect(await other.run('keys revoke', { import: file })).toMatchObject({
      status: 'revoked',
      signed: true,
    })
  })

  it('works with a signing key that others could read: that is a reason for it', async () => {
    const made = await withAnn()
    await made.run('keys trust', { file: made.file })
    chmodSync(made.path('user:.ai/config/keys/signing/private_key.pem'), 0o644)
    expect(await made.run('keys revoke', { key: 'ann' })).toMatchObject({ status: 'revoked' })
    const out = made.write('taken.toml', '')
    const own = { key: TEST_KEY.fingerprint }
    expect(await made.run('keys revoke', { ...own, out })).toMatchObject({ code: 'ITEM_EXISTS' })
    expect(await made.run('keys revoke', own)).toMatchObject({ status: 'revoked', signed: true })
    expect(await made.run('keys revoke', { ...own, out: 'free.toml' })).toMatchObject({ status: 'unchanged' })
    expect(made.read('free.toml')).toContain(TEST_KEY.fingerprint)
  })

  it.each([
    [{}, 'INVALID_INPUT'],
    [{ key: 'ann', import: 'x.toml' }, 'INVALID_INPUT'],
    [{ key: 'nobody' }, 'KEY_MISSING'],
    [{ key: '' }, 'INVALID_INPUT'],
    [{ key: '../../x' }, 'KEY_MISSING'],
    [{ import: 'missing.toml' }, 'KEY_MISSING'],
    [{ import: 'ann.toml' }, 'KEY_INVALID'],
    [{ key: ANN.fingerprint, reason: 'x'.repeat(501) }, 'INVALID_INPUT'],
  ])('refuses %j', async (input, code) => {
    const made = await withAnn()
    expect(await made.run('keys revoke', input)).toMatchObject({ code })
    expect((await made.run('keys list')).revoked).toEqual([])
  })

  it.each([
    ['nothing', ''],
    ['something else', 'hello'],
    ['the revocation of another key', printRevocation(revokeKey(generateKey(), { at: AT, reason: '' }))],
    ['a broken signature', revocation.replace('stolen', 'sold')],
  ])('holds when its record is damaged: %s', async (_, text) => {
    const made = await withAnn()
    await made.run('keys trust', { file: made.file })
    made.write(`user:.ai/config/keys/revoked/${ANN.fingerprint}.toml`, text)
    expect(await load(made, 'team/a')).toContain('is revoked')
    expect((await made.run('keys list')).faults).toHaveLength(1)
  })
})

describe('keys export and offer', () => {
  it('give the public document, without bounds and without a private key', async () => {
    const made = await withAnn()
    await made.run('keys trust', { file: made.file, for: ['tool:team/*'] })
    expect(await made.run('keys export', { key: 'ann' })).toMatchObject({ document: documentOf(ANN) })
    const own = await made.run('keys export', { out: 'me.toml' })
    expect(own.document).toBe(documentOf(TEST_KEY, 'local'))
    expect(made.read('me.toml')).toBe(own.document)
    expect(await made.run('keys export', { out: 'me.toml' })).toMatchObject({ code: 'ITEM_EXISTS' })
    expect(await made.run('keys export', { key: 'nobody' })).toMatchObject({ code: 'KEY_MISSING' })
    expect(await made.run('keys offer')).toMatchObject({ status: 'offered' })
    expect(await made.run('keys offer')).toMatchObject({ status: 'unchanged' })
    const path = `.ai/config/keys/trusted/${TEST_KEY.fingerprint}.toml`
    expect(made.read(path)).toBe(own.document)
  })

  it('offer nothing in the user space, where a document is trust', async () => {
    const made = await scratch()
    await made.run('keys remove', { fingerprint: TEST_KEY.fingerprint })
    expect(await made.run('keys offer', { project_path: made.user })).toMatchObject({ code: 'INVALID_INPUT' })
    expect((await made.run('keys list')).keys).toEqual([])
  })

  it('without a key say how to make one', async () => {
    const made = await scratch({}, { key: false })
    for (const command of ['keys export', 'keys offer', 'keys rotate'])
      expect(await made.run(command)).toMatchObject({ code: 'KEY_MISSING' })
  })
})

describe('a key that another one vouches for', () => {
  const next = generateKey()
  const document = (voucher: SigningKey, pem = next.publicPem) => {
    const identity = describeKey(next.publicPem, 'ann')
    return printIdentity({ ...identity, vouch: vouchFor(pem, voucher, AT) })
  }

  it('is not trusted for it, but the person is told', async () => {
    const made = await withAnn()
    await made.run('keys trust', { file: made.file, for: ['tool:team/*'] })
    const file = made.write('next.toml', document(ANN))
    made.write('.ai/tools/team/n.py', signedBy(next, 'team/n'))
    expect(await load(made, 'team/n')).toContain('is not trusted')
    expect(await made.run('keys trust', { file })).toMatchObject({
      status: 'trusted',
      // For no more than the key that it follows.
      bounds: { for: ['tool:team/*'] },
      vouched_by: { fingerprint: ANN.fingerprint, owner: 'ann' },
      message: expect.stringContaining(`vouched for by ${ANN.fingerprint} (ann), which you trust`),
    })
    expect(await load(made, 'team/n')).toBe('loaded')
  })

  it('keeps the bounds that a person gave it, whatever those of the other one are', async () => {
    const made = await withAnn()
    await made.run('keys trust', { file: made.file, for: ['tool:team/*'] })
    const file = made.write('next.toml', document(ANN))
    await made.run('keys trust', { file })
    expect(await made.run('keys trust', { file })).toMatchObject({ status: 'unchanged' })
    await made.run('keys trust', { file, for: ['tool:team/n'] })
    for (const name of [file, next.fingerprint])
      expect(await made.run('keys trust', { file: name })).toMatchObject({ code: 'KEY_EXISTS' })
    const { keys } = await made.run('keys list')
    expect(keys).toContainEqual(
      expect.objectContaining({ fingerprint: next.fingerprint, bounds: { for: ['tool:team/n'] } }),
    )
  })

  it('by a stranger, or by a revoked key, is a key like any other', async () => {
    const made = await withAnn()
    const file = made.write('next.toml', document(ANN))
    expect(await made.run('keys trust', { file })).not.toHaveProperty('vouched_by')
    await made.run('keys remove', { fingerprint: next.fingerprint })
    await made.run('keys revoke', { key: ANN.fingerprint })
    expect(await made.run('keys trust', { file })).not.toHaveProperty('vouched_by')
  })

  it('is refused when the word is forged', async () => {
    const made = await withAnn()
    await made.run('keys trust', { file: made.file })
    const vouch = { ...vouchFor(next.publicPem, next, AT), fingerprint: ANN.fingerprint }
    const forged = printIdentity({ ...describeKey(next.publicPem, 'ann'), vouch })
    for (const text of [forged, document(ANN, generateKey().publicPem)]) {
      const file = made.write('next.toml', text)
      expect(await made.run('keys trust', { file })).toMatchObject({ code: 'KEY_INVALID' })
    }
    expect((await made.run('keys list')).keys).toHaveLength(2)
  })
})

describe('without the trust in the own key', () => {
  it('sign and doctor say so, with the command that gives it back', async () => {
    const made = await scratch({ '.ai/tools/a.py': tool('a') })
    const { fingerprint } = TEST_KEY
    expect(await made.run('keys remove', { fingerprint })).toMatchObject({
      message: expect.stringContaining('it is your own key'),
    })
    const says = `your signing key ${fingerprint} is not among the keys that you trust: what it signs cannot be used here`
    const warning = `${says}; trust it again with \`rye keys trust ${fingerprint}\``
    expect(await made.run('sign', { item_id: 'a' })).toMatchObject({ status: 'signed', warnings: [warning] })
    expect(await made.run('sign', { item_id: '*' })).toMatchObject({ status: 'completed', warning })
    expect(await load(made, 'a')).toContain('ITEM_UNTRUSTED')
    expect((await made.run('doctor')).checks).toContainEqual(
      expect.objectContaining({ name: 'key', status: 'problem', fix: `rye keys trust ${fingerprint}` }),
    )
    await made.run('keys trust', { file: fingerprint })
    expect(await load(made, 'a')).toBe('loaded')
    expect(await made.run('sign', { item_id: '*' })).not.toHaveProperty('warning')
  })

  it('or without its file, too', async () => {
    const made = await scratch({}, { key: false })
    const { fingerprint } = await made.run('keys generate')
    const path = 'user:.ai/config/keys/signing/private_key.pem'
    expect(statSync(made.path(path)).mode & 0o777).toBe(0o600)
    rmSync(made.path(path))
    const said = expect.stringContaining(`your signing key ${fingerprint} is gone`)
    expect(await made.run('sign', { item_id: 'a' })).toMatchObject({ code: 'KEY_MISSING', error: said })
    expect((await made.run('doctor')).checks).toContainEqual(
      expect.objectContaining({ name: 'key', message: said, fix: 'rye keys generate' }),
    )
    expect((await made.run('keys generate')).fingerprint).not.toBe(fingerprint)
  })
})
