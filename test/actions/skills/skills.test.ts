import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stateFolder } from '../../fixtures/kept-places.ts'
import { LIBRARY } from '../../skills/library.ts'
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

describe('skills scan', () => {
  it('answers with payloads and diagnostics, the same each time', async () => {
    const made = await scratch()
    const answer = await made.run('skills scan', { directory: LIBRARY })
    expect(answer.skills).toHaveLength(11)
    expect(answer.diagnostics.length).toBeGreaterThan(10)
    // Paths begin at the root, which is named once.
    const { root, ...records } = answer
    expect(root).toBe(LIBRARY)
    expect(JSON.stringify(records)).not.toContain(LIBRARY)
    expect(await made.run('skills scan', { directory: LIBRARY })).toEqual(answer)
  })

  it('needs a directory', async () => {
    const made = await scratch()
    expect(await made.run('skills scan', { directory: `${LIBRARY}/none` })).toMatchObject({
      code: 'INVALID_INPUT',
    })
  })
})

describe('skills validate', () => {
  it('judges each skill of a directory', async () => {
    const made = await scratch({
      'skills/good/SKILL.md': skill('good'),
      'skills/bad/SKILL.md': skill('other'),
    })
    const answer = await made.run('skills validate', { directory: made.path('skills') })
    expect(answer.valid).toBe(false)
    expect(answer.skills.map((one: { name: string; valid: boolean }) => [one.name, one.valid])).toEqual([
      ['bad', false],
      ['good', true],
    ])
  })

  it('says why a skill of a project is not served: it is not signed, not listed, or not the first of its id', async () => {
    const made = await scratch({
      '.ai/skills/good/SKILL.md': skill('good'),
      '.ai/skills/plain/SKILL.md': skill('plain'),
      '.ai/skills/.curated/deep/SKILL.md': skill('deep'),
      '.ai/skills/good/assets/template/SKILL.md': skill('template'),
      '.claude/skills/good/SKILL.md': skill('good'),
    })
    await made.sign('skill:good')
    const served = async (directory: string) => {
      const { skills } = await made.run('skills validate', { directory: made.path(directory) })
      type Judged = { path: string; served: { ok: boolean; reasons: string[] } }
      return skills.map((one: Judged) => [one.path, one.served.reasons.join()])
    }
    expect(await served('.ai/skills')).toEqual([
      ['.curated/deep', expect.stringMatching(/segment `.curated` is not allowed: expected .*; rename it$/)],
      ['good', ''],
      ['plain', expect.stringContaining('is not signed')],
    ])
    expect(await served('.claude/skills')).toEqual([
      ['good', expect.stringMatching(/^two files for `skill:good/)],
    ])
    expect(await served('.ai/skills/good/assets')).toEqual([
      ['template', 'it is not listed: the project has it as a part of something else'],
    ])
  })

  it('says that a skill loads where it could be signed, and nowhere else', async () => {
    const list = '---\nname: list\ndescription: [a, b]\n---\n# List\n\nReads lists.\n'
    const made = await scratch({
      '.ai/skills/good/SKILL.md': skill('good'),
      '.ai/skills/good/inner/SKILL.md': skill('inner'),
      '.ai/skills/list/SKILL.md': list,
      '.ai/skills/huge/SKILL.md': skill('huge'),
      'elsewhere/linked/SKILL.md': skill('linked'),
      '.claude/skills/other/SKILL.md': skill('other'),
    })
    made.write('.ai/skills/huge/data.bin', 'x'.repeat(8_000_001))
    symlinkSync(made.path('elsewhere/linked'), made.path('.claude/skills/linked'))
    type Judged = { name: string; loads: { ok: boolean; reasons: string[] } }
    const judge = async (directory: string): Promise<Judged[]> =>
      (await made.run('skills validate', { directory: made.path(directory) })).skills
    for (const { name, loads } of await judge('.ai/skills')) {
      const signed = await made.run('sign', { item_id: `skill:${name}` })
      expect([name, loads.ok, loads.reasons]).toEqual([name, signed.status === 'signed', loads.reasons])
    }
    const [huge] = (await judge('.ai/skills')).filter(({ name }) => name === 'huge')
    expect(huge!.loads.reasons[0]).toContain('cannot be part of a skill')
    expect((await judge('.claude/skills/linked'))[0]!.loads.reasons[0]).toContain('is a symbolic link')
    expect((await judge('.ai/skills/good/inner'))[0]!.loads.ok).toBe(false)
    expect((await judge('elsewhere'))[0]!.loads.ok).toBe(true)
  })

  it.each([
    ['nothing', 'skills/.gitkeep'],
    ['folders that are no skills', 'skills/notes/a.txt'],
  ])('finds no skill in a directory of %s, as a scan does', async (_, path) => {
    const made = await scratch({ [path]: '' })
    const directory = made.path('skills')
    expect(await made.run('skills validate', { directory })).toMatchObject({
      valid: true,
      summary: { skills: 0 },
    })
    expect(await made.run('skills scan', { directory })).toMatchObject({ skills: [] })
  })

  it('takes a directory with scripts alone for a skill that lacks its SKILL.md', async () => {
    const made = await scratch({ 'skills/scripts/a.py': '' })
    const answer = await made.run('skills validate', { directory: made.path('skills') })
    expect(answer).toMatchObject({ valid: false, skills: [{ errors: [{ code: 'skill-md' }] }] })
  })

  it('judges folders whose SKILL.md cannot be read as skills that do not load', async () => {
    const made = await scratch({
      'skills/good/SKILL.md': skill('good'),
      'skills/good/inner/SKILL.md/x.txt': '',
      'skills/empty/SKILL.md': '',
      'skills/zeros/SKILL.md': '\0\0\0',
      'skills/huge/SKILL.md': 'x'.repeat(8_000_001),
      'skills/folder/skill.md/x.txt': '',
    })
    for (const [name, to] of [
      ['broken', 'nowhere'],
      ['linked', '../good/SKILL.md'],
    ] as const) {
      mkdirSync(made.path(`skills/${name}`))
      symlinkSync(to, made.path(`skills/${name}/SKILL.md`))
    }
    const answer = await made.run('skills validate', { directory: made.path('skills') })
    expect(answer.valid).toBe(false)
    expect(answer.summary).toEqual({ skills: 7, load: 1, conform: 1, served: 1 })
    type Judged = { path: string; loads: { reasons: string[] }; errors: { path: string }[] }
    const reasons = answer.skills.map((one: Judged) => [one.path, one.loads.reasons.join()])
    expect(reasons).toEqual([
      ['broken', 'no readable file `SKILL.md` in the folder: symbolic links are not followed'],
      ['empty', expect.stringContaining('expected a `description`')],
      ['folder', expect.stringContaining('got a folder of this name')],
      ['good', ''],
      ['huge', expect.stringContaining('at most 8000000 bytes, got 8000001')],
      ['linked', expect.stringContaining('symbolic links are not followed')],
      ['zeros', expect.stringMatching(/./)],
    ])
    expect(answer.diagnostics).toEqual([])
    const one = await made.run('skills validate', { directory: made.path('skills/broken') })
    expect(one).toMatchObject({ valid: false, skills: [{ name: 'broken', path: '.', loads: { ok: false } }] })
  })

  it('says of a list for a description what a scan and a signature say, once', async () => {
    const made = await scratch({
      '.ai/skills/list/SKILL.md': '---\nname: list\ndescription: [a, b]\n---\n# List\n\nReads lists.\n',
    })
    const said = '`description`: expected text, got a list; it is left out'
    const scanned = await made.run('skills scan', { directory: made.path('.ai/skills') })
    expect(scanned.diagnostics.map((one: { message: string }) => one.message)).toEqual([said])
    expect(scanned.skills[0].metadata.description).toBe('Reads lists.')
    const { warnings } = await made.run('sign', { item_id: 'skill:list' })
    expect(warnings).toEqual([`SKILL.md: line 3, column 1: ${said}`])
    const executed = await made.run('execute', { item_id: 'skill:list' })
    expect(executed.metadata.description).toBe('Reads lists.')
  })

  it('judges a directory without SKILL.md as a skill that lacks it', async () => {
    const made = await scratch({ 'skills/readme.txt': 'x' })
    const answer = await made.run('skills validate', { directory: made.path('skills') })
    expect(answer).toMatchObject({
      valid: false,
      skills: [{ name: 'skills', errors: [{ code: 'skill-md' }] }],
    })
  })
})

describe('knowledge scan', () => {
  it('answers with entries and diagnostics', async () => {
    const made = await scratch({ 'notes/a.md': '# A\n', 'notes/b/c.md': '---\ncategory: poem\n---\n' })
    const answer = await made.run('knowledge scan', { directory: made.path('notes') })
    expect(answer.entries.map((one: { file_path: string }) => one.file_path)).toEqual(['a.md', 'b/c.md'])
    expect(answer.diagnostics).toMatchObject([{ path: 'b/c.md', code: 'category-unknown', line: 2 }])
  })
})

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

  it('replaces an older copy that nobody edited, and takes away files that are gone', async () => {
    const made = await withSkill()
    made.write('.ai/skills/pdf/extra.md', 'x')
    await made.sign('pdf', { item_type: 'skill' })
    await made.run('skills install', { item_id: 'pdf', to: 'agents' })
    const { unlinkSync } = await import('node:fs')
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
