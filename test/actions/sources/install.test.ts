// `install` when the space is not as it was left: after a pull, behind links, after a failed write.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryName } from '../../../src/files/temporary-name.ts'
import { scratch, skill, tool } from '../../workspace/scratch.ts'
import { project, vendor } from './vendor-project.ts'

describe('install after a pull, where items are not committed', () => {
  /** The lock before and after an update; the space is as the first one says. */
  async function pulled() {
    const { made, source } = await project()
    const [first, old] = [made.read('.ai/rye.lock'), made.read('.ai/tools/deploy.py')]
    vendor(made, { 'pdf/SKILL.md': skill('pdf', 'Newer'), 'pdf/new.md': 'new\n' })
    rmSync(join(source, 'pdf/scripts'), { recursive: true })
    const shown = await made.run('update', { dry_run: true })
    await made.run('update', { accept: [shown.sources[0].digest] })
    const second = made.read('.ai/rye.lock')
    made.write('.ai/rye.lock', first)
    expect(await made.run('install')).toMatchObject({ status: 'installed', written: ['skill:pdf'] })
    expect(made.read('.ai/skills/pdf/scripts/a.sh')).toContain('echo a')
    expect(() => made.read('.ai/skills/pdf/new.md')).toThrow('ENOENT')
    return { made, second, old }
  }

  it('replaces what it put there, file by file', async () => {
    const { made, second } = await pulled()
    made.write('.ai/rye.lock', second)
    expect(await made.run('install')).toMatchObject({
      status: 'installed',
      written: ['skill:pdf'],
      edited: [],
    })
    expect(made.read('.ai/skills/pdf/new.md')).toBe('new\n')
    expect(() => made.read('.ai/skills/pdf/scripts/a.sh')).toThrow('ENOENT')
    expect(await made.run('install', { frozen: true })).toMatchObject({ status: 'unchanged' })
    expect(await made.run('review', { item_id: 'skill:pdf' })).toMatchObject({
      message: 'as it was accepted',
    })
  })

  it('leaves what somebody changed, and says how to have what is locked', async () => {
    const { made, second } = await pulled()
    made.write('.ai/rye.lock', second)
    made.write('.ai/skills/pdf/mine.md', 'mine\n')
    const answer = await made.run('install')
    expect(answer).toMatchObject({ status: 'failed', written: [], edited: ['skill:pdf'] })
    expect(answer.message).toContain('once its files are removed')
    expect(made.read('.ai/skills/pdf/mine.md')).toBe('mine\n')
    rmSync(made.path('.ai/skills/pdf'), { recursive: true })
    expect(await made.run('install')).toMatchObject({ status: 'installed', written: ['skill:pdf'] })
  })

  it('removes what it put there and is locked no more, unless it was changed', async () => {
    const { made } = await pulled()
    made.write('.ai/tools/deploy.py', tool('deploy', { description: 'mine' }))
    made.write('.ai/rye.lock', 'rye lock v1\n')
    expect(await made.run('install')).toMatchObject({ status: 'installed', removed: ['skill:pdf'] })
    expect(() => made.read('.ai/skills/pdf/SKILL.md')).toThrow('ENOENT')
    expect(made.read('.ai/tools/deploy.py')).toContain('mine')
    expect(await made.run('install')).toMatchObject({ status: 'unchanged', removed: [] })
  })

  it('removes nothing that a lock claims and it did not put there, nor where the lock is gone', async () => {
    const { made, old } = await pulled()
    rmSync(made.path('.ai/rye.lock'))
    expect(await made.run('install')).toMatchObject({ status: 'unchanged', removed: [] })
    const other = await scratch({ '.ai/tools/deploy.py': old })
    other.write('.ai/rye.lock', (await project()).made.read('.ai/rye.lock').replace(/.*skill:pdf.*\n/, ''))
    expect(await other.run('install')).toMatchObject({ unchanged: 1 })
    other.write('.ai/rye.lock', 'rye lock v1\n')
    expect(await other.run('install')).toMatchObject({ status: 'unchanged', removed: [] })
    expect(other.read('.ai/tools/deploy.py')).toBe(old)
  })
})

