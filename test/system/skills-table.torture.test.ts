// What the table of skills promises beyond its rows: trust, several directories, other scripts, its size, and
// ending when told to.
import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Scratch, scratch } from '../workspace/scratch.ts'
import { PROGRAM } from './run-rye.ts'

let made: Scratch
let uri: string
beforeEach(async () => {
  made = await scratch()
  uri = made.path('db')
})
afterEach(() => made.close())

function addSkill(folder: string, description: string): void {
  made.write(
    `${folder}/SKILL.md`,
    `---\nname: ${folder.split('/').at(-1)}\ndescription: ${description}\n---\n`,
  )
}

const sync = (directory: string, ...more: string[]) =>
  made.run('skills sync', { directory: made.path(directory), more: more.map(made.path), lance: uri })

async function find(query: string, options: object = {}) {
  const { results } = await made.run('skills search', { query, lance: uri, ...options })
  return results as { id: string; metadata: { digest: string; root: string; trust: { status: string } } }[]
}

it('a search where there is no table makes no folder', async () => {
  expect(await made.run('skills search', { query: 'x', lance: uri })).toMatchObject({
    code: 'ITEM_NOT_FOUND',
    error: `no table \`skills\` at \`${uri}\``,
  })
  expect(existsSync(uri)).toBe(false)
})

it('a directory without skills is told of, as its rows are deleted', async () => {
  addSkill('one/zebra', 'Counts stripes')
  made.write('two/notes.md', 'None here')
  const none = { code: 'no-skills', message: 'there is no skill in this directory' }
  expect(await sync('one')).not.toHaveProperty('diagnostics')
  expect(await sync('one', 'two')).toMatchObject({ diagnostics: [{ path: 'two', ...none }] })
  expect(await sync('two')).toMatchObject({ deleted: ['zebra'], diagnostics: [{ path: '.', ...none }] })
  expect(await sync('two')).toMatchObject({ deleted: [], diagnostics: [{ path: '.', ...none }] })
})

