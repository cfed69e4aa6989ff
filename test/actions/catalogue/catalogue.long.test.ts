// A catalogue in a directory, through the actions: what is written, found and reported, and how faulty
// content is handled.
import { mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { ageRow, forgeRow, GREET, ROLLBACK, signedLibrary } from '../../catalogue/library.ts'
import { type Answer, type Scratch, scratch } from '../../workspace/scratch.ts'

let made: Scratch
let table: string
beforeEach(async () => {
  made = await signedLibrary()
  table = join(made.root, 'catalogue')
})

const sync = (input: object = {}): Promise<Answer> => made.run('catalogue sync', { table, ...input })
const counts = ({ added, updated, deleted, unchanged }: Answer) => [added, updated, deleted, unchanged]

async function openRows() {
  const { connect } = await import('@lancedb/lancedb')
  return (await connect(table)).openTable('items')
}

describe('a sync', () => {
  it('writes what has changed, and nothing else', async () => {
    expect(await sync({ dry_run: true })).toMatchObject({ dry_run: true, added: 3 })
    expect(readdirSync(made.root)).not.toContain('catalogue')
    const first = await sync()
    expect(first).toMatchObject({ roots: [{ root: 'project', added: 3 }], added: 3 })
    expect(counts(await sync())).toEqual([0, 0, 0, 3])

    // Touched but unchanged: read, not written.
    utimesSync(made.path('.ai/knowledge/ops/rollback.md'), 1, 1)
    const version = (await made.run('catalogue status', { table })).version
    expect(counts(await sync())).toEqual([0, 0, 0, 3])
    expect((await made.run('catalogue status', { table })).version).toBe(version)

    made.write('.ai/knowledge/ops/rollback.md', ROLLBACK.replace('Stop', 'Halt'))
    made.write('.ai/knowledge/ops/new.md', '---\ntitle: New\n---\n\nText.\n')
    rmSync(made.path('.ai/skills/pdf-forms'), { recursive: true })
    expect(counts(await sync({ dry_run: true }))).toEqual([1, 1, 1, 1])
    expect(counts(await sync())).toEqual([1, 1, 1, 1])
    expect(counts(await sync())).toEqual([0, 0, 0, 3])
  })

  it('of some items looks at no others, and deletes those that are gone', async () => {
    await sync()
    made.write('.ai/knowledge/ops/rollback.md', ROLLBACK.replace('Stop', 'Halt'))
    made.write('.ai/knowledge/ops/new.md', '---\ntitle: New\n---\n\nText.\n')
    made.write('.ai/knowledge/ops/unseen.md', '---\ntitle: Unseen\n---\n\nText.\n')
    rmSync(made.path('.ai/skills/pdf-forms'), { recursive: true })
    const items = ['knowledge:ops/rollback', 'knowledge:ops/new', 'skill:pdf-forms', 'tool:team/absent']
    expect(counts(await sync({ items }))).toEqual([1, 1, 1, 0])
    expect(counts(await sync({ items }))).toEqual([0, 0, 0, 2])
    expect(counts(await sync())).toEqual([1, 0, 0, 3])
    expect(await sync({ items: ['ops/rollback'] })).toMatchObject({ code: 'INVALID_INPUT' })
    expect(await sync({ items: ['tool:team/greet@user'] })).toMatchObject({ code: 'INVALID_INPUT' })
    // It exists but cannot be read.
    rmSync(made.path('.ai/knowledge/ops/new.md'))
    symlinkSync('/etc/hostname', made.path('.ai/knowledge/ops/new.md'))
    expect(counts(await sync({ items: ['knowledge:ops/new'] }))[2]).toBe(0)
  })

  it('keeps several roots apart, each under its name', async () => {
    const other = join(made.root, 'other')
    mkdirSync(join(other, '.ai/knowledge/ops'), { recursive: true })
    writeFileSync(join(other, '.ai/knowledge/ops/rollback.md'), ROLLBACK)
    const both = await sync({ roots: [made.project, `team=${other}`] })
    expect(both.roots.map((root: Answer) => [root.root, root.added])).toEqual([
      ['project', 3],
      ['team', 1],
    ])
    expect(counts(await sync({ roots: [`team=${other}`] }))).toEqual([0, 0, 0, 1])
    expect(await made.run('catalogue status', { table })).toMatchObject({
      ...{ rows: 4, roots: { project: 3, team: 1 }, types: { knowledge: 2, skill: 1, tool: 1 } },
      ...{ health: 'good', problems: [] },
    })
  })

  it('does not delete most of a root unasked: another folder may have its name', async () => {
    for (let number = 0; number < 30; number++)
      made.write(`.ai/knowledge/many/n${number}.md`, `---\ntitle: Note ${number}\n---\n\nText.\n`)
    await sync()
    rmSync(made.path('.ai/knowledge/many'), { recursive: true })
    expect(await sync()).toMatchObject({ code: 'POLICY_DENIED', hint: expect.stringContaining('--prune') })
    expect((await made.run('catalogue status', { table })).rows).toBe(33)
    expect(counts(await sync({ prune: true }))).toEqual([0, 0, 30, 3])
  })

  it('writes nothing of another folder of the same name', async () => {
    const note = (number: number, title: string) => `---\ntitle: ${title} ${number}\n---\n\nText.\n`
    for (let number = 0; number < 60; number++)
      made.write(`.ai/knowledge/many/n${number}.md`, note(number, 'Ours'))
    await sync({ roots: [`same=${made.project}`] })
    const other = await scratch(
      Object.fromEntries(
        [...Array(40).keys()].map(at => {
          const number = at < 20 ? at : at + 100
          return [`.ai/knowledge/many/n${number}.md`, note(number, 'Theirs')]
        }),
      ),
    )
    const roots = [`same=${other.project}`]
    expect(await sync({ roots })).toMatchObject({
      code: 'POLICY_DENIED',
      error: expect.stringContaining('43 of 63 items'),
    })
    const rows = await (await openRows()).query().select(['title']).toArray()
    expect(rows).toHaveLength(63)
    expect(rows.filter(({ title }) => title.startsWith('Theirs'))).toEqual([])
    expect(counts(await sync({ roots, prune: true }))).toEqual([20, 20, 43, 0])
    expect(await sync({ roots: [`same=${made.project}`, ...roots], prune: true })).toMatchObject({
      code: 'INVALID_INPUT',
      error: expect.stringContaining('two that are called `same`'),
    })
  })

  it('writes an item once that is named twice', async () => {
    const items = ['knowledge:ops/rollback', 'knowledge:ops/rollback']
    expect(counts(await sync({ items }))).toEqual([1, 0, 0, 0])
    expect(await (await openRows()).countRows()).toBe(1)
  })

  it('makes nothing where it only looks, and needs an address', async () => {
    const absent = join(made.root, 'absent')
    const looks = [made.run('catalogue status', { table: absent })]
    looks.push(made.run('catalogue search', { table: absent, query: 'x' }))
    for (const look of looks) expect(await look).toMatchObject({ code: 'ITEM_NOT_FOUND' })
    expect(readdirSync(made.root)).not.toContain('absent')
    for (const empty of ['', ' '])
      expect(await sync({ table: empty })).toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('repairs rows that are missing or there twice', async () => {
    await sync()
    const rows = await openRows()
    await rows.delete("id = 'team/greet'")
    const [row] = (await rows.query().where("id = 'ops/rollback'").toArray()).map(found => ({
      ...found.toJSON(),
      vector: [...found.vector],
    }))
    await rows.add([row!])
    expect(await made.run('catalogue status', { table })).toMatchObject({ health: 'damaged' })
    expect(counts(await sync())).toEqual([1, 1, 0, 1])
    expect(await made.run('catalogue status', { table })).toMatchObject({ rows: 3, health: 'good' })
  })

  it('says which rows another version wrote, and writes them again', async () => {
    await sync()
    await ageRow(await openRows(), 'team/greet')
    const said = '1 row of the catalogue was written by another version of rye, and cannot be read'
    expect(await made.run('catalogue status', { table })).toMatchObject({
      ...{ rows: 3, outdated: 1, health: 'behind', problems: [expect.stringContaining(said)] },
    })
    const query = { table, query: 'greet a person' }
    const before = await made.run('catalogue search', query)
    expect(before.warning).toContain(said)
    expect(before.results.map((result: Answer) => result.id)).not.toContain('team/greet')
    expect(counts(await sync())).toEqual([0, 1, 0, 2])
    expect(await made.run('catalogue status', { table })).toMatchObject({ outdated: 0, health: 'good' })
    const after = await made.run('catalogue search', query)
    expect(after).not.toHaveProperty('warning')
    expect(after.results[0]).toMatchObject({ id: 'team/greet' })
  })

  it('of one root by two writers at once loses nothing, and leaves nothing twice', async () => {
    for (let number = 0; number < 20; number++)
      made.write(`.ai/knowledge/many/n${number}.md`, `---\ntitle: Note ${number}\n---\n\nText.\n`)
    const answers = await Promise.all([sync(), sync(), sync({ roots: [`again=${made.project}`] })])
    for (const answer of answers) expect(answer).not.toHaveProperty('error')
    expect(await made.run('catalogue status', { table })).toMatchObject({
      roots: { again: 23, project: 23 },
      health: 'good',
    })
  })

  it('lists folders one by one, as deep as a library may be', async () => {
    const levels = (count: number) => Array.from({ length: count }, () => 'd').join('/')
    const note = (path: string) =>
      made.write(`.ai/knowledge/${path}.md`, `---\ntitle: Note ${path.slice(-5)}\n---\n\nText.\n`)
    for (const path of [`${levels(100)}/low`, `${levels(129)}/lower`, 'ops/team/inner', 'ops/_hidden/not'])
      note(path)
    note(`${'e'.repeat(200)}/${'e'.repeat(200)}`)
    symlinkSync(made.path('.ai/knowledge/ops'), made.path('.ai/knowledge/linked'))
    const { added, diagnostics } = await sync()
    const rows = await (await openRows()).query().select(['id']).toArray()
    const ids = rows.map(({ id }) => id).sort()
    expect(ids).toEqual([`${levels(100)}/low`, 'ops/rollback', 'ops/team/inner', 'pdf-forms', 'team/greet'])
    expect(added).toBe(5)
    const { results } = await made.run('search', { query: '*', source: 'project' })
    expect(results.map(({ id }: Answer) => id).sort()).toEqual(ids)
    const told = new Map(diagnostics.map(({ path, message }: Answer) => [path, message]))
    expect(told.get(made.path(`.ai/knowledge/${levels(129)}`))).toBe('only 128 levels are walked')
    expect([...told.keys()]).toContain(made.path('.ai/knowledge/linked'))
  })

  it('says what it left out, and why', async () => {
    made.write('.ai/skills/large/SKILL.md', '---\nname: large\ndescription: Large\n---\n')
    made.write('.ai/skills/large/data.bin', Buffer.alloc(9_000_000))
    expect((await sync()).diagnostics).toMatchObject([
      { path: expect.stringContaining('large/data.bin') },
      { path: expect.stringContaining('large/SKILL.md') },
    ])
  })

  it('leaves alone a table of other columns', async () => {
    const { connect } = await import('@lancedb/lancedb')
    await (await connect(table)).createTable('items', [{ id: 'somebody else’s' }])
    expect(await sync()).toMatchObject({
      code: 'REMOTE_FAILED',
      error: expect.stringContaining('does not have the columns'),
    })
    expect(await (await openRows()).countRows()).toBe(1)
  })

  it('keeps a large item beside the rows, once', async () => {
    made.write('.ai/skills/pdf-forms/manual.txt', 'x'.repeat(200_000))
    await made.sign('skill:pdf-forms')
    await sync({ roots: [made.project, `again=${made.project}`] })
    expect(await made.run('catalogue status', { table })).toMatchObject({ rows: 6, objects: 1 })
    // Somebody has deleted its files; naming the item writes them again.
    const { connect } = await import('@lancedb/lancedb')
    await (await (await connect(table)).openTable('objects')).delete('true')
    expect(counts(await sync({ items: ['skill:pdf-forms'] }))).toEqual([0, 0, 0, 1])
    expect(await made.run('catalogue status', { table })).toMatchObject({ rows: 6, objects: 1 })
  })
})

describe('a search', () => {
  it('ranks what it finds, with the verdict of the caller on the bytes', async () => {
    await sync()
    const answer = await made.run('catalogue search', { table, query: 'how do I roll back a release' })
    expect(answer.results[0]).toMatchObject({
      ...{ id: 'ops/rollback', type: 'knowledge', title: 'Roll back a release', root: 'project' },
      ...{ trust: 'verified', digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
    })
    expect(answer.items).toBe(3)
    const stranger = await scratch()
    const seen = await stranger.run('catalogue search', { table, query: 'greet a person' })
    expect(seen.results[0]).toMatchObject({ id: 'team/greet', trust: 'verified' })
  })

  it('shows nothing of a row that its bytes do not say', async () => {
    await sync()
    const rows = await openRows()
    const where = "id = 'team/greet'"
    const [row] = await rows.query().where(where).toArray()
    const said = { title: 'Roll back a release', description: 'roll back a release at once' }
    const metadata = JSON.stringify({ ...JSON.parse(row!.metadata), ...said })
    await rows.update({ where, values: { ...said, metadata, words: 'roll back releas' } })
    const answer = await made.run('catalogue search', { table, query: 'roll back a release' })
    const greet = answer.results.find((result: Answer) => result.id === 'team/greet')
    expect(greet).toMatchObject({ title: 'greet', description: 'Greet a person by name', trust: 'verified' })
  })

  it('of a table that is not there says how to make it', async () => {
    expect(await made.run('catalogue search', { table, query: 'x' })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
      hint: expect.stringContaining('catalogue sync'),
    })
  })

  it('refuses bytes of another digest, and other bytes under a good one', async () => {
    await sync()
    await forgeRow(await openRows(), 'team/greet', { digest: 'a'.repeat(64) })
    const answer = await made.run('catalogue search', { table, query: 'team/greet' })
    expect(answer.results[0]).toMatchObject({ id: 'team/greet', trust: 'malformed', description: '' })
    expect(GREET).toContain('Greet a person')
  })
})
