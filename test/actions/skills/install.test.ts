import {
  chmodSync,
  cpSync,
  existsSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { stateFolder } from '../../fixtures/kept-places.ts'
import { type Scratch, scratch, skill } from '../../workspace/scratch.ts'

async function withSkill(): Promise<Scratch> {
  const made = await scratch({
    '.ai/skills/pdf/SKILL.md': skill('pdf'),
    '.ai/skills/pdf/scripts/__init__.py': '',
    '.ai/skills/pdf/scripts/read.py': 'print(1)\n',
  })
  await made.sign('pdf', { item_type: 'skill' })
  return made
}

describe('skills install', () => {
  it('copies a verified skill with its signature, once', async () => {
    const made = await withSkill()
    const answer = await made.run('skills install', { item_id: 'pdf', to: 'claude' })
    expect(answer).toMatchObject({ status: 'installed', path: made.path('.claude/skills/pdf'), files: 4 })
    expect(made.read('.claude/skills/pdf/SKILL.sig')).toBe(made.read('.ai/skills/pdf/SKILL.sig'))
    expect(made.read('.claude/skills/pdf/scripts/read.py')).toBe('print(1)\n')
    expect(await made.run('skills install', { item_id: 'pdf', to: 'claude' })).toMatchObject({
      status: 'unchanged',
    })
  })

  it('keeps what can be started, also in a copy that is the same apart from that', async () => {
    const made = await withSkill()
    const install = () => made.run('skills install', { item_id: 'pdf', to: 'claude' })
    const mode = (name: string) => statSync(made.path(`.claude/skills/pdf/${name}`)).mode & 0o777
    expect(await install()).toMatchObject({ status: 'installed' })
    expect(mode('scripts/read.py') & 0o111).toBe(0)
    chmodSync(made.path('.ai/skills/pdf/scripts/read.py'), 0o755)
    chmodSync(made.path('.claude/skills/pdf/scripts/read.py'), 0o640)
    expect(await install()).toMatchObject({ status: 'updated' })
    expect(mode('scripts/read.py')).toBe(0o750)
    expect(mode('SKILL.md') & 0o111).toBe(0)
    expect(await install()).toMatchObject({ status: 'unchanged' })
    await made.run('skills install', { item_id: 'pdf', to: 'codex' })
    expect(statSync(made.path('.agents/skills/pdf/scripts/read.py')).mode & 0o777).toBe(0o755)
  })

  it('lets nobody start what nobody else may read', async () => {
    const made = await withSkill()
    chmodSync(made.path('.ai/skills/pdf/scripts/read.py'), 0o755)
    const umask = process.umask(0o077)
    onTestFinished(() => void process.umask(umask))
    await made.run('skills install', { item_id: 'pdf', to: 'claude' })
    const modes = ['SKILL.md', 'scripts/read.py'].map(
      name => statSync(made.path(`.claude/skills/pdf/${name}`)).mode & 0o777,
    )
    expect(modes).toEqual([0o600, 0o700])
  })

  it("copies into a client's folder of the user", async () => {
    const made = await withSkill()
    await made.run('skills install', { item_id: 'pdf', to: 'cursor', user: true })
    expect(existsSync(made.path('user:.cursor/skills/pdf/SKILL.md'))).toBe(true)
  })

  it('does not copy what is not verified', async () => {
    const made = await withSkill()
    made.write('.ai/skills/pdf/scripts/read.py', 'print(2)\n')
    expect(await made.run('skills install', { item_id: 'pdf', to: 'claude' })).toMatchObject({
      code: 'ITEM_TAMPERED',
    })
    expect(existsSync(made.path('.claude'))).toBe(false)
  })

  it.each(['__pycache__/fill.cpython-312.pyc', '.git/hooks/post-checkout', 'node_modules/x.js', '.env'])(
    'takes a copy with a planted %s for another one, and removes it when told to',
    async planted => {
      const made = await withSkill()
      const install = (input: object = {}) =>
        made.run('skills install', { item_id: 'pdf', to: 'claude', ...input })
      await install()
      made.write(`.claude/skills/pdf/${planted}`, 'planted')
      expect(await install()).toMatchObject({ code: 'ITEM_EXISTS', changed: [planted] })
      expect(await install({ overwrite: true })).toMatchObject({ status: 'updated' })
      expect(existsSync(made.path(`.claude/skills/pdf/${planted}`))).toBe(false)
      expect(await install()).toMatchObject({ status: 'unchanged' })
    },
  )

  it('brings a copy up to date that comes before its source', async () => {
    const made = await scratch({ 'user:.ai/skills/pdf/SKILL.md': skill('pdf', 'Old') })
    await made.sign('pdf', { item_type: 'skill', source: 'user' })
    const install = () => made.run('skills install', { item_id: 'pdf', to: 'claude' })
    expect(await install()).toMatchObject({ status: 'installed' })
    made.write('user:.ai/skills/pdf/SKILL.md', skill('pdf', 'New'))
    await made.sign('pdf', { item_type: 'skill', source: 'user' })
    expect(await install()).toMatchObject({ status: 'updated' })
    expect(made.read('.claude/skills/pdf/SKILL.md')).toBe(skill('pdf', 'New'))
    expect(await install()).toMatchObject({ status: 'unchanged' })
  })

  it('takes several, and all', async () => {
    const made = await withSkill()
    made.write('.ai/skills/a/SKILL.md', skill('a'))
    made.write('.ai/skills/b/SKILL.md', skill('b'))
    await made.sign('a', { item_type: 'skill' })
    const two = await made.run('skills install', { item_id: 'pdf a', to: 'claude' })
    expect(two).toMatchObject({ status: 'installed', path: made.path('.claude/skills') })
    expect(two.skills.map((one: { item_id: string }) => one.item_id)).toEqual(['pdf', 'a'])
    const all = await made.run('skills install', { item_id: '*', to: 'claude' })
    expect(all).toMatchObject({
      status: 'unchanged',
      failed: [{ item_id: 'b', code: 'ITEM_UNSIGNED', hint: expect.stringContaining('skill:b') }],
    })
    expect(await made.run('skills install', { item_id: 'x*', to: 'claude' })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
      hint: expect.stringContaining('rye list --type skill'),
    })
  })

  it('says of several which are unknown, and installs the rest', async () => {
    const made = await withSkill()
    const install = (item_id: string) => made.run('skills install', { item_id, to: 'claude' })
    expect(await install('skill:pdff pdf, zz* ..')).toMatchObject({
      status: 'installed',
      skills: [{ item_id: 'pdf', status: 'installed' }],
      failed: [
        { item_id: 'pdff', code: 'ITEM_NOT_FOUND', hint: 'did you mean `pdf`?' },
        { item_id: 'zz*', code: 'ITEM_NOT_FOUND', error: 'no skill matches `zz*`' },
        { item_id: '..', code: 'INVALID_ID' },
      ],
    })
    expect(await install('one two')).toMatchObject({
      status: 'unchanged',
      skills: [],
      failed: [{ item_id: 'one' }, { item_id: 'two' }],
    })
    for (const one of ['pdff', 'zz*', ' , '])
      expect(await install(one)).toMatchObject({ status: 'error', code: 'ITEM_NOT_FOUND' })
  })

  it('says of a thousand which are unknown', async () => {
    const made = await withSkill()
    const names = Array.from({ length: 1000 }, (_, index) => `other-${index}`)
    const answer = await made.run('skills install', { item_id: `${names.join(' ')} pdg`, to: 'claude' })
    expect(answer.failed).toHaveLength(1001)
    expect(answer.failed[999]).toMatchObject({ item_id: 'other-999', error: 'Item not found: other-999' })
    expect(answer.failed[1000]).toMatchObject({ item_id: 'pdg', hint: 'did you mean `pdf`?' })
  })

  it('replaces an older copy that nobody edited, and takes away files that are gone', async () => {
    const made = await withSkill()
    made.write('.ai/skills/pdf/extra.md', 'x')
    await made.sign('pdf', { item_type: 'skill' })
    await made.run('skills install', { item_id: 'pdf', to: 'agents' })
    unlinkSync(made.path('.ai/skills/pdf/extra.md'))
    await made.sign('pdf', { item_type: 'skill' })
    expect(await made.run('skills install', { item_id: 'pdf', to: 'agents' })).toMatchObject({
      status: 'updated',
    })
    expect(existsSync(made.path('.agents/skills/pdf/extra.md'))).toBe(false)
  })

  it('does not overwrite edits unless told to', async () => {
    const made = await withSkill()
    await made.run('skills install', { item_id: 'pdf', to: 'claude' })
    made.write('.claude/skills/pdf/SKILL.md', 'mine')
    expect(await made.run('skills install', { item_id: 'pdf', to: 'claude' })).toMatchObject({
      code: 'ITEM_EXISTS',
      changed: ['SKILL.md'],
    })
    expect(made.read('.claude/skills/pdf/SKILL.md')).toBe('mine')
    const forced = await made.run('skills install', { item_id: 'pdf', to: 'claude', overwrite: true })
    expect(forced).toMatchObject({ status: 'updated' })
    expect(made.read('.claude/skills/pdf/SKILL.md')).toBe(made.read('.ai/skills/pdf/SKILL.md'))
  })

  it('does not overwrite edits that were signed, nor a copy that it did not make', async () => {
    const made = await withSkill()
    await made.run('skills install', { item_id: 'pdf', to: 'claude' })
    made.write('.claude/skills/pdf/SKILL.md', `${skill('pdf')}mine`)
    // Only the edited copy is there to be signed.
    renameSync(made.path('.ai/skills/pdf'), made.path('away'))
    await made.sign('pdf', { item_type: 'skill' })
    renameSync(made.path('away'), made.path('.ai/skills/pdf'))
    expect(made.read('.claude/skills/pdf/SKILL.sig')).not.toBe(made.read('.ai/skills/pdf/SKILL.sig'))
    const signed = await made.run('skills install', { item_id: 'pdf', to: 'claude' })
    expect(signed).toMatchObject({ code: 'ITEM_EXISTS' })
    expect(made.read('.claude/skills/pdf/SKILL.md')).toContain('mine')

    cpSync(made.path('.ai/skills/pdf'), made.path('.agents/skills/pdf'), { recursive: true })
    made.write('.ai/skills/pdf/scripts/read.py', 'print(2)\n')
    await made.sign('pdf', { item_type: 'skill' })
    expect(await made.run('skills install', { item_id: 'pdf', to: 'agents' })).toMatchObject({
      code: 'ITEM_EXISTS',
      changed: ['SKILL.sig', 'scripts/read.py'],
    })
  })

  it('does not take a file away that somebody put beside the copy', async () => {
    const made = await withSkill()
    await made.run('skills install', { item_id: 'pdf', to: 'claude' })
    made.write('.claude/skills/pdf/notes.md', 'mine')
    expect(await made.run('skills install', { item_id: 'pdf', to: 'claude' })).toMatchObject({
      code: 'ITEM_EXISTS',
      changed: ['notes.md'],
    })
    expect(made.read('.claude/skills/pdf/notes.md')).toBe('mine')
  })

  it('replaces its own older copy of a skill from a category, which has no signature', async () => {
    const made = await scratch({ '.ai/skills/team/pdf/SKILL.md': skill('pdf') })
    await made.sign('team/pdf', { item_type: 'skill' })
    await made.run('skills install', { item_id: 'team/pdf', to: 'claude' })
    expect(existsSync(made.path('.claude/skills/pdf/SKILL.sig'))).toBe(false)
    made.write('.ai/skills/team/pdf/SKILL.md', `${skill('pdf')}more`)
    await made.sign('team/pdf', { item_type: 'skill' })
    const again = await made.run('skills install', { item_id: 'team/pdf', to: 'claude' })
    expect(again).toMatchObject({ status: 'updated' })
  })

  it('asks when its note is lost or damaged', async () => {
    const made = await withSkill()
    await made.run('skills install', { item_id: 'pdf', to: 'claude' })
    writeFileSync(join(stateFolder(made.user, made.project), 'installed-skills.json'), '{')
    made.write('.ai/skills/pdf/scripts/read.py', 'print(2)\n')
    await made.sign('pdf', { item_type: 'skill' })
    expect(await made.run('skills install', { item_id: 'pdf', to: 'claude' })).toMatchObject({
      code: 'ITEM_EXISTS',
    })
  })

  it('does not write through a link', async () => {
    const made = await withSkill()
    made.write('elsewhere/keep', 'x')
    symlinkSync(made.path('elsewhere'), made.path('.claude'))
    expect(await made.run('skills install', { item_id: 'pdf', to: 'claude' })).toMatchObject({
      code: 'WRITE_FAILED',
    })
    expect(existsSync(made.path('elsewhere/skills'))).toBe(false)
  })
})
