// What an answer of `search` costs an agent, over the bundled library and a made-up one: bytes of the JSON,
// and the members of a hit, as literals.
import { expect, it } from 'vitest'
import { connectStdio, ERAS, makeWorld, searchFor, type World } from './mcp-world.ts'

type Hit = Record<string, unknown>

const ALWAYS = ['id', 'name', 'description', 'category', 'score', 'type', 'source', 'preview']
const SOMETIMES = ['parameters', 'title', 'trust', 'shadows', 'shadowed_by', 'partial', 'copies']
const QUESTIONS = [
  'read a file',
  'how do I sign all items of my project',
  'run a shell command',
  'search the web',
  'which keys are trusted',
  '*',
]

const WORDS = 'ledger invoice harbour crane parcel customs tariff vessel berth manifest'.split(' ')

function addLibrary(world: World): void {
  for (let number = 0; number < 40; number++) {
    const word = WORDS[number % WORDS.length]!
    const about =
      `Reconcile the ${word} with the “${WORDS[(number + 3) % WORDS.length]}” of the day. `.repeat(12)
    const properties = Object.fromEntries(
      WORDS.map((name, at) => [
        `${name}_number`,
        { type: at % 2 ? 'integer' : 'string', default: at % 2 ? at : name },
      ]),
    )
    const schema = JSON.stringify({ type: 'object', properties, required: [`${word}_number`] })
    world.write(
      `.ai/tools/port/operations/${word}-${number}.sh`,
      `#!/bin/bash\n# __version__ = "1.0.0"\n# __executor_id__ = "rye/core/runtimes/bash/bash"\n# __tool_description__ = ${JSON.stringify(about)}\n# CONFIG_SCHEMA = ${schema}\necho '{}'\n`,
    )
  }
}

function bytesOf(answer: unknown): number {
  return Buffer.byteLength(JSON.stringify(answer))
}

it('ten hits take at most 3500 bytes, one at most 450, none at most 400', async () => {
  const world = makeWorld()
  addLibrary(world)
  const { client } = await connectStdio(world, ERAS[0][1])
  for (const query of [...QUESTIONS, ...WORDS.map(word => `reconcile the ${word}`)]) {
    const ten = await searchFor(client, { query })
    expect(bytesOf(ten), query).toBeLessThanOrEqual(3500)
    expect(bytesOf(await searchFor(client, { query, limit: 1 })), query).toBeLessThanOrEqual(450)
    for (const hit of ten.results as Hit[]) {
      expect(Object.keys(hit).filter(name => !SOMETIMES.includes(name))).toEqual(ALWAYS)
      expect(String(hit.preview).length).toBeLessThanOrEqual(160)
      expect(String(hit.description)).toMatch(/^[^…]*…?$/)
    }
  }
  for (const query of [
    'xylophone zither',
    'how do I knit the sleeve of a cardigan',
    `${'zither '.repeat(60)}`,
  ]) {
    const none = await searchFor(client, { query })
    expect(none.results, query).toEqual([])
    expect(bytesOf(none), query).toBeLessThanOrEqual(400)
  }
})

it('a hit says what a call needs, and the rest only when it is asked for', async () => {
  const world = makeWorld()
  const { client } = await connectStdio(world, ERAS[0][1])
  const ask = async (extra: object) =>
    ((await searchFor(client, { query: 'rye/file-system/read', ...extra })).results as Hit[])[0]!
  expect(await ask({})).toEqual({
    id: 'rye/file-system/read',
    name: 'read',
    description: 'Read a file of the project: the content of a text file, or a page of its lines',
    category: 'rye/file-system',
    score: 1,
    type: 'tool',
    source: 'system',
    preview: '',
    parameters: 'file_path: string, offset?: integer = 1, limit?: integer = 2000',
  })
  const full = await ask({ detail: 'full' })
  expect(full).toMatchObject({
    title: 'read',
    signed: true,
    trust: { status: 'verified', format: 'manifest' },
  })
  expect(Object.keys(full)).toContain('matched')
})
