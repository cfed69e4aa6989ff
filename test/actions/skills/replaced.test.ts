// What is replaced in a client's folder, what is left there, and how `skills list` tells copies apart.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { digestOf } from '../../../src/actions/skills/skill-copy.ts'
import { stateFolder } from '../../fixtures/kept-places.ts'
import { type Scratch, scratch, skill } from '../../workspace/scratch.ts'

const SCRIPT = '.claude/skills/pdf/scripts/read.py'

async function withCopy(): Promise<Scratch> {
  const made = await scratch({
    '.ai/skills/pdf/SKILL.md': skill('pdf'),
    '.ai/skills/pdf/scripts/read.py': 'print(1)\n',
    '.ai/skills/pdf/deep/er/notes.md': 'notes\n',
  })
  await made.sign('pdf', { item_type: 'skill' })
  await made.run('skills install', { item_id: 'pdf', to: 'claude' })
  return made
}

function install(made: Scratch, input: object = {}) {
  return made.run('skills install', { item_id: 'pdf', to: 'claude', ...input })
}

async function copyOf(made: Scratch, name: string) {
  const { skills } = await made.run('skills list')
  return skills.find(({ path }: { path: string }) => path === made.path(`.claude/skills/${name}`))
}

describe('an update', () => {
  it('leaves no folder that has lost its last file, and nothing aside', async () => {
    const made = await withCopy()
    rmSync(made.path('.ai/skills/pdf/deep'), { recursive: true })
    await made.sign('pdf', { item_type: 'skill' })
    expect(await install(made)).toMatchObject({ status: 'updated' })
    expect(readdirSync(made.path('.claude/skills/pdf')).sort()).toEqual(['SKILL.md', 'SKILL.sig', 'scripts'])
    expect(readdirSync(made.path('.claude'))).toEqual(['skills'])
    expect(readdirSync(made.path('.claude/skills'))).toEqual(['pdf'])
  })

  it('keeps the permissions of files that it replaces', async () => {
    const made = await withCopy()
    chmodSync(made.path(SCRIPT), 0o750)
    made.write('.ai/skills/pdf/scripts/read.py', 'print(2)\n')
    await made.sign('pdf', { item_type: 'skill' })
    expect(await install(made)).toMatchObject({ status: 'updated' })
    expect(made.read(SCRIPT)).toBe('print(2)\n')
    expect(statSync(made.path(SCRIPT)).mode & 0o777).toBe(0o750)
  })

  it('puts a folder where there was a file, and a file where there was a folder', async () => {
    const made = await withCopy()
    for (const [gone, path] of [
      ['scripts', 'scripts'],
      ['scripts', 'scripts/deep/run.sh'],
    ] as const) {
      rmSync(made.path(`.ai/skills/pdf/${gone}`), { recursive: true })
      chmodSync(made.write(`.ai/skills/pdf/${path}`, 'echo 1\n'), 0o755)
      await made.sign('pdf', { item_type: 'skill' })
      expect(await install(made)).toMatchObject({ status: 'updated' })
      expect(made.read(`.claude/skills/pdf/${path}`)).toBe('echo 1\n')
    }
  })

  it('is refused where a file was taken out of the copy, and says which', async () => {
    const made = await withCopy()
    rmSync(made.path(SCRIPT))
    expect(await install(made)).toMatchObject({
      code: 'ITEM_EXISTS',
      error: expect.stringContaining('it lacks `scripts/read.py`'),
      changed: [],
      missing: ['scripts/read.py'],
    })
  })

  it('takes the place of a folder that holds nothing but folders, and of no file', async () => {
    const made = await withCopy()
    rmSync(made.path('.claude/skills/pdf'), { recursive: true })
    mkdirSync(made.path('.claude/skills/pdf/empty'), { recursive: true })
    expect(await install(made)).toMatchObject({ status: 'installed' })
    expect(existsSync(made.path('.claude/skills/pdf/empty'))).toBe(false)
    rmSync(made.path('.claude/skills/pdf'), { recursive: true })
    made.write('.claude/skills/pdf', 'a file\n')
    expect(await install(made)).toMatchObject({ code: 'ITEM_EXISTS' })
    expect(await install(made, { link: true })).toMatchObject({ code: 'ITEM_EXISTS' })
    expect(made.read('.claude/skills/pdf')).toBe('a file\n')
    expect(readdirSync(made.path('.claude'))).toEqual(['skills'])
  })
})

