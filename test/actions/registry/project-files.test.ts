import { expect, it } from 'vitest'
import { projectFiles } from '../../../src/actions/registry/project-files.ts'
import { systemExtractors } from '../../extract/system-extractors.ts'
import { scratch } from '../../workspace/scratch.ts'

const extractors = await systemExtractors()

it.each([
  ['skills/tea/SKILL.md', []],
  ['skills/tea/green/SKILL.md', ['skills/tea/SKILL.md']],
  ['skills/tea/skill.md', ['skills/tea/SKILL.md']],
  ['skills/drinks/SKILL.md', ['skills/drinks/hot/SKILL.md']],
  ['skills/drinks/cold/SKILL.md', []],
  ['skills/te/SKILL.md', []],
])('%s has as rivals %j', async (path, expected) => {
  const made = await scratch({
    '.ai/skills/tea/SKILL.md': '---\nname: tea\ndescription: x\n---\n',
    '.ai/skills/tea/notes/SKILL.md': 'a part of it',
    '.ai/skills/drinks/hot/SKILL.md': '---\nname: hot\ndescription: x\n---\n',
  })
  expect(projectFiles({ projectPath: made.project, extractors }).skillRivals(path)).toEqual(expected)
})
