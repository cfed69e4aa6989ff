// The home directory as the project: its items are the project's there and the user's elsewhere, and one
// index serves both.
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../fixtures/patience.ts'
import { knowledge } from '../workspace/scratch.ts'
import { connectStdio, ERAS, searchFor } from './mcp-world.ts'
import { makePlace, type Place, PROGRAM, type Ran } from './run-rye.ts'

let place: Place
let home: string
let link: string
beforeEach(() => {
  place = makePlace()
  home = place.user
  link = join(place.root, 'link')
  symlinkSync(home, link)
  add(home, 'bread', 'flour and water')
  add(place.project, 'soup', 'onions and water')
})
afterEach(() => place.remove())

function add(space: string, id: string, body: string): void {
  mkdirSync(join(space, '.ai/knowledge'), { recursive: true })
  writeFileSync(join(space, `.ai/knowledge/${id}.md`), knowledge(id, { body }))
}

function ryeIn(folder: string, words: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  return place.rye([...words, '--json'], { directory: folder, env })
}

type Row = { readonly id: string; readonly source: string }

/** What is found, each with its space. */
function rows({ results }: { results?: unknown }): string[] {
  return (results as Row[]).map(({ id, source }) => `${source}:${id}`).sort()
}

async function found(folder: string, words: readonly string[], env?: Record<string, string>) {
  return rows((await ryeIn(folder, ['search', ...words], env)).json())
}

async function expectUnchanged(folder: string): Promise<void> {
  const { items, ...report } = (await ryeIn(folder, ['index'])).json()
  expect(report).toMatchObject({ added: 0, updated: 0, deleted: 0, unchanged: items })
}

describe('a home that is the project', () => {
  it('is searched like any other, by whatever path', async () => {
    for (const folder of [home, link]) {
      expect(await found(folder, ['flour'])).toEqual(['project:bread'])
      expect(await found(folder, ['flour', '--source', 'project'])).toEqual(['project:bread'])
      expect(await found(folder, ['flour', '--source', 'user'])).toEqual([])
      expect(await found(folder, ['flour'], { HOME: link, USER_SPACE: link })).toEqual(['project:bread'])
    }
    expect(await found(place.project, ['flour', '--project', link])).toEqual(['project:bread'])
  })

  it('is indexed once, also when it is the user space in between', async () => {
    expect((await ryeIn(home, ['index'])).json().deleted).toBe(0)
    expect((await ryeIn(place.project, ['index'])).json()).toMatchObject({ added: 1, deleted: 0 })
    // Files that are too young are read once more, and found to be as they were.
    await pause(100)
    for (const folder of [home, link, place.project, home]) await expectUnchanged(folder)
    expect(await found(place.project, ['water'])).toEqual(['project:soup', 'user:bread'])
    expect(await found(home, ['water'])).toEqual(['project:bread'])
    add(home, 'tea', 'leaves and water')
    expect(await found(place.project, ['water'])).toEqual(['project:soup', 'user:bread', 'user:tea'])
    rmSync(join(home, '.ai/knowledge/bread.md'))
    expect(await found(home, ['water'])).toEqual(['project:tea'])
    expect(await found(place.project, ['water'])).toEqual(['project:soup', 'user:tea'])
  })

  it('keeps its skills apart from those of another home', async () => {
    const env = { HOME: join(place.root, 'other') }
    const skills = join(env.HOME, '.claude/skills')
    mkdirSync(join(skills, 'boil'), { recursive: true })
    writeFileSync(join(skills, 'boil/SKILL.md'), '---\nname: boil\ndescription: Boil water\n---\n')
    for (let time = 0; time < 2; time++) {
      expect(await found(home, ['water'], env)).toEqual(['project:bread', 'user:boil'])
      expect(await found(place.project, ['water'], env)).toEqual(['project:soup', 'user:boil', 'user:bread'])
    }
  })

  it('that is read-only has its index in the cache', async () => {
    const cache = join(place.root, 'cache')
    mkdirSync(cache)
    for (const [folder, expected] of [
      [home, ['project:bread']],
      [place.project, ['project:soup', 'user:bread']],
      [home, ['project:bread']],
    ] as const) {
      const words = [
        ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--bind', cache, cache],
        ['--chdir', folder, process.execPath, PROGRAM, 'search', 'water', '--json'],
      ]
      const ran = await place.run('bwrap', words.flat())
      expect(ran.stderr).toBe('')
      expect(rows(ran.json())).toEqual(expected)
    }
  })

  it('is followed with --watch', async () => {
    const child = spawn(process.execPath, [PROGRAM, 'index', '--watch', '--json'], {
      cwd: home,
      env: place.environment,
    })
    let [stdout, notes] = ['', '']
    child.stdout.on('data', chunk => {
      stdout += chunk
    })
    child.stderr.on('data', chunk => {
      notes += chunk
    })
    const closed = new Promise(resolve => child.on('close', resolve))
    const writing = setInterval(() => add(home, `late-${Date.now()}`, 'latecomer'), 300)
    await until(() => notes.includes('added')).finally(() => clearInterval(writing))
    child.kill('SIGINT')
    await closed
    expect(notes).not.toMatch(/[1-9]\d* deleted/)
    expect(JSON.parse(stdout).deleted).toBe(0)
  })

  it('is refused over MCP, and is the user space of a server elsewhere', async () => {
    const [, era] = ERAS[0]
    const serve = async (project: string) => {
      const world = { root: place.root, project, env: place.environment, write: () => {} }
      return (await connectStdio(world, era)).client
    }
    const [inHome, elsewhere] = [await serve(home), await serve(place.project)]
    expect(await searchFor(inHome, { query: 'water' })).toMatchObject({ code: 'POLICY_DENIED' })
    const ask = async () => rows(await searchFor(elsewhere, { query: 'water' }))
    for (let time = 0; time < 2; time++) expect(await ask()).toEqual(['project:soup', 'user:bread'])
    add(home, 'tea', 'leaves and water')
    expect(await ask()).toEqual(['project:soup', 'user:bread', 'user:tea'])
  })
})
