// Two people edit one item on two branches, and git merges them, with the driver and without it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { quoteShellWord } from '../../src/base/shell-word.ts'
import { knowledge } from '../workspace/scratch.ts'
import { makePlace, type Place, PROGRAM } from './run-rye.ts'

const NOTES = '.ai/knowledge/notes.md'
const TEXT = knowledge('notes', { body: ['first', ...'abcdefgh', 'last'].join('\n\n') })

let place: Place
beforeEach(async () => {
  place = makePlace()
  await git('init', '--quiet', '--initial-branch=main')
  await git('config', 'user.email', 'ann@example.org')
  await git('config', 'user.name', 'Ann')
})
afterEach(() => place.remove())

async function git(...words: string[]) {
  const ran = await place.run('git', words)
  return { ...ran, all: ran.stdout + ran.stderr }
}

function edit(from: string, to: string): void {
  const path = join(place.project, NOTES)
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
}

const read = () => readFileSync(join(place.project, NOTES), 'utf8')

/** On main the first line is changed and on the branch the last one; each is signed. */
async function makeBranches(
  theirs: readonly [string, string],
  ours: readonly [string, string],
  program = PROGRAM,
): Promise<void> {
  await place.rye(['init', ...(hasDriver ? ['--merge-driver'] : [])])
  if (hasDriver) {
    const wordsOf = (path: string) => [process.execPath, path].map(quoteShellWord).join(' ')
    const driver = (await git('config', 'merge.rye.driver')).stdout.trim()
    // By its path: what lies in `node_modules` of the project is nobody's program.
    expect(driver.startsWith(`${wordsOf(PROGRAM)} merge %O %A %B %P || `)).toBe(true)
    await git(
      'config',
      'merge.rye.driver',
      driver.replace(wordsOf(PROGRAM), () => wordsOf(program)),
    )
  }
  writeFileSync(join(place.project, NOTES), TEXT)
  await commit('sign')
  await git('checkout', '--quiet', '-b', 'theirs')
  edit(...theirs)
  await commit('sign')
  await git('checkout', '--quiet', 'main')
  edit(...ours)
  await commit('sign')
}

let hasDriver = false

async function commit(...signing: string[]): Promise<void> {
  if (signing.length > 0) await place.rye(['sign', 'knowledge:notes', '--quiet'])
  await git('add', '-A')
  await git('commit', '--quiet', '-m', 'x')
}

it('the driver merges edits of different lines, and signs where both sides are verified', async () => {
  hasDriver = true
  await makeBranches(['last', 'LAST'], ['first', 'FIRST'])
  expect(readFileSync(join(place.project, '.gitattributes'), 'utf8')).toBe('.ai/** merge=rye\n')
  const merged = await git('merge', 'theirs')
  expect(merged.all).toContain('merged and signed: knowledge:notes')
  expect(merged.status).toBe(0)
  expect(read()).toMatch(/FIRST[\s\S]*LAST/)
  expect((await place.rye(['verify', 'knowledge:notes'])).status).toBe(0)

  // Another branch bears a text that nobody signed: git merges it, and nothing vouches for it.
  await git('checkout', '--quiet', '-b', 'unsigned', 'main')
  edit('LAST', 'EVIL')
  await commit()
  await git('checkout', '--quiet', 'main')
  edit('FIRST', 'first again')
  await commit('sign')
  const refused = await git('merge', 'unsigned')
  expect(refused.status).not.toBe(0)
  expect(refused.all).toContain('theirs is tampered')
  expect(read()).toMatch(/first again[\s\S]*EVIL/)
  expect((await place.rye(['verify', 'knowledge:notes'])).status).toBe(1)

  await git('reset', '--quiet', '--hard')
  await git('checkout', '--quiet', '-b', 'clash', 'main')
  edit('LAST', 'LAST one')
  await commit('sign')
  await git('checkout', '--quiet', 'main')
  edit('LAST', 'LAST two')
  await commit('sign')
  const clash = await git('merge', 'clash')
  expect(clash.all).toContain('both sides changed the same lines')
  expect(read().match(/rye:signed/g)).toHaveLength(1)
  expect(read()).toMatch(/<{7} ours\nLAST two\n={7}\nLAST one\n>{7} theirs/)
})

it('a driver that cannot be started loses no edit: the text is merged, and its signature left to `sign --resolve`', async () => {
  hasDriver = true
  await makeBranches(['last', 'LAST'], ['first', 'FIRST'], join(place.project, 'not-installed.mjs'))
  expect((await git('merge', 'theirs')).status).not.toBe(0)
  expect(read()).toMatch(/^<{7} ours\n[\s\S]*FIRST[\s\S]*LAST/)
  expect((await place.rye(['sign', 'knowledge:notes', '--resolve'])).status).toBe(0)
  expect(read()).not.toMatch(/^(<{7}|={7}|>{7})/m)
  expect((await place.rye(['verify', 'knowledge:notes'])).status).toBe(0)
})

it('without it, the signature is the only conflict, and `sign --resolve` removes it', async () => {
  hasDriver = false
  await makeBranches(['last', 'LAST'], ['first', 'FIRST'])
  expect((await git('merge', 'theirs')).status).not.toBe(0)
  expect(read().match(/^<{7}/gm)).toHaveLength(1)
  const plain = await place.rye(['sign', 'knowledge:notes'])
  expect(plain.status).toBe(1)
  expect(plain.stderr).toContain('--resolve')
  expect((await place.rye(['doctor'])).stdout).toContain('rye sign knowledge:notes --resolve')
  expect((await place.rye(['run', 'knowledge:notes'])).stderr).toContain('rye sign knowledge:notes --resolve')

  // Whatever else is in conflict is not signed away.
  const conflict = read()
  writeFileSync(join(place.project, NOTES), `${conflict}<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> theirs\n`)
  const other = await place.rye(['sign', 'knowledge:notes', '--resolve'])
  expect(other.status).toBe(1)
  expect(other.stderr).toMatch(/merge conflict at line \d+ that is not about the signature/)
  expect((await place.rye(['sign', '*', '--resolve', '--json'])).json()).toMatchObject({
    signed: [],
    failed: [{ item: 'notes' }],
    total: 1,
  })

  writeFileSync(join(place.project, NOTES), conflict)
  const resolved = (await place.rye(['sign', '*', '--resolve', '--json'])).json()
  expect(resolved).toMatchObject({ signed: ['notes'], failed: [], unchanged: [], total: 1 })
  expect(read()).not.toMatch(/^(<{7}|={7}|>{7})/m)
  expect(read()).toMatch(/FIRST[\s\S]*LAST/)
  expect((await place.rye(['verify', 'knowledge:notes'])).status).toBe(0)
})