describe('rows', () => {
  it('say what the folder is and whether it is trusted, and follow a signature', async () => {
    addSkill('.ai/skills/zebra', 'Counts stripes')
    await sync('.ai/skills')
    const [before] = await find('stripes')
    expect(before).toMatchObject({
      id: 'zebra',
      metadata: {
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        trust: { status: 'unsigned', signer: null },
      },
    })
    await made.run('keys generate', {})
    const signed = await made.run('sign', { item_id: 'zebra', item_type: 'skill' })
    expect(signed).toMatchObject({ status: 'signed' })
    expect(await sync('.ai/skills')).toMatchObject({ updated: ['zebra'] })
    const [after] = await find('stripes')
    expect(after!.metadata).toMatchObject({ digest: before!.metadata.digest, trust: { status: 'verified' } })
    made.write('.ai/skills/zebra/notes.txt', 'planted')
    await sync('.ai/skills')
    expect((await find('stripes'))[0]!.metadata.trust).toMatchObject({ status: 'tampered' })
  })

  it('of several directories are in one table, with a suffix where skills of one id are', async () => {
    addSkill('one/pdf', 'Fills forms')
    addSkill('two/pdf', 'Merges forms')
    addSkill('two/team/tax', 'Sends forms')
    const ids = ['pdf@one', 'pdf@two', 'team/tax']
    expect(await sync('one', 'two')).toMatchObject({ added: ids })
    expect((await find('forms')).map(({ id }) => id).sort()).toEqual(ids)
    expect(await sync('one', 'two')).toMatchObject({ unchanged_count: 3 })
    expect(await sync('two', 'one', 'two')).toMatchObject({ unchanged_count: 3, added: [], updated: [] })
    expect(await sync('two')).toMatchObject({ added: ['pdf'], deleted: ['pdf@one', 'pdf@two'] })
    const [found] = await find('Sends')
    expect(found!.metadata).toMatchObject({ root: 'two', file_path: 'team/tax/SKILL.md' })
  })

  it('of directories of one name have ids of their own, which do not move when another directory is renamed', async () => {
    for (const folder of ['a', 'b', 'c']) addSkill(`${folder}/skills/pdf`, `Fills forms of ${folder}`)
    expect(await sync('a/skills', 'b/skills', 'c/skills')).toMatchObject({
      added: ['pdf@a/skills', 'pdf@b/skills', 'pdf@c/skills'],
    })
    renameSync(made.path('b'), made.path('skills-2'))
    expect(await sync('c/skills', 'a/skills', 'skills-2/skills')).toMatchObject({
      added: ['pdf@skills-2/skills'],
      updated: [],
      deleted: ['pdf@b/skills'],
      unchanged_count: 2,
    })
  })

  it('mean what `execute` runs, whichever directories are named', async () => {
    for (const folder of ['.ai', '.claude', 'user:.ai']) addSkill(`${folder}/skills/beta`, `Of ${folder}`)
    addSkill('.agents/skills/solo', 'Alone')
    addSkill('more/beta', 'Of none')
    const user = made.path('user:.ai/skills')
    const run = (...all: string[]) =>
      made.run('skills sync', { directory: all[0]!, more: all.slice(1), lance: uri })
    const [ai, claude, agents, more] = ['.ai/skills', '.claude/skills', '.agents/skills', 'more'].map(
      made.path,
    )
    expect(await run(user, more!, agents!, claude!, ai!)).toMatchObject({
      added: ['beta', 'beta@.claude/skills', 'beta@more', 'beta@user', 'solo'],
    })
    expect(await run(claude!, user)).toMatchObject({
      deleted: ['beta', 'beta@more', 'solo'],
      unchanged_count: 2,
    })
  })

  it('of a function beside a skill of its id are both there, and both run', async () => {
    const script = '@skill_command(name="commit")\ndef go():\n    return "tool"\n'
    addSkill('.ai/skills/git', 'Uses git')
    made.write('.ai/skills/git/scripts/t.py', script)
    expect(await sync('.ai/skills')).toMatchObject({ added: ['git', 'git.commit'] })
    addSkill('.ai/skills/git.commit', 'Commits')
    expect(await sync('.ai/skills')).toMatchObject({
      added: ['git.commit#go'],
      updated: ['git.commit'],
      diagnostics: expect.arrayContaining([expect.objectContaining({ code: 'tool-collision' })]),
    })
    await made.run('keys generate', {})
    await made.run('sign', { item_id: 'git', item_type: 'skill' })
    expect(await made.run('execute', { item_id: 'git.commit#go', dry_run: true })).toMatchObject({
      status: 'validation_passed',
    })
  })

  it('are written by an index of several directories as well', async () => {
    addSkill('one/pdf', 'Fills forms')
    addSkill('two/pdf', 'Merges forms')
    const answer = await made.run('skills index', {
      directory: made.path('one'),
      more: [made.path('two')],
      lance: uri,
    })
    expect(answer).toMatchObject({ lance: { rows: 2 }, skills: [{ path: 'one/pdf' }, { path: 'two/pdf' }] })
    expect((await find('forms')).map(({ id }) => id).sort()).toEqual(['pdf@one', 'pdf@two'])
  })

  it('of a function in the user space bear the id that runs it there', async () => {
    const script = '@skill_command()\ndef say():\n    """Says who it is."""\n    return "user"\n'
    addSkill('.ai/skills/greeter', 'Greets')
    addSkill('user:.ai/skills/greeter', 'Greets')
    made.write('user:.ai/skills/greeter/scripts/say.py', script)
    await made.run('keys generate', {})
    await made.run('sign', { item_id: 'greeter', item_type: 'skill', source: 'user' })
    const answer = await made.run('skills sync', {
      directory: made.path('.ai/skills'),
      more: [made.path('user:.ai/skills')],
      lance: uri,
    })
    expect(answer.added).toEqual(['greeter', 'greeter.say@user', 'greeter@user'])
    const planned = await made.run('execute', { item_id: 'greeter.say@user', dry_run: true })
    expect(planned).toMatchObject({ status: 'validation_passed' })
  })

  it('in scripts without spaces are found by parts of what they say', async () => {
    addSkill('skills/nihongo', 'PDFファイルを結合する')
    addSkill('skills/zhongwen', '把表格转换成图表')
    addSkill('skills/thai', 'แปลงเอกสารเป็นข้อความ')
    addSkill('skills/russian', 'Собирает отчёты')
    await sync('skills')
    for (const [query, id] of [
      ['ファイル', 'nihongo'],
      ['图表', 'zhongwen'],
      ['เอกสาร', 'thai'],
      ['отчёты', 'russian'],
    ])
      expect((await find(query!))[0], query).toMatchObject({ id })
  })
})

