import { existsSync, lstatSync, readlinkSync, symlinkSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type Scratch, scratch, skill } from '../../workspace/scratch.ts'

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
      name: 'own',
      state: 'other',
      space: 'project',
      clients: ['claude', 'claude-code'],
      path: made.path('.claude/skills/own'),
    },
    {
      name: 'pdf',
      state: 'installed',
      space: 'project',
      clients: ['claude', 'claude-code'],
      path: made.path('.claude/skills/pdf'),
    },
    {
      name: 'pdf',
      state: 'other',
      space: 'project',
      clients: expect.arrayContaining(['agents', 'codex', 'cursor', 'gemini', 'opencode', 'amp']),
      path: made.path('.agents/skills/pdf'),
    },
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
  const again = await made.run('skills install', { item_id: 'pdf', to: 'claude' })
  expect(again).toMatchObject({ status: 'unchanged', linked: true })
  const { skills } = await made.run('skills list')
  expect(skills.find(({ path }: { path: string }) => path === made.path('.claude/skills/pdf'))).toMatchObject(
    {
      state: 'linked',
    },
  )
  expect(await made.run('skills remove', { item_id: 'pdf', from: 'claude' })).toMatchObject({
    status: 'removed',
    files: 0,
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
