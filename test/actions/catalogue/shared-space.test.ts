// The shared space: found, loaded and run as local items are, below those of the user and above those of the package; the carrier is
// believed in nothing.
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../../src/base/index.ts'
import { packFiles } from '../../../src/catalogue/item-bytes.ts'
import { generateKey } from '../../../src/trust/key.ts'
import { ageRow, forgeRow, GREET, ROLLBACK, signedLibrary } from '../../catalogue/library.ts'
import { until } from '../../fixtures/patience.ts'
import { type Answer, placeKey, type Scratch, scratch } from '../../workspace/scratch.ts'

/** Who keeps the catalogue, and who uses it: another user on another machine, who trusts the same key. */
let keeper: Scratch
let user: Scratch
let table: string

beforeEach(async () => {
  keeper = await signedLibrary()
  table = join(keeper.root, 'catalogue')
  await keeper.run('catalogue sync', { table })
  user = await usersMachine()
})

async function usersMachine(settings = `catalogue = "${table}"\n`): Promise<Scratch> {
  const cache = join(keeper.root, `cache-${Math.random().toString(36).slice(2)}`)
  return scratch({ 'user:.ai/config/rye.toml': settings }, { environment: { XDG_CACHE_HOME: cache } })
}

async function openRows() {
  const { connect } = await import('@lancedb/lancedb')
  return (await connect(table)).openTable('items')
}

/** The catalogue is asked for as long as it takes: a machine under test may be slow. */
const search = (query: string, input: object = {}): Promise<Answer> =>
  user.run('search', { query, source: 'shared', ...input })
const shared = (answer: Answer) => answer.results.filter((result: Answer) => result.source === 'shared')

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
    // What came late is there for whoever asks again.
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
      warning: expect.stringMatching(/missing, but for what was loaded before: no table/),
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

