// Skills with the same last name would share one folder in a client.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stateFolder } from '../../fixtures/kept-places.ts'
import { type Scratch, scratch, skill } from '../../workspace/scratch.ts'

describe('skills of one last name', () => {
  async function twins(ids: readonly string[]): Promise<Scratch> {
    const files = ids.map(id => [`.ai/skills/${id}/SKILL.md`, skill(id.replace(/.*\//, ''), `About ${id}`)])
    const made = await scratch(Object.fromEntries(files))
    for (const id of ids) await made.sign(id, { item_type: 'skill' })
    return made
  }

  it.each([['*'], ['a/pdf b/pdf lone'], ['skill:a/pdf,*']])(
    'are refused together, and the rest is installed: %s',
    async asked => {
      const made = await twins(['a/pdf', 'b/pdf', 'lone'])
      const refusal = (id: string, other: string) => ({
        item_id: id,
        code: 'ITEM_AMBIGUOUS',
        error: `\`skill:${id}\` would be \`${made.path('.agents/skills/pdf')}\`, as would \`skill:${other}\``,
        hint: expect.stringContaining('rye mv'),
      })
      for (const overwrite of [false, true]) {
        const answer = await made.run('skills install', { item_id: asked, to: 'codex', overwrite })
        expect(answer).toMatchObject({
          skills: [{ item_id: 'lone', status: overwrite ? 'unchanged' : 'installed' }],
          failed: [refusal('a/pdf', 'b/pdf'), refusal('b/pdf', 'a/pdf')],
        })
      }
      expect(readdirSync(made.path('.agents/skills'))).toEqual(['lone'])
    },
  )

  it('leave the folder to the one that was installed there before', async () => {
    const made = await twins(['a/pdf', 'b/pdf'])
    await made.run('skills install', { item_id: 'b/pdf', to: 'codex' })
    made.write('.ai/skills/b/pdf/SKILL.md', skill('pdf', 'changed'))
    await made.sign('b/pdf', { item_type: 'skill' })
    expect(await made.run('skills install', { item_id: '*', to: 'codex' })).toMatchObject({
      skills: [{ item_id: 'b/pdf', status: 'updated' }],
      failed: [{ item_id: 'a/pdf', code: 'ITEM_AMBIGUOUS' }],
    })
  })

  it('are refused one after the other, also with the same text, unless one is to replace the other', async () => {
    const made = await twins(['a/pdf', 'b/pdf', 'pdf'])
    made.write('.ai/skills/b/pdf/SKILL.md', made.read('.ai/skills/a/pdf/SKILL.md'))
    await made.sign('b/pdf', { item_type: 'skill' })
    const install = (item_id: string, input: object = {}) =>
      made.run('skills install', { item_id, to: 'claude', ...input })
    expect(await install('a/pdf')).toMatchObject({ status: 'installed' })
    for (const id of ['b/pdf', 'pdf']) {
      expect(await install(id)).toMatchObject({
        code: 'ITEM_EXISTS',
        error: expect.stringMatching(new RegExp(`copy of \`skill:a/pdf\`, and \`skill:${id}\``)),
        hint: expect.stringContaining('--overwrite'),
      })
      expect(await install(id, { link: true })).toMatchObject({ code: 'ITEM_EXISTS' })
    }
    expect(made.read('.claude/skills/pdf/SKILL.md')).toBe(made.read('.ai/skills/a/pdf/SKILL.md'))
    expect(await install('a/pdf')).toMatchObject({ status: 'unchanged' })
    expect(await install('pdf', { overwrite: true })).toMatchObject({ status: 'updated' })
    expect(await install('a/pdf')).toMatchObject({ code: 'ITEM_EXISTS' })
    // The folder is free again when nothing is in it.
    rmSync(made.path('.claude/skills/pdf'), { recursive: true })
    expect(await install('a/pdf')).toMatchObject({ status: 'installed' })
  })

  it('are so where case does not count; one that is not signed takes no name', async () => {
    const made = await twins(['a/PDF', 'b/pdf'])
    expect(await made.run('skills install', { item_id: '*', to: 'codex' })).toMatchObject({
      skills: [],
      failed: [{ code: 'ITEM_AMBIGUOUS' }, { code: 'ITEM_AMBIGUOUS' }],
    })
    made.write('.ai/skills/a/PDF/SKILL.md', skill('PDF', 'changed'))
    expect(await made.run('skills install', { item_id: '*', to: 'codex' })).toMatchObject({
      skills: [{ item_id: 'b/pdf', status: 'installed' }],
      failed: [{ item_id: 'a/PDF', code: 'ITEM_TAMPERED' }],
    })
  })

  it('are asked about where an earlier note names none, unless the signature does', async () => {
    const made = await twins(['a/pdf', 'docx'])
    const install = (item_id: string) => made.run('skills install', { item_id, to: 'claude' })
    for (const id of ['a/pdf', 'docx']) await install(id)
    const note = join(stateFolder(made.user, made.project), 'installed-skills.json')
    const notes: Record<string, { digest: string }> = JSON.parse(readFileSync(note, 'utf8'))
    const earlier = Object.entries(notes).map(([path, { digest }]) => [path, digest])
    writeFileSync(note, JSON.stringify({ ...Object.fromEntries(earlier), odd: { item_id: '../x' } }))
    expect(await made.run('skills list')).toMatchObject({
      skills: expect.arrayContaining([expect.objectContaining({ name: 'pdf', state: 'installed' })]),
    })
    for (const id of ['a/pdf', 'docx']) {
      made.write(`.ai/skills/${id}/SKILL.md`, skill(id.replace('a/', ''), 'new'))
      await made.sign(id, { item_type: 'skill' })
    }
    expect(await install('a/pdf')).toMatchObject({ code: 'ITEM_EXISTS' })
    expect(await install('docx')).toMatchObject({ status: 'updated' })
  })
})