describe('a folder of the space that is a link', () => {
  it.each(['skills', 'skills/pdf', 'tools'])(
    '%s: nothing is taken for removed, missing or in place',
    async folder => {
      const { made } = await project()
      const [place, elsewhere] = [made.path(`.ai/${folder}`), join(made.root, 'elsewhere')]
      renameSync(place, elsewhere)
      symlinkSync(elsewhere, place)
      const lock = made.read('.ai/rye.lock')
      for (const action of ['install', 'remove']) {
        const answer = await made.run(action, action === 'remove' ? { name: '../vendor' } : {})
        expect(answer).toMatchObject({ code: 'FILE_UNREADABLE' })
        expect(answer.error).toContain(`\`${place}\` is a symbolic link`)
      }
      expect(made.read('.ai/rye.lock')).toBe(lock)
      expect(readdirSync(elsewhere)).not.toEqual([])
    },
  )
})

it('takes away what a write that failed has left in the folder of a skill', async () => {
  const { made } = await project()
  const { pid } = spawnSync('true')
  const left = made.write(
    `.ai/skills/pdf/${temporaryName('0'.repeat(16)).replace(/-\d+-/, `-${pid}-`)}`,
    'old\n',
  )
  expect(await made.run('install', { frozen: true })).toMatchObject({ status: 'unchanged', edited: [] })
  expect(existsSync(left)).toBe(false)
})

it('a folder that cannot be listed is neither missing nor removed', async () => {
  const { made } = await project()
  const lock = made.read('.ai/rye.lock')
  rmSync(made.path('.ai/skills/pdf'), { recursive: true })
  made.write('.ai/skills/pdf', 'a file\n')
  for (const [action, input] of [
    ['install', {}],
    ['remove', { name: 'pdf' }],
  ] as const)
    expect(await made.run(action, input)).toMatchObject({ code: 'FILE_UNREADABLE' })
  expect([made.read('.ai/skills/pdf'), made.read('.ai/rye.lock')]).toEqual(['a file\n', lock])
})

describe('install of what counts for nothing here', () => {
  it('asks nobody to trust a key that they trust, but to accept it again', async () => {
    const { made } = await project()
    rmSync(made.path('.ai/config/approvals'), { recursive: true })
    const answer = await made.run('install')
    expect(answer).toMatchObject({ untrusted: [{ item: 'skill:pdf' }, { item: 'tool:deploy' }] })
    expect(answer.message).toContain('nobody whom you trust has accepted 2 items')
    expect(answer.message).not.toContain('keys trust')
  })

  it('names a command that trusts the key of a colleague, once the project offers it', async () => {
    const { made } = await project()
    await made.run('keys offer')
    const { fingerprint } = await made.run('keys show')
    const bob = await scratch({}, { key: false })
    const clone = (path: string) => cpSync(made.path(path), join(bob.project, path), { recursive: true })
    for (const path of ['.ai/skills', '.ai/tools', '.ai/rye.lock', '.ai/config/approvals']) clone(path)
    expect((await bob.run('install')).message).toContain('the project does not offer that key')
    clone('.ai')
    expect((await bob.run('install')).message).toContain(`\`rye keys trust ${fingerprint}\``)
    expect(await bob.run('keys trust', { file: fingerprint })).not.toHaveProperty('error')
    expect(await bob.run('install', { frozen: true })).toMatchObject({ status: 'unchanged' })
  })

  it('sends nobody to trust a key that is revoked', async () => {
    const { made } = await project()
    await made.run('keys offer')
    const { fingerprint } = await made.run('keys show')
    await made.run('keys revoke', { key: fingerprint })
    const { message } = await made.run('install')
    expect(message).toContain(`key ${fingerprint} is revoked`)
    expect(message).not.toContain('keys trust')
  })
})

it('commands that are named about the user space lead there', async () => {
  const made = await scratch()
  const source = vendor(made, { 'pdf/SKILL.md': skill('pdf') })
  const { digest } = await made.run('add', { source, to: 'user', dry_run: true })
  await made.run('add', { source, to: 'user', accept: [digest] })
  made.write('user:.ai/skills/pdf/SKILL.md', skill('pdf', 'Mine\n\nEnd'))
  const { message } = await made.run('install', { to: 'user' })
  expect(message).toContain('`rye review skill:pdf@user`')
  expect(message).toContain('`rye install --to user`')
})