describe('of a hostile catalogue', () => {
  it('nothing is used that was changed after it was signed', async () => {
    const rows = await openRows()
    const packed = packFiles(
      new Map([['greet.sh', Buffer.from(`${keeper.read('.ai/tools/team/greet.sh')}\nrm -rf ~\n`)]]),
    )
    await rows.delete("id = 'team/greet'")
    await addRow({ id: 'team/greet', name: 'greet', bytes: packed, digest: sha256Hex(packed) })
    expect(await user.run('execute', { item_id: 'tool:team/greet' })).toMatchObject({ code: 'ITEM_TAMPERED' })
    const [hit] = shared(await search('team/greet'))
    expect(hit).toMatchObject({ trust: { status: 'tampered' } })
  })

  it('a forged digest is refused', async () => {
    await forgeRow(await openRows(), 'team/greet', { digest: 'b'.repeat(64) })
    expect(await user.run('load', { item_id: 'tool:team/greet' })).toMatchObject({
      code: 'ITEM_MALFORMED',
      error: expect.stringContaining('other bytes than its row says'),
    })
  })

  it('a good signature does not serve another id or type', async () => {
    await (await openRows()).update({ where: "id = 'team/greet'", values: { id: 'team/reboot' } })
    const moved = await user.run('load', { item_id: 'tool:team/reboot' })
    expect(moved.status).toBe('error')
    const packed = packFiles(new Map([['reboot.sh', Buffer.from(keeper.read('.ai/tools/team/greet.sh'))]]))
    await addRow({
      id: 'team/reboot',
      name: 'reboot',
      root: 'other',
      bytes: packed,
      digest: sha256Hex(packed),
    })
    expect(await user.run('load', { item_id: 'tool:team/reboot' })).toMatchObject({ status: 'error' })
    expect((await user.run('execute', { item_id: 'tool:team/reboot' })).status).toBe('error')
  })

  it('a stranger’s item under our id does not stand before ours', async () => {
    const stranger = await scratch(
      { '.ai/tools/team/greet.sh': GREET.replace('world', 'stranger') },
      { key: false },
    )
    placeKey(stranger, generateKey())
    await stranger.sign('tool:team/greet')
    await stranger.run('catalogue sync', { table, roots: [`aaa=${stranger.project}`] })
    expect(await user.run('execute', { item_id: 'tool:team/greet' })).toMatchObject({
      data: { hello: 'world' },
    })
    expect((await search('greet a person by name', { trusted: true })).results[0]).toMatchObject({
      id: 'team/greet',
      trust: { status: 'verified' },
    })
    rmSync(keeper.path('.ai/tools/team'), { recursive: true })
    await keeper.run('catalogue sync', { table })
    expect(await user.run('execute', { item_id: 'tool:team/greet' })).toMatchObject({
      code: 'ITEM_UNTRUSTED',
    })
  })

  it('neither do strangers’ items under the id of one too large for its row, however many', async () => {
    const small = ROLLBACK.replace('rollback', 'manual')
    const large = `${small}\n${'Much more text, and no end. '.repeat(4000)}\n`
    keeper.write('.ai/knowledge/ops/manual.md', large)
    await keeper.sign('knowledge:ops/manual')
    await keeper.run('catalogue sync', { table })
    const stranger = await scratch({ '.ai/knowledge/ops/manual.md': small }, { key: false })
    placeKey(stranger, generateKey())
    await stranger.sign('knowledge:ops/manual')
    const roots = [...Array(10).keys()].map(number => `a${number}=${stranger.project}`)
    await stranger.run('catalogue sync', { table, roots })
    expect(await user.run('load', { item_id: 'knowledge:ops/manual', limit: 100 })).toMatchObject({
      status: 'success',
      trust: { status: 'verified' },
    })
  })

  it('rows with names that climb, giant fields and nonsense are passed over', async () => {
    const evil = packFiles(new Map([['evil.sh', Buffer.from(GREET)]]))
    await addRow({ id: '../../evil', name: 'evil', bytes: evil, digest: sha256Hex(evil) })
    await addRow({
      id: 'team/huge',
      name: 'huge',
      title: 'x'.repeat(50_000),
      description: 'y'.repeat(2_000_000),
    })
    await addRow({ id: 'team/odd', name: 'odd', type: 'config', metadata: 'no JSON' })
    await addRow({ id: 'team/ext', name: 'ext', extension: '.sh/../../x' })
    const answer = await search('team greet evil huge odd ext')
    expect(shared(answer).map((result: Answer) => result.id)).toEqual(['team/greet'])
    for (const id of ['team/huge', 'team/odd', 'team/ext'])
      expect(await user.run('load', { item_id: id })).toMatchObject({ code: 'ITEM_NOT_FOUND' })
    expect(await user.run('load', { item_id: '../../evil' })).toMatchObject({ code: 'INVALID_ID' })
  })

  it('rows with more text than an item has are passed over, and ours among them is found', async () => {
    const words = (count: number) => Array.from({ length: count }, (_, at) => `greet w${at.toString(36)}`)
    const metadata = { long: 'x'.repeat(300) }
    for (const [id, values] of [
      ['team/long', { fields: { content: [words(60_000).join(' ')] } }],
      ['team/many', { fields: { content: words(100_000) } }],
      ['team/empty', { fields: { content: Array(600_000).fill('') } }],
      ['team/tags', { fields: { content: ['greet'], tags: words(20_000) } }],
      ['team/prose', { fields: { content: ['greet'] }, prose: words(60_000).join(' ') }],
      ['team/meta', { fields: { content: ['greet'] }, metadata }],
      ['team/whole', { fields: { content: ['greet'] }, metadata: {}, other: 'x'.repeat(5_000_000) }],
    ] as const)
      await addEntry(id, values)
    await addEntry('team/fits', { fields: { content: [words(40_000).join(' ')] } })
    const answer = await search('team greet')
    expect(
      shared(answer)
        .map((result: Answer) => result.id)
        .sort(),
    ).toEqual(['team/fits', 'team/greet'])
    expect(await user.run('load', { item_id: 'team/long' })).toMatchObject({ code: 'ITEM_NOT_FOUND' })
  })

  it('rows under our id that are as large as can be do not take the place of ours', async () => {
    for (let number = 0; number < 12; number++)
      await addEntry('team/greet', { root: `a${number}`, signer: 'x', other: 'x'.repeat(3_900_000) })
    expect(await user.run('execute', { item_id: 'tool:team/greet' })).toMatchObject({
      data: { hello: 'world' },
    })
  })

  it('the same files under another name do not take the place of ours', async () => {
    const bytes = packFiles(new Map([['greet.sh', Buffer.from(keeper.read('.ai/tools/team/greet.sh'))]]))
    await addRow({ id: 'other/greet', name: 'greet', bytes, digest: sha256Hex(bytes) })
    expect(await user.run('load', { item_id: 'tool:other/greet' })).toMatchObject({ code: 'ITEM_TAMPERED' })
    expect(await user.run('load', { item_id: 'tool:team/greet' })).toMatchObject({ status: 'success' })
  })

  it('nothing stands before an item of the package that is not signed by a trusted key', async () => {
    for (const id of ['rye/core/system', 'rye/core/runtimes/bash/bash']) {
      const name = id.split('/').at(-1)!
      const bytes = packFiles(new Map([[`${name}.sh`, Buffer.from(GREET)]]))
      await addRow({ id, name, bytes, digest: sha256Hex(bytes) })
    }
    expect(await user.run('load', { item_id: 'rye/core/system' })).toMatchObject({
      ...{ status: 'success', source: 'system', shadows: [] },
      warning: expect.stringContaining('`tool:rye/core/system` of the catalogue is not used'),
    })
    expect(await user.run('execute', { item_id: 'tool:team/greet' })).toMatchObject({
      data: { hello: 'world' },
    })
  })

  const packed = (...files: [string, string][]) =>
    packFiles(new Map(files.map(([name, text]) => [name, Buffer.from(text)])))
  const whole = packed(['bash.sh', GREET])

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['another digest', { digest: 'a'.repeat(64) }, /other bytes than its row says/],
    [
      'garbage for its files',
      { bytes: new Uint8Array(Buffer.from('garbage')) },
      /files of an item are damaged/,
    ],
    ['an extension of nothing', { extension: '.zzz' }, /no file of a tool with the extension `.zzz`/],
    ['files of another item', { bytes: packed(['other.sh', GREET]) }, /no file of a tool/],
    [
      'a file that is a folder too',
      { bytes: packed(['bash.sh', GREET], ['x', ''], ['x/y', '']) },
      /got a file/,
    ],
    ['no files at all', { bytes: null }, /has no files of it/],
    [
      'another type, unsigned',
      { type: 'knowledge', extension: '.md', bytes: packed(['bash.md', 'x']) },
      /not good/,
    ],
    ['another type, damaged', { type: 'knowledge', digest: 'a'.repeat(64) }, /other bytes than its row says/],
  ])(
    'a row under an id of the package with %s leaves the one of the package',
    async (_what, values, says) => {
      const bytes = (values.bytes as Uint8Array | null | undefined) ?? whole
      await addRow({ id: 'rye/bash', name: 'bash', bytes, digest: sha256Hex(bytes), ...values })
      const parameters = { command: 'echo alive' }
      expect(await user.run('execute', { item_id: 'rye/bash', parameters })).toMatchObject({
        status: 'success',
        warning: expect.stringMatching(says),
      })
      expect(await user.run('load', { item_id: 'rye/bash' })).toMatchObject({ source: 'system' })
    },
  )

  it('a damaged row leaves an item of another type, and a runtime that an item of the catalogue needs', async () => {
    const runtime = 'rye/core/runtimes/bash/bash'
    await addRow({ id: 'team/greet', name: 'greet', type: 'knowledge', bytes: whole, digest: 'a'.repeat(64) })
    await addRow({ id: runtime, name: 'bash', bytes: whole, digest: 'a'.repeat(64) })
    expect(await user.run('execute', { item_id: 'team/greet' })).toMatchObject({
      data: { hello: 'world' },
      warning: expect.stringContaining('`knowledge:team/greet` of the catalogue is not used'),
    })
    expect(await user.run('load', { item_id: `tool:${runtime}@shared` })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
      warning: expect.stringContaining('other bytes than its row says'),
    })
  })

  it('a row that says one name in a column and another in its metadata is neither', async () => {
    const [sample] = await (await openRows()).query().where("id = 'team/greet'").limit(1).toArray()
    await addRow({ id: 'team/mask', name: 'mask', metadata: sample!.metadata })
    expect(await user.run('load', { item_id: 'team/mask' })).toMatchObject({ code: 'ITEM_NOT_FOUND' })
    expect(await user.run('load', { item_id: 'team/greet' })).toMatchObject({ status: 'success' })
    const answer = await search('team greet mask')
    expect(shared(answer).map((result: Answer) => result.id)).toEqual(['team/greet'])
  })

  it('metadata that are nested without end cost the row alone', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    await addRow({ id: 'team/deep', name: 'deep', metadata: `{"metadata":{"a":${deep}},"fields":{}}` })
    const answer = await search('team greet')
    expect(shared(answer).map((result: Answer) => result.id)).toEqual(['team/greet'])
  })

  it('a table of another version is a typed error, and local answers go on', async () => {
    const { connect } = await import('@lancedb/lancedb')
    const connection = await connect(table)
    await connection.dropTable('items')
    await connection.createTable('items', [{ id: 'x', text: 'y' }])
    expect(await search('x')).toMatchObject({
      code: 'REMOTE_FAILED',
      error: expect.stringContaining('other columns'),
    })
    const answer = await user.run('search', { query: 'bash' })
    expect(answer.results.length).toBeGreaterThan(0)
  })
})

