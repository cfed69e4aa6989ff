// Which project a command is about: the nearest one above the current folder, unless `--project` names
// another.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePlace, type Place, PROGRAM } from './run-rye.ts'

let place: Place
let inside: string
beforeAll(async () => {
  place = makePlace()
  inside = join(place.project, 'src/deep')
  mkdirSync(inside, { recursive: true })
  const made = await place.rye(['init', '--quiet'])
  expect(made).toMatchObject({ status: 0, stdout: '', stderr: '' })
})
afterAll(() => place.remove())

function ryeIn(folder: string, ...words: string[]) {
  return place.rye(words, { directory: folder })
}

it('is found from a folder inside, and named', async () => {
  const found = await ryeIn(inside, 'search', 'greet', 'somebody', '--limit', '1', '--json')
  expect(found.json()).toMatchObject({ project_path: place.project, results: [{ id: 'hello/greet' }] })
  expect(found.stderr).toBe(`project: ${place.project}\n`)
  const listed = await ryeIn(inside, 'list', '--source', 'project', '--quiet')
  expect(listed.stdout).toContain('hello/greet')
  expect(listed.stderr).toBe('')
  const failed = await ryeIn(inside, 'load', 'no/such', '--json')
  expect(failed.json()).toMatchObject({ code: 'ITEM_NOT_FOUND', project_path: place.project })
})

it('is not named where somebody stands in it', async () => {
  const found = await place.rye(['list', '--source', 'project', '--json'])
  expect(found.json()).not.toHaveProperty('project_path')
  expect(found.stderr).toBe('')
})

it('is the one that is named', async () => {
  const words = ['--project', '.', '--json', 'list', '--source', 'project']
  const before = await place.start(words, { directory: inside })
  expect(before.json()).toMatchObject({ items: [] })
  const found = await ryeIn(inside, 'list', '--source', 'project', '--json', '--project', '.')
  expect(found.json()).toMatchObject({ items: [] })
  expect(found.stderr).toBe('')
})

it('is found by completion and by `rye mcp`', async () => {
  const names = await ryeIn(inside, 'completion', 'items', 'hello/gr')
  expect(names.stdout).toBe('hello/greet\n')
  expect((await place.start(['mcp'], { directory: inside })).stderr).toBe(`project: ${place.project}\n`)
})

it('is not found through the edge of a file system', async () => {
  const mounted = join(place.project, 'mounted')
  mkdirSync(mounted)
  const words = ['--dev-bind', '/', '/', '--tmpfs', mounted, '--chdir', mounted, process.execPath, PROGRAM]
  const found = await place.run('bwrap', [...words, 'list', '--source', 'project', '--json'])
  expect(found.json()).toMatchObject({ items: [] })
})

it('is made inside of another only when that is said', async () => {
  const refused = await ryeIn(inside, 'init', '--no-items')
  expect(refused).toMatchObject({ status: 2, stdout: '' })
  expect(refused.stderr).toContain(`error: this folder is part of the project \`${place.project}\``)
  expect(refused.stderr).toContain('`rye init .` makes a project of its own here')
  expect(existsSync(join(inside, '.ai'))).toBe(false)
  const made = await ryeIn(inside, 'init', '.', '--no-items', '--json')
  expect(made.json()).toMatchObject({ project_path: inside })
  expect(existsSync(join(inside, '.ai/tools'))).toBe(true)
  // It is one now.
  expect((await ryeIn(inside, 'init', '--no-items', '--json')).status).toBe(0)
})

it('is no file', async () => {
  writeFileSync(join(place.project, 'note'), '')
  for (const path of ['note', 'note/below']) {
    const ran = await ryeIn(place.project, 'init', path)
    expect(ran).toMatchObject({ status: 1, stdout: '' })
    expect(ran.stderr).toContain('error: expected a folder, but')
  }
})

it('is none by an empty name', async () => {
  for (const words of [
    ['list', '--project', ''],
    ['list', '--project='],
    ['mcp', '--project', ''],
    ['init', ''],
    ['skills', 'scan', ''],
  ]) {
    const ran = await place.start(words)
    expect(ran).toMatchObject({ status: 2, stdout: '' })
    expect(ran.stderr).toContain('got an empty text\nhint: an unset shell variable is empty')
  }
})

it('is named again by the commands of a hint', async () => {
  const words = ['load', 'no/such', '--project', 'project']
  expect((await ryeIn(place.root, ...words)).stderr).toContain('list them with `rye --project project list`')
  const made = await ryeIn(place.root, 'new', 'tool', 'made/here', '--project', 'project')
  expect(made.stdout).toContain('rye --project project sign tool:made/here')
})