describe('what a killed run has left', () => {
  const ASIDE = '.claude/.rye-00000000-1-0123456789abcdef.tmp'

  /** As if it had taken the copy away, and was killed then. */
  function takeAway(made: Scratch, before: string): void {
    const note = { version: 1, aside: ASIDE, skills: [{ path: '.claude/skills/pdf', before }] }
    writeFileSync(join(stateFolder(made.user, made.project), 'placing-skills.json'), JSON.stringify(note))
    rmSync(made.path('.claude/skills/pdf'), { recursive: true, force: true })
    made.write(`${ASIDE}/old/pdf/SKILL.md`, skill('pdf', 'Away'))
  }

  it('is put back by whatever is installed next', async () => {
    const made = await withCopy()
    made.write('.ai/skills/other/SKILL.md', skill('other'))
    await made.sign('other', { item_type: 'skill' })
    takeAway(made, digestOf(new Map([['SKILL.md', Buffer.from(skill('pdf', 'Away'))]])))
    expect(await install(made, { item_id: 'other' })).toMatchObject({ status: 'installed' })
    expect(made.read('.claude/skills/pdf/SKILL.md')).toBe(skill('pdf', 'Away'))
    expect(existsSync(made.path(ASIDE))).toBe(false)
  })

  it('is neither put back nor lost if it was changed while it lay aside', async () => {
    const made = await withCopy()
    takeAway(made, digestOf(new Map([['SKILL.md', Buffer.from(skill('pdf', 'Something else'))]])))
    const remove = () => made.run('skills remove', { item_id: 'pdf', from: 'claude' })
    const { code, hint } = await remove()
    expect(code).toBe('ITEM_EXISTS')
    const [, kept] = /that is in `([^`]+)` now/.exec(hint)!
    expect(existsSync(made.path('.claude/skills/pdf'))).toBe(false)
    expect(existsSync(made.path(ASIDE))).toBe(false)
    expect(await remove()).toMatchObject({ code: 'ITEM_NOT_FOUND' })
    expect(readFileSync(join(kept!, 'old/pdf/SKILL.md'), 'utf8')).toBe(skill('pdf', 'Away'))
  })

  it('is not believed where it leads elsewhere', async () => {
    const made = await withCopy()
    made.write('old/pdf/SKILL.md', skill('pdf'))
    const note = { version: 1, aside: '..', skills: [{ path: '../x', before: 'y' }] }
    writeFileSync(join(stateFolder(made.user, made.project), 'placing-skills.json'), JSON.stringify(note))
    expect(await install(made)).toMatchObject({ status: 'unchanged' })
    expect(existsSync(made.path('old/pdf/SKILL.md'))).toBe(true)
  })
})

describe('a client whose folder cannot be read', () => {
  async function blocked(): Promise<Scratch> {
    const made = await scratch({
      '.ai/skills/pdf/SKILL.md': skill('pdf'),
      '.claude/skills': 'a file\n',
      '.junie': 'a file\n',
      '.bob/skills/pdf': 'a file\n',
      '.kode/skills/own/SKILL.md': skill('own'),
      data: 'of the project, and no folder of a client\n',
      'real/own/SKILL.md': skill('own'),
    })
    await made.sign('pdf', { item_type: 'skill' })
    for (const [folder, to] of [
      ['.goose', '/nowhere'],
      ['.fx', '../real'],
    ] as const) {
      mkdirSync(made.path(folder))
      symlinkSync(to, made.path(`${folder}/skills`))
    }
    return made
  }

  const CLIENTS = [
    ['claude', '.claude/skills', 'a file'],
    ['junie', '.junie', 'a file'],
    ['goose', '.goose/skills', 'a link to `/nowhere`'],
    ['fx', '.fx/skills', 'a link to `../real`'],
  ] as const

  it('is named with what is there, by an install and a removal', async () => {
    const made = await blocked()
    for (const [client, path, found] of CLIENTS) {
      const error = `expected a folder at \`${made.path(path)}\`, got ${found}`
      const refused = { code: 'WRITE_FAILED', error, hint: expect.any(String) }
      for (const item_id of ['pdf', '*']) {
        expect(await made.run('skills install', { item_id, to: client })).toMatchObject(refused)
        expect(await made.run('skills remove', { item_id, from: client })).toMatchObject(refused)
      }
    }
    const error = `expected a folder at \`${made.path('.bob/skills/pdf')}\`, got a file`
    const refused = { code: 'ITEM_EXISTS', error }
    expect(await made.run('skills install', { item_id: 'pdf', to: 'bob' })).toMatchObject(refused)
    expect(await made.run('skills remove', { item_id: 'pdf', from: 'bob' })).toMatchObject({ error })
  })

  it('is named in a list, which goes on with the others', async () => {
    const made = await blocked()
    const { skills, unreadable } = await made.run('skills list')
    expect(skills.map(({ name }: { name: string }) => name)).toEqual(['pdf', 'own'])
    expect(
      unreadable.map(({ clients, error }: { clients: string[]; error: string }) => [clients, error]),
    ).toEqual(
      expect.arrayContaining(
        CLIENTS.map(([client, path, found]) => [
          [client === 'claude' ? 'claude-code' : client],
          `expected a folder at \`${made.path(path)}\`, got ${found}`,
        ]),
      ),
    )
    expect(unreadable).toHaveLength(CLIENTS.length)
  })
})

