// An item with the id of one in a lower space: the reviewer is told before it is used in place of that one.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { type Scratch, scratch, skill, tool } from '../../workspace/scratch.ts'

const TOLD = /^! would be used in place of/

async function project(): Promise<{ made: Scratch; source: string }> {
  const made = await scratch()
  const source = join(made.root, 'vendor')
  write(join(source, 'mine/SKILL.md'), skill('mine'))
  write(join(source, 'other/SKILL.md'), skill('other'))
  write(join(source, '.ai/tools/deploy.py'), tool('deploy'))
  return { made, source }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

async function told(made: Scratch, source: string, to = 'project') {
  const { items } = await made.run('add', { source, to, dry_run: true })
  return items.flatMap(({ item, seen }: { item: string; seen: string[] }) =>
    seen.filter(line => TOLD.test(line)).map(line => [item, line]),
  )
}

it('is told with the space, of that item alone', async () => {
  const { made, source } = await project()
  expect(await told(made, source)).toEqual([])
  write(join(made.user, '.ai/skills/mine/SKILL.md'), skill('mine'))
  const line = '! would be used in place of the one in the user space'
  expect(await told(made, source)).toEqual([['skill:mine', line]])
})

it('is not told where the item is there already, or comes below', async () => {
  const { made, source } = await project()
  const { digest } = await made.run('add', { source, dry_run: true })
  await made.run('add', { source, accept: [digest] })
  write(join(made.user, '.ai/skills/mine/SKILL.md'), skill('mine'))
  write(join(source, 'mine/SKILL.md'), `${skill('mine')}More.\n`)
  expect(await told(made, source)).toEqual([])
  expect(await told(made, source, 'user')).toEqual([])
})
