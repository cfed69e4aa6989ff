// Files beside a tool travel with it through a catalogue, and each is verified where the tool runs; nothing else of its folder does.
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../../src/base/index.ts'
import { packFiles, unpackFiles } from '../../../src/catalogue/item-bytes.ts'
import { forgeRow } from '../../catalogue/library.ts'
import { type Scratch, scratch } from '../../workspace/scratch.ts'

const tool = (body: string) => `"""Say a word."""

__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python/script"
__category__ = "team"
__tool_description__ = "Say a word"

${body}
`
const SAY = tool('import json\nfrom _words import word\n\nprint(json.dumps({"says": word()}))')
const FILES = {
  '.ai/tools/team/say.py': SAY,
  '.ai/tools/team/_words.py': 'from _deeper import WORD\n\n\ndef word():\n    return WORD\n',
  '.ai/tools/team/_deeper.py': 'WORD = "hello"\n',
  '.ai/tools/team/_unused.py': 'SECRET = 1\n',
}

let keeper: Scratch
let table: string
beforeEach(async () => {
  keeper = await scratch(FILES)
  for (const name of ['say', '_words', '_deeper', '_unused']) await keeper.sign(`tool:team/${name}`)
  table = join(keeper.root, 'catalogue')
  await sync()
})

const sync = () => keeper.run('catalogue sync', { table })
const says = (data: unknown) => ({ status: 'success', data })

/** Of somebody else, who trusts the same key. */
async function machine(): Promise<Scratch> {
  const cache = join(keeper.root, `cache-${Math.random().toString(36).slice(2)}`)
  const settings = { 'user:.ai/config/rye.toml': `catalogue = "${table}"\n` }
  return scratch(settings, { environment: { XDG_CACHE_HOME: cache } })
}

async function rows() {
  const { connect } = await import('@lancedb/lancedb')
  return (await connect(table)).openTable('items')
}

async function filesOf(id: string): Promise<Map<string, Uint8Array>> {
  const [row] = await (await rows()).query().where(`id = '${id}'`).toArray()
  return unpackFiles(row!.bytes)
}

describe('a tool of a catalogue', () => {
  it('runs with the files that it names, and those that they name', async () => {
    expect([...(await filesOf('team/say')).keys()].sort()).toEqual(['_deeper.py', '_words.py', 'say.py'])
    const user = await machine()
    expect(await user.run('execute', { item_id: 'tool:team/say' })).toMatchObject(says({ says: 'hello' }))
    // They belong to the tool and are not items of their own.
    expect(await user.run('load', { item_id: 'tool:team/_words' })).toMatchObject({ code: 'ITEM_NOT_FOUND' })
  })

  it('is written again when one of them changes, and only then', async () => {
    expect(await sync()).toMatchObject({ updated: 0, unchanged: 1 })
    keeper.write('.ai/tools/team/_deeper.py', 'WORD = "good evening"\n')
    await keeper.sign('tool:team/_deeper')
    expect(await sync()).toMatchObject({ updated: 1 })
    const user = await machine()
    expect(await user.run('execute', { item_id: 'tool:team/say' })).toMatchObject(
      says({ says: 'good evening' }),
    )
  })

  it('never runs with a file that somebody has changed on the way', async () => {
    const files = await filesOf('team/say')
    files.set('_deeper.py', Buffer.from('WORD = "forged"\n'))
    const bytes = packFiles(files)
    await forgeRow(await rows(), 'team/say', { bytes, digest: sha256Hex(bytes) })
    const answer = await (await machine()).run('execute', { item_id: 'tool:team/say' })
    expect(answer.status).toBe('error')
    expect(JSON.stringify(answer)).not.toContain('forged')
  })

  it('takes no second file of its own name along', async () => {
    const files = await filesOf('team/say')
    const bytes = packFiles(new Map([...files, ['say.sh', Buffer.from('echo forged\n')]]))
    await forgeRow(await rows(), 'team/say', { bytes, digest: sha256Hex(bytes) })
    expect(await (await machine()).run('load', { item_id: 'tool:team/say' })).toMatchObject({
      code: 'ITEM_MALFORMED',
    })
  })

  it('brings its whole folder where that is a package', async () => {
    keeper.write('.ai/tools/pack/__init__.py', '"""A package."""\n')
    keeper.write('.ai/tools/pack/parts/plural.py', 'def plural(word):\n    return word + "s"\n')
    keeper.write(
      '.ai/tools/pack/many.py',
      tool(
        'import importlib, json\n\nname = "parts." + "plural"\nprint(json.dumps(importlib.import_module(name).plural("word")))',
      ).replace('"team"', '"pack"'),
    )
    for (const name of ['__init__', 'parts/plural', 'many']) await keeper.sign(`tool:pack/${name}`)
    await sync()
    expect([...(await filesOf('pack/many')).keys()].sort()).toEqual([
      ...['__init__.py', 'many.py', 'parts/plural.py'],
    ])
    expect(await (await machine()).run('execute', { item_id: 'tool:pack/many' })).toMatchObject(says('words'))
  })
})