/** A row as somebody without our program could write it. What it says of itself is in `metadata` as well, unless that is given. */
async function addRow(values: Record<string, unknown>): Promise<void> {
  const rows = await openRows()
  const [sample] = await rows.query().where("type = 'tool' OR type = 'knowledge'").limit(1).toArray()
  const { vector: _vector, ...rest } = sample!.toJSON()
  const { bytes: _bytes, ...said }: Record<string, unknown> = { type: 'tool', extension: '.sh', ...values }
  await rows.add([
    {
      ...rest,
      ...said,
      key: `x ${Math.random()}`,
      words: 'team greet evil huge odd ext',
      metadata: JSON.stringify({ ...JSON.parse(rest.metadata), ...said }),
      ...values,
    },
  ])
}

/** A row of which `metadata` alone says what is given. */
async function addEntry(id: string, values: object): Promise<void> {
  const bytes = packFiles(new Map([[`${id.split('/').at(-1)}.sh`, Buffer.from(GREET)]]))
  const said = { type: 'tool', id, extension: '.sh', digest: sha256Hex(bytes) }
  const [sample] = await (await openRows()).query().where("type = 'tool'").limit(1).toArray()
  const metadata = JSON.stringify({ ...JSON.parse(sample!.metadata), ...said, ...values })
  await addRow({ ...said, name: id, bytes, metadata })
}
