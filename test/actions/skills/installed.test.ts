import { existsSync } from 'node:fs'
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
