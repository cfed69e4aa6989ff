import { mkdirSync, symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type SkillsValidateAnswer, skillsValidate } from '../../../src/actions/skills/validate.ts'
import { LIBRARY } from '../../skills/library.ts'
import { scratch, skill } from '../../workspace/scratch.ts'

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

  it('names the folder to whoever names the SKILL.md', async () => {
    const made = await scratch({ 'skills/good/SKILL.md': skill('good'), 'skills/good/notes.md': 'x' })
    const run = (path: string) => made.run('skills scan', { directory: made.path(`skills/good/${path}`) })
    expect((await run('SKILL.md')).hint).toBe(
      `a skill is named by its folder: \`${made.path('skills/good')}\``,
    )
    expect(await run('notes.md')).not.toHaveProperty('hint')
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

  it('says the same of one that is too large in all, wherever it lies, and what to do', async () => {
    const made = await scratch({
      '.ai/skills/fat/SKILL.md': skill('fat'),
      'other/fat/SKILL.md': skill('fat'),
    })
    for (const folder of ['.ai/skills/fat', 'other/fat'])
      for (const part of ['a', 'b', 'c']) made.write(`${folder}/${part}.bin`, 'x'.repeat(6_000_000))
    const signed = await made.run('sign', { item_id: 'skill:fat' })
    expect(signed).toMatchObject({
      code: 'FILE_TOO_LARGE',
      hint: expect.stringMatching(/^move large files out of the folder of the skill/),
    })
    for (const directory of ['.ai/skills', 'other']) {
      const { skills } = await made.run('skills validate', { directory: made.path(directory) })
      expect(skills[0].loads, directory).toEqual({
        ok: false,
        reasons: [expect.stringContaining('expected at most 16777216 bytes')],
      })
    }
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
      ['folder', expect.stringContaining('got a folder with this name')],
      ['good', ''],
      ['huge', expect.stringContaining('at most 8000000 bytes, got 8000001')],
      ['linked', expect.stringContaining('symbolic links are not followed')],
      ['zeros', expect.stringMatching(/./)],
    ])
    expect(answer.diagnostics).toEqual([])
    // Two in one folder are one skill; what is spelled as it should be says why.
    symlinkSync('nowhere', made.path('skills/broken/Skill.md'))
    const twice = await made.run('skills validate', { directory: made.path('skills') })
    expect(twice.summary).toEqual(answer.summary)
    expect(twice.skills[0].errors).toMatchObject([{ path: 'broken/SKILL.md' }])
    expect(twice.diagnostics).toMatchObject([{ path: 'broken/Skill.md', code: 'symbolic-link' }])
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

  it('ends with 1 where it could not look everywhere', async () => {
    const made = await scratch({
      'skills/pdf/SKILL.md': skill('pdf'),
      [`deep/${'a/'.repeat(40)}SKILL.md`]: skill('pdf'),
    })
    const status = async (path: string) => {
      const answer = await made.run('skills validate', { directory: made.path(path) })
      expect(answer).toMatchObject({ valid: true })
      return skillsValidate.exitStatus!(answer as unknown as SkillsValidateAnswer)
    }
    expect(await status('skills')).toBe(0)
    expect(await status('deep')).toBe(1)
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
