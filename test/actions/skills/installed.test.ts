import { existsSync, lstatSync, readlinkSync, symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { placeKey, type Scratch, scratch, skill, TEST_KEY } from '../../workspace/scratch.ts'

async function withCopies(): Promise<Scratch> {
  const made = await scratch({
    '.ai/skills/pdf/SKILL.md': skill('pdf'),
    '.ai/skills/pdf/scripts/read.py': 'print(1)\n',
    '.claude/skills/own/SKILL.md': skill('own'),
    '.claude/skills/empty/notes.txt': 'no skill\n',
  })
  await made.sign('pdf', { item_type: 'skill' })
  await made.run('skills install', { item_id: 'pdf', to: 'claude' })
  await made.run('skills install', { item_id: 'pdf', to: 'codex' })
  return made
}

it('lists skills of the library and of clients, and whether they are what was installed', async () => {
  const made = await withCopies()
  made.write('.agents/skills/pdf/SKILL.md', `${skill('pdf')}edited\n`)
  const { skills } = await made.run('skills list')
  const listed = skills.filter(({ space }: { space: string }) => space === 'project')
  expect(listed).toEqual([
    { name: 'pdf', state: 'library', space: 'project', clients: [], path: made.path('.ai/skills/pdf') },
    {
      name: 'pdf',
      state: 'other',
      remark: 'edited',
      space: 'project',
      clients: expect.arrayContaining(['agents', 'codex', 'cursor', 'gemini-cli', 'universal', 'amp']),
      path: made.path('.agents/skills/pdf'),
    },
    {
      name: 'own',
      state: 'other',
      space: 'project',
      clients: ['claude-code'],
      path: made.path('.claude/skills/own'),
    },
    {
      name: 'pdf',
      state: 'installed',
      space: 'project',
      clients: ['claude-code'],
      path: made.path('.claude/skills/pdf'),
    },
  ])
})

it('lists also what holds more than files, as a client finds it', async () => {
  const made = await withCopies()
  symlinkSync('/etc', made.path('.claude/skills/own/etc'))
  symlinkSync('/etc', made.path('.claude/skills/pdf/etc'))
  symlinkSync('/etc', made.path('.claude/skills/empty/etc'))
  const { skills } = await made.run('skills list')
  const listed = skills.filter(({ path }: { path: string }) => path.startsWith(made.path('.claude/')))
  expect(listed).toMatchObject([
    { name: 'own', state: 'other' },
    { name: 'pdf', state: 'other', remark: 'edited' },
  ])
})

it('removes a copy as it was installed; one that was edited only on request; never the skill itself', async () => {
  const made = await withCopies()
  expect(await made.run('skills remove', { item_id: 'pdf', from: 'claude' })).toMatchObject({
    status: 'removed',
    path: made.path('.claude/skills/pdf'),
    files: 3,
  })
  expect(existsSync(made.path('.claude/skills/pdf'))).toBe(false)
  expect(await made.run('skills remove', { item_id: 'pdf', from: 'claude' })).toMatchObject({
    code: 'ITEM_NOT_FOUND',
  })
  expect(await made.run('skills remove', { item_id: 'own', from: 'claude' })).toMatchObject({
    code: 'POLICY_DENIED',
  })
  expect(existsSync(made.path('.claude/skills/own/SKILL.md'))).toBe(true)
  made.write('.agents/skills/pdf/more.txt', 'more\n')
  expect(await made.run('skills remove', { item_id: 'pdf', from: 'codex' })).toMatchObject({
    code: 'POLICY_DENIED',
  })
  expect(await made.run('skills remove', { item_id: 'pdf', from: 'codex', edited: true })).toMatchObject({
    files: 4,
  })
  expect(existsSync(made.path('.ai/skills/pdf/SKILL.md'))).toBe(true)
  expect(await made.run('skills remove', { item_id: '..', from: 'claude' })).toMatchObject({
    code: 'INVALID_ID',
  })
})

it('links to a skill instead of copying it, in one tree, and a copy may become a link', async () => {
  const made = await withCopies()
  const asked = { item_id: 'pdf', to: 'claude', link: true }
  expect(await made.run('skills install', asked)).toMatchObject({ status: 'updated', linked: true })
  expect(readlinkSync(made.path('.claude/skills/pdf'))).toBe('../../.ai/skills/pdf')
  expect(await made.run('skills install', asked)).toMatchObject({ status: 'unchanged', linked: true })
  const { skills } = await made.run('skills list')
  expect(skills.find(({ path }: { path: string }) => path === made.path('.claude/skills/pdf'))).toMatchObject(
    {
      state: 'linked',
    },
  )
  expect(await made.run('skills remove', { item_id: 'pdf', from: 'claude' })).toMatchObject({
    status: 'removed',
    files: 0,
    linked: true,
  })
  expect(made.read('.ai/skills/pdf/SKILL.md')).toBe(skill('pdf'))
})

it('never takes the skill itself for its copy, nor links out of the tree, nor over what somebody else put there', async () => {
  const made = await withCopies()
  await made.sign('own', { item_type: 'skill' })
  const own = { item_id: 'own', to: 'claude', link: true, overwrite: true }
  expect(await made.run('skills install', own)).toMatchObject({ status: 'unchanged' })
  expect(made.read('.claude/skills/own/SKILL.md')).toBe(skill('own'))

  made.write('user:.ai/skills/away/SKILL.md', skill('away'))
  await made.sign('away', { item_type: 'skill', source: 'user' })
  symlinkSync('/nowhere', made.path('.claude/skills/away'))
  const away = { item_id: 'away', to: 'claude', overwrite: true }
  expect(await made.run('skills install', { ...away, link: true })).toMatchObject({
    code: 'INVALID_INPUT',
    hint: expect.stringContaining('without --link'),
  })
  expect(readlinkSync(made.path('.claude/skills/away'))).toBe('/nowhere')
  expect(await made.run('skills install', { ...away, overwrite: false })).toMatchObject({
    code: 'ITEM_EXISTS',
  })
  expect(await made.run('skills install', away)).toMatchObject({ status: 'updated' })
  expect(lstatSync(made.path('.claude/skills/away')).isDirectory()).toBe(true)
})

it('does not count links between folders of clients as skipped, as installers make them', async () => {
  const made = await withCopies()
  symlinkSync('../../.agents/skills/pdf', made.path('.claude/skills/twin'))
  symlinkSync('/etc', made.path('.claude/skills/etc'))
  const { diagnostics } = await made.run('index')
  const links = diagnostics.filter(({ message }: { message: string }) => message.includes('symbolic'))
  expect(links).toMatchObject([{ path: expect.stringContaining('.claude/skills/etc') }])
})

it('makes a copy of a link, and a link of a copy, as asked for, and says so', async () => {
  const made = await withCopies()
  const asked = { item_id: 'pdf', to: 'claude' }
  const linked = await made.run('skills install', { ...asked, link: true })
  expect(linked).toMatchObject({ status: 'updated', linked: true, replaced: 'copy' })
  const copied = await made.run('skills install', asked)
  expect(copied).toMatchObject({ status: 'updated', replaced: 'link', files: 3 })
  expect(copied.linked).toBeUndefined()
  expect(lstatSync(made.path('.claude/skills/pdf')).isDirectory()).toBe(true)
  expect(made.read('.ai/skills/pdf/SKILL.md')).toBe(skill('pdf'))
  expect(await made.run('skills install', asked)).toEqual({
    ...{ status: 'unchanged', item_id: 'pdf', to: 'claude', path: made.path('.claude/skills/pdf'), files: 3 },
  })
})

it('takes a pattern of many stars in no time', async () => {
  const name = 'a'.repeat(60)
  const made = await scratch({ [`.ai/skills/${name}/SKILL.md`]: skill(name) })
  const asked = { item_id: `${'*a'.repeat(40)}*b`, to: 'claude' }
  expect(await made.run('skills install', asked)).toMatchObject({ code: 'ITEM_NOT_FOUND' })
})

describe('skills remove', () => {
  it('names clients that read the same folder, and not a second name of the client', async () => {
    const made = await withCopies()
    const codex = await made.run('skills remove', { item_id: 'pdf', from: 'codex' })
    expect(codex.shared_with).toEqual(expect.arrayContaining(['cursor', 'gemini-cli', 'universal']))
    expect(codex.shared_with).not.toContain('codex')
    const claude = await made.run('skills remove', { item_id: 'skill:pdf', from: 'claude' })
    expect(claude).toEqual({
      ...{ status: 'removed', item_id: 'skill:pdf', from: 'claude', files: 3 },
      path: made.path('.claude/skills/pdf'),
    })
  })

  it('takes several: the others go on when one cannot be removed', async () => {
    const made = await withCopies()
    const answer = await made.run('skills remove', { item_id: 'pdf own, .. nope', from: 'claude' })
    expect(answer).toMatchObject({
      status: 'removed',
      files: 3,
      skills: [{ item_id: 'pdf', path: made.path('.claude/skills/pdf'), files: 3 }],
      failed: [
        { item_id: '..', code: 'INVALID_ID' },
        { item_id: 'own', code: 'POLICY_DENIED', hint: expect.stringContaining('--edited') },
        { item_id: 'nope', code: 'ITEM_NOT_FOUND' },
      ],
    })
    expect(existsSync(made.path('.claude/skills/own/SKILL.md'))).toBe(true)
  })

  it('takes a pattern for what it installed, and leaves everything else, even with --edited', async () => {
    const made = await withCopies()
    made.write('.ai/skills/docx/SKILL.md', skill('docx'))
    await made.sign('docx', { item_type: 'skill' })
    await made.run('skills install', { item_id: 'docx', to: 'claude', link: true })
    symlinkSync('/etc', made.path('.claude/skills/etc'))
    made.write('.claude/skills/pdf/SKILL.md', `${skill('pdf')}edited\n`)
    const remove = (input: object = {}) =>
      made.run('skills remove', { item_id: '*', from: 'claude', ...input })
    expect(await remove()).toMatchObject({
      skills: [{ item_id: 'docx', files: 0, linked: true }],
      failed: [{ item_id: 'pdf', code: 'POLICY_DENIED' }],
      kept: ['etc', 'own'],
    })
    const edited = await remove({ edited: true })
    expect(edited).toMatchObject({ skills: [{ item_id: 'pdf' }], kept: ['etc', 'own'] })
    expect(edited.failed).toBeUndefined()
    expect(await remove({ edited: true })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
      hint: expect.stringContaining('`own`'),
    })
    expect(existsSync(made.path('.claude/skills/own/SKILL.md'))).toBe(true)
    expect(readlinkSync(made.path('.claude/skills/etc'))).toBe('/etc')
    expect(made.read('.ai/skills/docx/SKILL.md')).toBe(skill('docx'))
  })

  it('removes a link that it did not make only on request, and never what the link leads to', async () => {
    const made = await withCopies()
    made.write('skills/mine/SKILL.md', skill('mine'))
    const links = [
      ['mine', '../../skills/mine'],
      ['gone', '/nowhere/.ai/skills/gone'],
      ['far', '../../../other/.ai/skills/far'],
    ] as const
    for (const [name, to] of links) symlinkSync(to, made.path(`.claude/skills/${name}`))
    const remove = (item_id: string, input: object = {}) =>
      made.run('skills remove', { item_id, from: 'claude', ...input })
    for (const [name, to] of links) {
      expect(await remove(name)).toMatchObject({
        code: 'POLICY_DENIED',
        error: expect.stringContaining('is a link to'),
        hint: expect.stringContaining('--edited'),
      })
      expect(readlinkSync(made.path(`.claude/skills/${name}`))).toBe(to)
      expect(await remove(name, { edited: true })).toMatchObject({ status: 'removed', linked: true })
    }
    expect(made.read('skills/mine/SKILL.md')).toBe(skill('mine'))
    symlinkSync('../../.agents/skills/pdf', made.path('.claude/skills/twin'))
    expect(await remove('twin')).toMatchObject({ status: 'removed', linked: true })
  })

  it("removes its own link to a skill of the user's space, wherever that lies below the home", async () => {
    const environment = { USER_SPACE: '~/space' }
    const made = await scratch({ 'user:space/.ai/skills/own/SKILL.md': skill('own') }, { environment })
    const inSpace = (path: string) => path.replace('user:', 'user:space/')
    const write: Scratch['write'] = (path, text) => made.write(inSpace(path), text)
    placeKey({ ...made, write, path: path => made.path(inSpace(path)) }, TEST_KEY)
    await made.sign('own', { item_type: 'skill', source: 'user' })
    const asked = { item_id: 'own', to: 'claude', user: true, link: true }
    const link = made.path('user:.claude/skills/own')
    for (const name of ['own', '*']) {
      expect(await made.run('skills install', asked)).toMatchObject({ status: 'installed', linked: true })
      expect(readlinkSync(link)).toBe('../../space/.ai/skills/own')
      await made.run('skills remove', { item_id: name, from: 'claude', user: true })
      expect(lstatSync(link, { throwIfNoEntry: false })).toBeUndefined()
    }
    expect(made.read('user:space/.ai/skills/own/SKILL.md')).toBe(skill('own'))
  })

  it('removes and lists a skill whose main file has another case', async () => {
    const made = await scratch({ '.ai/skills/odd/Skill.md': skill('odd') })
    await made.sign('odd', { item_type: 'skill' })
    expect(await made.run('skills install', { item_id: 'odd', to: 'goose' })).toMatchObject({ files: 2 })
    const { skills } = await made.run('skills list')
    const installed = { name: 'odd', state: 'installed', clients: ['goose'] }
    expect(skills).toContainEqual(expect.objectContaining(installed))
    expect(await made.run('skills remove', { item_id: '*', from: 'goose' })).toMatchObject({
      skills: [{ item_id: 'odd', files: 2 }],
    })
    expect(existsSync(made.path('.goose/skills/odd'))).toBe(false)
  })

  it('forgets what it removed: somebody else may put a skill there', async () => {
    const made = await withCopies()
    await made.run('skills remove', { item_id: 'pdf', from: 'claude' })
    made.write('.claude/skills/pdf/SKILL.md', skill('pdf', 'Mine'))
    expect(await made.run('skills remove', { item_id: 'p*', from: 'claude', edited: true })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
    })
  })

  it('says what is near, or where it is', async () => {
    const made = await withCopies()
    expect(await made.run('skills remove', { item_id: 'pdff', from: 'codex' })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
      hint: 'did you mean `pdf`?',
    })
    expect(await made.run('skills remove', { item_id: 'own', from: 'goose' })).toMatchObject({
      hint: expect.stringContaining('--from claude-code'),
    })
    made.write('.agents/skills/a\u001b[2J\u202e/SKILL.md', skill('a'))
    const odd = await made.run('skills remove', { item_id: 'a2J', from: 'codex' })
    expect(odd.hint).not.toMatch(/[\u001b\u202e]/)
  })

  it('removes the copy of the skill that was named, and no other of its name', async () => {
    const made = await scratch({ '.ai/skills/a/pdf/SKILL.md': skill('pdf') })
    await made.sign('a/pdf', { item_type: 'skill' })
    await made.run('skills install', { item_id: 'a/pdf', to: 'claude' })
    const remove = (item_id: string) => made.run('skills remove', { item_id, from: 'claude' })
    expect(await remove('b/pdf')).toMatchObject({
      code: 'ITEM_NOT_FOUND',
      hint: expect.stringContaining('`a/pdf`'),
    })
    expect(await remove('a/*')).toMatchObject({ skills: [{ item_id: 'a/pdf', files: 1 }] })
  })
})
