// What is suggested in place of a missing item.
import { expect, it } from 'vitest'
import type { FindRequest, Workspace } from '../../src/workspace/index.ts'
import { scratch } from './scratch.ts'

const skill = (name: string) => `---\nname: ${name}\ndescription: One. Use it in tests.\n---\n\nText.\n`
const tool = '# __version__ = "1.0.0"\necho\n'

const hint = (workspace: Workspace, request: FindRequest) => {
  try {
    return workspace.find(request)
  } catch (thrown) {
    return (thrown as { hint: unknown }).hint
  }
}

it('items to suggest are listed once in a call, in each folder that is asked for', async () => {
  const made = await scratch({ '.ai/skills/pdf/SKILL.md': skill('pdf'), '.ai/tools/ops/deploy.sh': tool })
  const open = () => made.library.open(made.project)
  const first = await open()
  expect(hint(first, { type: 'skill', id: 'pdfs' })).toBe('did you mean `pdf`?')
  expect(hint(first, { type: 'tool', id: 'ops/deplox' })).toBe('did you mean `ops/deploy`?')
  made.write('.ai/skills/pdfst/SKILL.md', skill('pdfst'))
  made.write('.ai/tools/ops/deplow.sh', tool)
  expect(hint(first, { type: 'skill', id: 'pdfsx' })).toBe('did you mean `pdf`?')
  expect(hint(await open(), { type: 'skill', id: 'pdfsx' })).toBe('did you mean `pdfst`?')
  expect(hint(await open(), { type: 'tool', id: 'ops/deplowx' })).toBe('did you mean `ops/deplow`?')
})

it('an item of this id is named, of whatever type and space', async () => {
  const made = await scratch({
    '.ai/skills/pdf/SKILL.md': skill('pdf'),
    'user:.ai/tools/deploy.sh': tool,
  })
  const workspace = await made.library.open(made.project)
  expect(hint(workspace, { type: 'tool', id: 'pdf' })).toBe('there is `skill:pdf@project`')
  expect(hint(workspace, { type: 'skill', id: 'pdf', space: 'user' })).toBe('there is `skill:pdf@project`')
  expect(hint(workspace, { type: 'skill', id: 'deploy' })).toBe('there is `tool:deploy@user`')
})

it('an item of the same name in a folder comes before an id that differs in few letters', async () => {
  const made = await scratch({
    '.ai/skills/ns/one/dup/SKILL.md': skill('dup'),
    '.ai/skills/up/SKILL.md': skill('up'),
    '.ai/tools/near/deploy.sh': tool,
    '.ai/tools/ops/file-system/deploy.sh': tool,
  })
  const workspace = await made.library.open(made.project)
  expect(hint(workspace, { type: 'skill', id: 'dup' })).toBe('did you mean `ns/one/dup`?')
  expect(hint(workspace, { type: 'skill', id: 'upp' })).toBe('did you mean `up`?')
  expect(hint(workspace, { type: 'tool', id: 'ops/file-sytem/deploy' })).toBe(
    'did you mean `ops/file-system/deploy`?',
  )
})
