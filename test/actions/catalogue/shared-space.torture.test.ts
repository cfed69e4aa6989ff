// The shared space: its items are found, loaded and run like local ones, with precedence below the user's and
// above the package's.
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ageRow, GREET, ROLLBACK } from '../../catalogue/library.ts'
import { until } from '../../fixtures/patience.ts'
import { type Answer, type Scratch, scratch } from '../../workspace/scratch.ts'
import {
  keeper,
  openRows,
  search,
  shared,
  table,
  useCatalogue,
  user,
  usersMachine,
} from './shared-machines.ts'

useCatalogue()

describe('the shared space', () => {
  it('is found, loaded and run like a local one', async () => {
    const found = await search('how do I roll back a release')
    expect(found.results[0]).toMatchObject({
      ...{ id: 'ops/rollback', type: 'knowledge', source: 'shared', title: 'Roll back a release' },
      trust: { status: 'verified' },
    })
    const loaded = await user.run('load', { item_id: 'knowledge:ops/rollback' })
    expect(loaded).toMatchObject({ status: 'success', source: 'shared', trust: { status: 'verified' } })
    expect(loaded.content).toContain('Stop traffic first.')
    expect(loaded).not.toHaveProperty('warning')
    expect(await user.run('execute', { item_id: 'tool:team/greet' })).toMatchObject({
      status: 'success',
      data: { hello: 'world' },
    })
    expect(await user.run('load', { item_id: 'skill:pdf-forms/scripts/fill.py' })).toMatchObject({
      status: 'success',
      content: 'print("filled")\n',
    })
    expect(await user.run('load', { item_id: 'team/greet', source: 'shared' })).toMatchObject({
      item_type: 'tool',
    })
  })

  it('is shown, with its text, before anything of it was loaded', async () => {
    expect(await user.run('show', { item_id: 'tool:team/greet@shared', content: true })).toMatchObject({
      space: 'shared',
      trust: { status: 'verified' },
      content: { files: [{ path: 'greet.sh' }] },
    })
    expect(await user.run('show', { item_id: 'tool:team/nobody@shared' })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
    })
  })

  it('is merged into a search of everything in one order, or announced if it is late', async () => {
    user.write('.ai/knowledge/mine.md', '---\ntitle: Roll back my own release\n---\n\nText.\n')
    const answer = await user.run('search', { query: 'roll back a release' })
    if (shared(answer).length === 0) expect(answer.warning).toMatch(/shared catalogue are missing/)
    else expect(answer.results[0]).toMatchObject({ id: 'ops/rollback', source: 'shared' })
    // Hits that came late are there when the search is repeated.
    const wait = async () => (await user.run('search', { query: 'roll back a release' })) as Answer
    await until(async () => shared(await wait()).length > 0)
  })

  it('is below the user’s items and above those of the package', async () => {
    keeper.write('.ai/tools/rye/bash.sh', GREET.replace('"team"', '"rye"'))
    await keeper.sign('tool:rye/bash')
    await keeper.run('catalogue sync', { table })
    const own = await user.run('load', { item_id: 'tool:rye/bash' })
    expect(own).toMatchObject({ source: 'shared', shadows: [{ space: 'system' }] })
    user.write('user:.ai/tools/rye/bash.sh', GREET.replace('"team"', '"rye"'))
    await user.sign('tool:rye/bash', { source: 'user' })
    user.write('.ai/tools/rye/bash.sh', GREET.replace('"team"', '"rye"'))
    await user.sign('tool:rye/bash')
    expect(await user.run('load', { item_id: 'tool:rye/bash' })).toMatchObject({ source: 'project' })
    expect(await user.run('load', { item_id: 'tool:rye/bash@shared' })).toMatchObject({ source: 'shared' })
    expect(await user.run('show', { item_id: 'tool:rye/bash@shared' })).toMatchObject({
      space: 'shared',
      shadowed_by: 'project',
    })
    expect(await user.run('load', { item_id: 'tool:rye/bash@project' })).toMatchObject({
      shadows: [{ space: 'user' }, { space: 'shared' }, { space: 'system' }],
    })
  })

  it('cannot be changed', async () => {
    await user.run('load', { item_id: 'tool:team/greet' })
    for (const [name, input] of [
      ['sign', { item_id: 'tool:team/greet@shared' }],
      ['mv', { item_id: 'tool:team/greet@shared', to: 'tool:mine/greet' }],
    ] as const)
      expect(await user.run(name, input)).toMatchObject({ status: 'error' })
    expect(await user.run('load', { item_id: 'tool:team/greet', destination: 'project' })).toMatchObject({
      destination_path: user.path('.ai/tools/team/greet.sh'),
    })
  })

  it('follows what is changed and removed in the catalogue', async () => {
    await user.run('load', { item_id: 'tool:team/greet' })
    keeper.write('.ai/tools/team/greet.sh', GREET.replace('world', 'moon'))
    await keeper.sign('tool:team/greet')
    await keeper.run('catalogue sync', { table })
    expect(await user.run('execute', { item_id: 'tool:team/greet' })).toMatchObject({
      data: { hello: 'moon' },
    })
    rmSync(keeper.path('.ai/tools/team'), { recursive: true })
    await keeper.run('catalogue sync', { table })
    expect(await user.run('load', { item_id: 'tool:team/greet' })).toMatchObject({ code: 'ITEM_NOT_FOUND' })
  })

  it('says that it has rows of another version', async () => {
    await ageRow(await openRows(), 'team/greet')
    const said = /1 row of the catalogue was written by another version of rye/
    const found = await search('greet a person')
    expect(found.warning).toMatch(said)
    expect(shared(found).map((result: Answer) => result.id)).not.toContain('team/greet')
    expect(await user.run('load', { item_id: 'tool:team/greet' })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
      warning: expect.stringMatching(said),
    })
    expect((await search('how do I roll back a release')).results[0]).toMatchObject({ id: 'ops/rollback' })
  })

  it('follows a catalogue that was made anew, with other rows in the same places', async () => {
    const title = async () => (await search('ops/rollback')).results[0]?.title
    expect(await title()).toBe('Roll back a release')
    rmSync(table, { recursive: true })
    keeper.write('.ai/knowledge/ops/rollback.md', ROLLBACK.replace('Roll back', 'Undo'))
    await keeper.sign('knowledge:ops/rollback')
    await keeper.run('catalogue sync', { table })
    expect(await title()).toBe('Undo a release')
  })

  it('follows a catalogue that was put back as it was', async () => {
    const note = (id: string) =>
      keeper.write(`.ai/knowledge/${id}.md`, `---\ntitle: Zebra ${id}\n---\n\nStripes of ${id}.\n`)
    const ids = async () => (await search('zebra stripes')).results.map(({ id }: Answer) => id)
    const copy = join(keeper.root, 'copy')
    cpSync(table, copy, { recursive: true })
    note('gone')
    await keeper.run('catalogue sync', { table })
    expect(await ids()).toContain('gone')
    rmSync(table, { recursive: true })
    renameSync(copy, table)
    rmSync(keeper.path('.ai/knowledge/gone.md'))
    for (const id of ['new1', 'new2']) {
      note(id)
      await keeper.run('catalogue sync', { table })
    }
    const found = await ids()
    expect(found).toEqual(expect.arrayContaining(['new1', 'new2']))
    expect(found).not.toContain('gone')
  })

  it('serves what is in the cache while the catalogue is away, and says so', async () => {
    await user.run('load', { item_id: 'tool:team/greet' })
    await user.library.close()
    renameSync(table, `${table}-away`)
    const later = await scratchOver(user)
    expect(await later.run('execute', { item_id: 'tool:team/greet' })).toMatchObject({
      data: { hello: 'world' },
      warning: expect.stringMatching(/the catalogue did not answer: .*; `team\/greet` is as it was on 20/),
    })
    expect(await later.run('load', { item_id: 'knowledge:ops/rollback' })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
    })
    const answer = await later.run('search', { query: 'bash' })
    expect(answer.results.length).toBeGreaterThan(0)
    expect(answer.warning).toMatch(/shared catalogue are missing/)
    const found = await later.run('search', { query: 'greet a person', source: 'shared' })
    expect(found).toMatchObject({
      results: [{ id: 'team/greet', source: 'shared', trust: { status: 'verified' } }],
      warning: expect.stringMatching(/missing, except for items that were loaded before: no table/),
    })
  })

  it('is not there for who sets none, and a project cannot set one', async () => {
    const other = await usersMachine('')
    other.write('.ai/config/rye.toml', `catalogue = "${table}"\n`)
    expect(await other.run('load', { item_id: 'tool:team/greet' })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
      searched: 'project, user, system',
    })
    expect(await other.run('search', { query: 'x', source: 'shared' })).toMatchObject({
      code: 'INVALID_INPUT',
    })
    expect(existsSync(join(other.environment.XDG_CACHE_HOME!, 'rye/shared'))).toBe(false)
  })

  it('can be another one for a project, or none', async () => {
    const off = await usersMachine('')
    off.write(
      'user:.ai/config/rye.toml',
      `catalogue = "${table}"\n[project_catalogues]\n"${off.project}" = "off"\n`,
    )
    expect(await off.run('load', { item_id: 'tool:team/greet' })).toMatchObject({ code: 'ITEM_NOT_FOUND' })
    off.write('user:.ai/config/rye.toml', `[project_catalogues]\n"${off.project}" = "${table}"\n`)
    expect(await off.run('load', { item_id: 'tool:team/greet' })).toMatchObject({ source: 'shared' })
  })
})

/** The same user and project in another process. */
async function scratchOver(made: Scratch): Promise<Scratch> {
  const again = await scratch({}, { environment: made.environment, key: false })
  cpSync(made.project, again.project, { recursive: true })
  return again
}
