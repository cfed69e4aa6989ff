// A catalogue that somebody else writes to: nothing it says is trusted.
import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../../src/base/index.ts'
import { packFiles } from '../../../src/catalogue/item-bytes.ts'
import { generateKey } from '../../../src/trust/key.ts'
import { forgeRow, GREET, ROLLBACK } from '../../catalogue/library.ts'
import { type Answer, placeKey, scratch } from '../../workspace/scratch.ts'
import { keeper, openRows, search, shared, table, useCatalogue, user } from './shared-machines.ts'

useCatalogue()

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
      error: expect.stringContaining('does not have the columns'),
    })
    const answer = await user.run('search', { query: 'bash' })
    expect(answer.results.length).toBeGreaterThan(0)
  })
})

/**
 * A row as another program could write it. `metadata` repeats what it says of itself, unless that is given.
 */
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

/** A row in which only `metadata` says what is given. */
async function addEntry(id: string, values: object): Promise<void> {
  const bytes = packFiles(new Map([[`${id.split('/').at(-1)}.sh`, Buffer.from(GREET)]]))
  const said = { type: 'tool', id, extension: '.sh', digest: sha256Hex(bytes) }
  const [sample] = await (await openRows()).query().where("type = 'tool'").limit(1).toArray()
  const metadata = JSON.stringify({ ...JSON.parse(sample!.metadata), ...said, ...values })
  await addRow({ ...said, name: id, bytes, metadata })
}
