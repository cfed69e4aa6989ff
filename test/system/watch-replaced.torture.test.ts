// What a long-lived process sees after a folder was replaced, as by `git checkout` of a branch without that
// folder.
import { spawn } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { until } from '../fixtures/patience.ts'
import { knowledge } from '../workspace/scratch.ts'
import { connectStdio, ERAS, makeWorld, PROGRAM, searchFor, type World } from './mcp-world.ts'

const ITEM = '.ai/knowledge/a/one.md'
const item = (body: string) => knowledge('a/one', { body })

function replace(world: World, folder: string, body: string): void {
  renameSync(join(world.project, folder), join(world.root, `old-${body}`))
  world.write(ITEM, item(body))
}

it('a server finds each later edit', async () => {
  const world = makeWorld()
  world.write(ITEM, item('zebra'))
  const { client } = await connectStdio(world, ERAS[0][1])
  const total = async (query: string) => (await searchFor(client, { query, source: 'project' })).total
  expect(await total('zebra')).toBe(1)
  for (const folder of ['.ai/knowledge/a', '.ai/knowledge', '.ai']) {
    const [replaced, edited] = [`walrus${folder.length}`, `ibex${folder.length}`]
    replace(world, folder, replaced)
    expect(await total(replaced)).toBe(1)
    world.write(ITEM, item(edited))
    expect(await total(edited)).toBe(1)
    expect(await total(replaced)).toBe(0)
  }
})

it('a server finds what comes into a user space that was not there', async () => {
  const world = makeWorld()
  const { client } = await connectStdio(world, ERAS[0][1])
  const total = async (query: string) => (await searchFor(client, { query, source: 'user' })).total
  expect(await total('zebra')).toBe(0)
  for (const body of ['zebra', 'walrus']) {
    const file = join(world.env.HOME!, ITEM)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, item(body))
    expect(await total(body)).toBe(1)
  }
  rmSync(join(world.env.HOME!, '.ai/knowledge'), { recursive: true })
  expect(await total('walrus')).toBe(0)
})

it('`rye index --watch` follows each later edit', async () => {
  const world = makeWorld()
  world.write(ITEM, item('zebra'))
  const child = spawn(process.execPath, [PROGRAM, 'index', '--watch', '--json'], {
    cwd: world.project,
    env: world.env,
  })
  const closed = new Promise(resolve => child.on('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGINT')
    await closed
  })
  let notes = ''
  child.stderr.on('data', chunk => {
    notes += chunk
  })
  const told = () => notes.match(/[1-9]\d* (added|updated)/g)?.length ?? 0
  // Written again and again until it is told of: it is not known when the first look is over.
  const edit = async (body: string) => {
    const before = told()
    let time = 0
    await until(() => {
      if (time % 20 === 0) world.write(ITEM, item(`${body}${time}`))
      time++
      return told() > before
    })
  }
  await edit('walrus')
  const before = told()
  replace(world, '.ai/knowledge/a', 'ibex')
  await until(() => told() > before)
  await edit('lynx')
})