it('twenty edits do not make the table ten times as large', async () => {
  for (let index = 0; index < 200; index++)
    addSkill(`skills/s${index}`, `Does thing ${index} ${'word '.repeat(60)}`)
  await sync('skills')
  const size = () =>
    readdirSync(join(uri, 'skills.lance'), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
  const first = size()
  for (let edit = 0; edit < 20; edit++) {
    addSkill('skills/s7', `Does edit ${edit}`)
    expect(await sync('skills')).toMatchObject({ updated: ['s7'] })
    expect((await find(`edit ${edit}`, { skill: 's7' }))[0]).toMatchObject({ id: 's7' })
  }
  expect(size()).toBeLessThan(3 * first)
})

it('SIGTERM ends a sync, and the next one ends its work', async () => {
  const folder = made.path('skills')
  for (let index = 0; index < 600; index++) {
    mkdirSync(join(folder, `s${index}`), { recursive: true })
    writeFileSync(
      join(folder, `s${index}/SKILL.md`),
      `---\nname: s${index}\ndescription: Thing ${index}\n---\n`,
    )
  }
  for (;;) {
    const child = spawn(process.execPath, [PROGRAM, 'skills', 'sync', folder, '--lance', uri, '--json'], {
      env: made.environment,
    })
    const ended = new Promise<number | string | null>(resolve =>
      child.on('exit', (status, signal) => resolve(signal ?? status)),
    )
    // It has begun to write: the lock is there.
    while (!existsSync(join(uri, '.skills.lock')) && child.exitCode === null)
      await new Promise(resolve => setTimeout(resolve, 2))
    if (child.kill('SIGTERM') && (await ended) !== 0) break
    // It was quicker than we were, so start over.
    rmSync(uri, { recursive: true, force: true })
  }
  const answer = await sync('skills')
  expect((answer.added as string[]).length + Number(answer.unchanged_count)).toBe(600)
})

it.each([
  ['rows', (name: string) => rmSync(join(uri, 'skills.lance/data', name)), 'data'],
  [
    'indexes',
    (name: string) => rmSync(join(uri, 'skills.lance/_indices', name), { recursive: true }),
    '_indices',
  ],
  ['halves', (name: string) => truncateSync(join(uri, 'skills.lance/data', name), 10), 'data'],
  ['versions', (name: string) => truncateSync(join(uri, 'skills.lance/_versions', name), 10), '_versions'],
])('a table without its %s is told to be damaged, and made anew', async (_, damage, folder) => {
  addSkill('.ai/skills/zebra', 'Counts stripes')
  await sync('.ai/skills')
  for (const name of readdirSync(join(uri, 'skills.lance', folder))) damage(name)
  addSkill('.ai/skills/lion', 'Roars')
  expect(await sync('.ai/skills')).toMatchObject({
    code: 'REMOTE_FAILED',
    hint: `files of the table are missing or damaged: move \`${uri}\` away, and sync again`,
  })
  renameSync(uri, made.path('away'))
  await sync('.ai/skills')
  expect((await find('roars'))[0]?.id).toBe('lion')
})
