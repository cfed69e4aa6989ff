import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { watchRoots } from '../../src/scan/watch-roots.ts'
import { until } from '../fixtures/patience.ts'
import { createLibrary } from './library.ts'

function watchLibrary(...paths: string[]) {
  const { root, roots } = createLibrary(...paths)
  const watch = watchRoots()
  onTestFinished(() => watch.close())
  const settle = async () => {
    await deliver()
    watch.rearm(roots)
    await deliver()
    expect(watch.isDirty()).toBe(false)
  }
  const write = (path: string) => {
    mkdirSync(dirname(`${root}/${path}`), { recursive: true })
    writeFileSync(`${root}/${path}`, String(Math.random()))
  }
  return { root, watch, settle, write, seen: () => until(() => watch.isDirty()) }
}

/** Events of what was done before are in the queue: the loop delivers them. */
async function deliver(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await nextTurn()
}

const ITEM = 'project/.ai/knowledge/a/one.md'

describe('a watch over the folders of items', () => {
  it('sees files and folders that come, change and go', async () => {
    const { root, settle, write, seen } = watchLibrary(ITEM)
    for (const path of [ITEM, 'project/.ai/knowledge/a/two.md', 'project/.ai/knowledge/b/c/three.md']) {
      await settle()
      write(path)
      await seen()
    }
    await settle()
    rmSync(`${root}/project/.ai/knowledge/b/c/three.md`)
    await seen()
  })

  it('tells which paths were touched, where it knows that nothing else has changed', async () => {
    const { root, watch, settle, write, seen } = watchLibrary(ITEM)
    expect(watch.touched()).toBeUndefined()
    await settle()
    expect(watch.touched()).toEqual([])
    write(ITEM)
    write('project/.ai/knowledge/a/two.md')
    await seen()
    await deliver()
    expect([...(watch.touched() ?? [])].sort()).toEqual([
      `${root}/${ITEM}`,
      `${root}/project/.ai/knowledge/a/two.md`,
    ])
    await settle()
    write('project/.ai/knowledge/b/three.md')
    await seen()
    await deliver()
    expect(watch.touched()).toEqual([`${root}/project/.ai/knowledge/b`])
    await settle()
    rmSync(`${root}/project/.ai/knowledge/b`, { recursive: true })
    await seen()
    await deliver()
    expect(watch.touched()).toBeUndefined()
    await settle()
    for (let name = 0; name < 300; name++) write(`project/.ai/knowledge/a/${name}.md`)
    await seen()
    await deliver()
    expect(watch.touched()).toBeUndefined()
  })

  it('does not look beside the roots', async () => {
    const { watch, settle, write } = watchLibrary(ITEM)
    await settle()
    write('project/readme.md')
    write('project/.ai/state/index.sqlite')
    await settle()
    write('project/.ai/state/index.sqlite')
    await deliver()
    expect(watch.isDirty()).toBe(false)
  })

  it.each([
    'project/.ai/knowledge/a',
    'project/.ai/knowledge',
    'project/.ai',
    'project',
    'user/.ai',
    'user/.claude/skills',
    'user',
  ])('sees that `%s` is replaced, and every later change in it', async folder => {
    const items = [ITEM, 'user/.ai/knowledge/a/one.md', 'user/.claude/skills/b/SKILL.md']
    const { root, settle, write, seen } = watchLibrary(...items)
    const item = items.find(path => path.startsWith(`${folder}/`))!
    const replacements = [
      () => renameSync(`${root}/${folder}`, `${root}/${Math.random()}`),
      // The number of the folder may be given to the next one.
      () => rmSync(`${root}/${folder}`, { recursive: true }),
    ]
    for (const takeAway of replacements) {
      await settle()
      takeAway()
      write(item)
      await seen()
      for (let edit = 0; edit < 2; edit++) {
        await settle()
        write(item)
        await seen()
      }
    }
  })

  it.each([ITEM, 'user/.ai/knowledge/one.md', 'user/.claude/skills/b/SKILL.md', 'system/tools/one.py'])(
    'sees the folders of `%s` come into being',
    async item => {
      const { settle, write, seen } = watchLibrary()
      await settle()
      write(item)
      await seen()
      await settle()
      write(item)
      await seen()
    },
  )

  it('leaves alone what was moved away', async () => {
    const { root, watch, settle, write } = watchLibrary(ITEM)
    await settle()
    renameSync(`${root}/project/.ai/knowledge/a`, `${root}/elsewhere`)
    write(ITEM)
    await settle()
    write('elsewhere/one.md')
    await deliver()
    expect(watch.isDirty()).toBe(false)
  })
})
