import { chmodSync } from 'node:fs'
import { expect, it } from 'vitest'
import { folderProblem } from '../../../src/actions/skills/client-folders.ts'
import { scratch, skill } from '../../workspace/scratch.ts'

it('says which folder of a client may not be read', async () => {
  const made = await scratch({
    '.claude/skills/own/SKILL.md': skill('own'),
    '.goose/skills/own/SKILL.md': skill('own'),
    '.pi/skills/own/SKILL.md': skill('own'),
    '.roo/skills/own/SKILL.md': skill('own'),
  })
  const named = made.path('.roo/skills')
  const closed = ['.claude/skills/own', '.goose/skills', '.pi'].map(made.path)
  chmodSync(made.root, 0o755)
  chmodSync(named, 0o444)
  for (const path of closed) chmodSync(path, 0o000)
  const isRoot = process.getuid!() === 0
  // The superuser may read everything, so the check runs as another user.
  if (isRoot) process.seteuid!(65534)
  try {
    const problem = (path: string) => folderProblem(made.path(path), made.project)
    expect(problem('.claude/skills')).toBeUndefined()
    expect(problem('.bob/skills')).toBeUndefined()
    for (const path of ['.claude/skills/own', '.goose/skills', '.pi/skills', '.roo/skills'])
      expect(problem(path)).toMatchObject({
        code: 'FILE_UNREADABLE',
        message: `cannot read \`${made.path(path)}\`: EACCES`,
        hint: 'check its permissions',
      })
  } finally {
    if (isRoot) process.seteuid!(0)
    for (const path of [...closed, named]) chmodSync(path, 0o755)
  }
})
