// Accepted items whose copy is gone from this machine: `install` stores it again, and until then `review`
// says what to do.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { replaceCall } from '../../files/system-call.ts'
import { type Scratch, scratch, skill, tool } from '../../workspace/scratch.ts'
import { project, vendor } from './vendor-project.ts'

const ACCEPTED = 'user:.ai/state/accepted'
/** Younger files are read again whatever their times say. */
const SETTLED_MS = 2100

function packsOf(made: Scratch): string[] {
  const folder = made.path(ACCEPTED)
  const names = readdirSync(folder).filter(name => name.endsWith('.pack'))
  return names.map(name => join(folder, name))
}

/** What `review` compares an edit with is what was kept. */
async function reviewOfEdit(made: Scratch) {
  made.write('.ai/skills/pdf/SKILL.md', skill('pdf', 'Mine'))
  return made.run('review', { item_id: 'skill:pdf' })
}

const COMPARED = {
  message: 'changed since it was locked: 1 file',
  change: { files: [{ path: 'SKILL.md', change: 'changed' }] },
}

describe('what is in place', () => {
  it.each<readonly [string, (pack: string) => void]>([
    ['are gone', pack => rmSync(pack)],
    ['have other bytes', pack => writeFileSync(pack, Buffer.alloc(readFileSync(pack).length))],
  ])('is kept again by the next install where the packs %s', async (_, damage) => {
    const { made } = await project()
    for (const pack of packsOf(made)) damage(pack)
    expect(await made.run('review', { item_id: 'skill:pdf' })).toMatchObject({
      message: 'as it was accepted',
    })
    expect(await made.run('install')).toMatchObject({ status: 'unchanged' })
    expect(await reviewOfEdit(made)).toMatchObject(COMPARED)
  })

  it('is kept again also where nothing was written since the last look', async () => {
    const { made } = await project()
    await new Promise(done => setTimeout(done, SETTLED_MS))
    expect(await made.run('install')).toMatchObject({ status: 'unchanged' })
    rmSync(made.path(ACCEPTED), { recursive: true })
    expect(await made.run('install')).toMatchObject({ status: 'unchanged' })
    expect(await reviewOfEdit(made)).toMatchObject(COMPARED)
  })

  it('is as it was locked also where nothing can be kept', async () => {
    const { made } = await project()
    rmSync(made.path(ACCEPTED), { recursive: true })
    made.write(ACCEPTED, 'no folder\n')
    expect(await made.run('install', { frozen: true })).toMatchObject({ status: 'unchanged' })
  })
})

it('what was changed and is not kept can be had back as review says', async () => {
  const { made } = await project()
  rmSync(made.path(ACCEPTED), { recursive: true })
  const { message } = await reviewOfEdit(made)
  expect(message).toContain('once its files are moved away, `rye install` brings it')
  rmSync(made.path('.ai/skills/pdf'), { recursive: true })
  expect(await made.run('install')).toMatchObject({ status: 'installed', written: ['skill:pdf'] })
  expect(await reviewOfEdit(made)).toMatchObject(COMPARED)
})

describe('many items', () => {
  it.each([
    ['install', {}],
    ['update', { dry_run: true }],
  ])(
    'are looked up by %s in lists that are read a few times, however many they are',
    async (action, input) => {
      const made = await scratch()
      const names = Array.from({ length: 40 }, (_, number) => `t${number}`)
      const write = (description: string) =>
        vendor(
          made,
          Object.fromEntries(names.map(name => [`.ai/tools/${name}.py`, tool(name, { description })])),
        )
      const source = write('first')
      const { digest } = await made.run('add', { source, dry_run: true })
      await made.run('add', { source, accept: [digest] })
      if (action === 'install') rmSync(made.path('.ai/tools'), { recursive: true })
      else write('second')
      let opened = 0
      replaceCall('openSync', real => (path: string, ...rest: never[]) => {
        if (/state\/accepted\/.*\.json$/.test(path)) opened += 1
        return (real as (...given: unknown[]) => unknown)(path, ...rest)
      })
      const answer = await made.run(action, input)
      expect(action === 'install' ? answer.written : answer.sources[0].items).toHaveLength(40)
      expect(opened).toBeLessThan(6)
    },
  )
})
