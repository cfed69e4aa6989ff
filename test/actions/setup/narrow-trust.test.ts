// Trust for some items, in some projects, for some time; names for keys; handing keys on.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeKey, printIdentity } from '../../../src/trust/identity-document.ts'
import { generateKey, type SigningKey } from '../../../src/trust/key.ts'
import { fingerprintWords } from '../../../src/trust/name-key.ts'
import { vouchFor } from '../../../src/trust/vouch.ts'
import { scratch, TEST_KEY } from '../../workspace/scratch.ts'
import { ANN, AT, documentOf, load, signedBy, trustedPath, withAnn } from './ann.ts'

describe('keys trust within bounds', () => {
  it('makes items inside usable and no others, and says why', async () => {
    const made = await withAnn()
    const answer = await made.run('keys trust', { file: made.file, for: ['tool:team/*'] })
    expect(answer).toEqual({
      status: 'trusted',
      fingerprint: ANN.fingerprint,
      owner: 'ann',
      words: fingerprintWords(ANN.fingerprint),
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