describe('skills list', () => {
  it('tells an edited copy from one that somebody else made, and an outdated one from a current one', async () => {
    const made = await withCopy()
    made.write('.claude/skills/own/SKILL.md', skill('own'))
    expect((await copyOf(made, 'own')).state).toBe('other')
    expect(await copyOf(made, 'own')).not.toHaveProperty('remark')
    expect(await copyOf(made, 'pdf')).toMatchObject({ state: 'installed' })
    expect(await copyOf(made, 'pdf')).not.toHaveProperty('remark')
    made.write('.ai/skills/pdf/scripts/read.py', 'print(2)\n')
    // Nothing would be installed until it is signed.
    expect(await copyOf(made, 'pdf')).not.toHaveProperty('remark')
    await made.sign('pdf', { item_type: 'skill' })
    expect(await copyOf(made, 'pdf')).toMatchObject({ state: 'installed', remark: 'outdated' })
    made.write(SCRIPT, 'print(3)\n')
    expect(await copyOf(made, 'pdf')).toMatchObject({ state: 'other', remark: 'edited' })
  })

  it('shows links whose skill is gone', async () => {
    const made = await withCopy()
    await install(made, { link: true })
    expect(await copyOf(made, 'pdf')).not.toHaveProperty('remark')
    rmSync(made.path('.ai/skills/pdf'), { recursive: true })
    expect(await copyOf(made, 'pdf')).toMatchObject({ state: 'linked', remark: 'dangling' })
    expect(await made.run('skills remove', { item_id: 'pdf', from: 'claude' })).toMatchObject({
      linked: true,
    })
    expect(await copyOf(made, 'pdf')).toBeUndefined()
  })
})

it('two installs at once in one process lose nothing: the second waits for the first', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `s${index}`)
  const made = await scratch(Object.fromEntries(ids.map(id => [`.ai/skills/${id}/SKILL.md`, skill(id)])))
  await made.sign('s*', { item_type: 'skill' })
  const answers = await Promise.all([1, 2].map(() => install(made, { item_id: '*' })))
  expect(answers.map(({ status }) => status).sort()).toEqual(['installed', 'unchanged'])
  const { skills } = await made.run('skills list')
  const copies = skills.filter(({ clients }: { clients: string[] }) => clients.length > 0)
  expect(copies.filter(({ state }: { state: string }) => state !== 'installed')).toEqual([])
  expect(copies).toHaveLength(ids.length)
})
