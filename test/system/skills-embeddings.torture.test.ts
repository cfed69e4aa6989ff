// Skills found by words and by meaning, on a real LanceDB and an embeddings provider on loopback; one test
// through the command.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, type Scratch, scratch } from '../workspace/scratch.ts'
import { type EmbeddingsServer, startEmbeddings } from './embeddings-server.ts'
import { PROGRAM } from './run-rye.ts'

const AXES = [
  ['zebra', 'stripes', 'striped'],
  ['quagga', 'mane'],
  ['crossing', 'street'],
]

const ROWS = ['alpha', 'alpha.one', 'beta', 'beta.two', 'gamma', 'gamma.three']

let made: Scratch
let server: EmbeddingsServer
let uri: string
beforeEach(async () => {
  made = await scratch({}, { shared: true, environment: { ZOO_KEY: 'zoo-secret-1' } })
  server = await startEmbeddings(AXES)
  uri = made.path('db')
  addTool('alpha', 'one', 'Zebra')
  addTool('beta', 'two', 'Quagga')
  addTool('gamma', 'three', 'Zebra and quagga at the street')
  configure(server.url, 'axes')
})
afterEach(async () => {
  await server.close()
  await made.close()
})

function addTool(skill: string, tool: string, description: string): void {
  made.write(`skills/${skill}/SKILL.md`, `---\nname: ${skill}\ndescription: A skill\n---\n`)
  made.write(
    `skills/${skill}/scripts/a.py`,
    `@skill_command(description="${description}", category="zoo")\ndef ${tool}(): pass\n`,
  )
}

function configure(url: string, model: string): void {
  const text = `[embeddings]\nurl = "${url}"\nmodel = "${model}"\nkey_env = "ZOO_KEY"\n`
  made.write('user:.ai/config/rye.toml', text)
}

async function sync() {
  return made.run('skills sync', { directory: made.path('skills'), lance: uri })
}

async function search(query: string, options: object = {}) {
  const answer = await made.run('skills search', { query, lance: uri, type: 'command', ...options })
  expect(JSON.stringify(answer)).not.toContain('zoo-secret-1')
  // Tests look into it freely.
  return answer as Answer & { results: { id: string; score: number }[] }
}

const scores = (answer: { results: { id: string; score: number }[] }) =>
  answer.results.map(one => [one.id, one.score])
const rounded = (value: number) => Math.round(value * 1e6) / 1e6
const byWords = (rank: number) => 1.5 / (10 + rank)
const byMeaning = (rank: number) => 1 / (10 + rank)

describe('with embeddings', () => {
  it('both rankings are joined by weighted reciprocal rank, and each boost counts once', async () => {
    expect(await sync()).toMatchObject({ added: ROWS })
    expect(server.requests.every(({ key }) => key === 'Bearer zoo-secret-1')).toBe(true)
    // Found by the word in two of them; by meaning all three, the nearest first. The word in the description counts once.
    const zebra = await search('zebra zebra')
    expect(zebra).toMatchObject({ search_type: 'hybrid', total: 3 })
    expect(zebra).not.toHaveProperty('warning')
    expect(scores(zebra)).toEqual([
      ['alpha.one', rounded(byWords(1) + byMeaning(1) + 0.03)],
      ['gamma.three', rounded(byWords(2) + byMeaning(2) + 0.03)],
      ['beta.two', rounded(byMeaning(3))],
    ])
    // No word of it is in the table: by meaning alone.
    const striped = await search('striped')
    expect(scores(striped)).toEqual([
      ['alpha.one', rounded(byMeaning(1))],
      ['gamma.three', rounded(byMeaning(2))],
      ['beta.two', rounded(byMeaning(3))],
    ])
    expect(striped.results[0]).toMatchObject({ vector_score: 1, confidence: 'low' })
    expect(striped.results[0]).not.toHaveProperty('keyword_score')
    // The name's words and the whole name, over one.
    const named = await search('alpha.one')
    expect(named.results[0]).toMatchObject({
      id: 'alpha.one',
      score: 1,
      confidence: 'high',
      final_score: 0.95,
    })
  })

  it('filters hold for both rankings', async () => {
    await sync()
    expect(scores(await search('striped', { skill: 'beta' }))).toEqual([['beta.two', rounded(byMeaning(1))]])
    expect(scores(await search('zebra', { category: 'none' }))).toEqual([])
    expect((await search('alpha.one', { confidence: 'high' })).results).toHaveLength(1)
    expect((await search('striped', { threshold: 0.09 })).results).toHaveLength(1)
  })

  it('many tools are embedded in batches, and long ones are cut', async () => {
    for (let index = 0; index < 130; index++) addTool(`many-${index}`, 'tool', `Zebra ${'x'.repeat(3000)}`)
    expect((await sync()).added).toHaveLength(266)
    const sizes = server.requests.map(({ inputs }) => inputs.length)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(64)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThanOrEqual(266)
    const longest = server.requests.flatMap(({ inputs }) => inputs).map(text => text.length)
    expect(Math.max(...longest)).toBe(2000)
  })
})

describe('the command', () => {
  it('syncs and searches with the embeddings that the user has set up', async () => {
    const rye = async (...words: string[]) => {
      const command = [PROGRAM, 'skills', ...words, '--lance', uri, '--json']
      const { stdout } = await promisify(execFile)(process.execPath, command, { env: made.environment })
      return JSON.parse(stdout)
    }
    expect(await rye('sync', made.path('skills'))).toMatchObject({ added: { length: 6 } })
    expect(scores(await rye('search', 'zebra', '--type', 'command', '--limit', '1'))).toEqual([
      ['alpha.one', rounded(byWords(1) + byMeaning(1) + 0.03)],
    ])
    await server.close()
    const answer = await rye('search', 'zebra', '--type', 'command')
    expect(answer.warning).toMatch(/^answered by words alone: .* it cannot be reached$/)
    expect(answer.results.map((one: { id: string }) => one.id)).toEqual(['alpha.one', 'gamma.three'])
  })
})

describe('a provider that', () => {
  it.each(['fail', 'nonsense', 'hang'] as const)('%ss costs a warning, not the answer', async mode => {
    await sync()
    server.mode = mode
    const answer = await search('zebra')
    expect(answer.warning).toMatch(/^answered by words alone: embeddings from `127\.0\.0\.1:\d+`: /)
    expect(answer.search_type).toBe('keyword')
    expect(scores(answer)).toEqual([
      ['alpha.one', rounded(byWords(1) + 0.03)],
      ['gamma.three', rounded(byWords(2) + 0.03)],
    ])
  })

  it('is gone costs a warning, not the answer; nor does an unchanged sync need it', async () => {
    await sync()
    await server.close()
    expect(await search('zebra')).toMatchObject({
      warning: expect.stringContaining('cannot be reached'),
      results: [{ id: 'alpha.one' }, { id: 'gamma.three' }],
    })
    expect(await sync()).toMatchObject({ unchanged_count: 6 })
  })

  it('fails while a table is written leaves it as it was, and the next sync ends the work', async () => {
    await sync()
    addTool('alpha', 'one', 'Zebra with a mane')
    addTool('delta', 'four', 'Crossing')
    server.mode = 'fail'
    expect(await sync()).toMatchObject({ status: 'error', code: 'REMOTE_FAILED' })
    server.mode = 'answer'
    expect((await search('zebra')).total).toBe(3)
    expect(await sync()).toMatchObject({
      added: ['delta', 'delta.four'],
      updated: ['alpha', 'alpha.one'],
      unchanged_count: 4,
    })
    expect((await search('zebra')).total).toBe(4)
  })
})

describe('vectors of', () => {
  it('another model are not compared: words answer, with a warning, until the table is synced', async () => {
    await sync()
    configure(server.url, 'other')
    const answer = await search('zebra')
    expect(answer).toMatchObject({
      search_type: 'keyword',
      warning: expect.stringContaining('the table has vectors of `axes`'),
    })
    expect(await sync()).toMatchObject({ updated: ROWS })
    expect(await search('zebra')).toMatchObject({ search_type: 'hybrid' })
  })

  it('no model are missed with a warning, until the table is synced', async () => {
    made.write('user:.ai/config/rye.toml', '[search]\nmeaning = "off"\n')
    await sync()
    expect(await search('zebra')).toMatchObject({ search_type: 'keyword' })
    configure(server.url, 'axes')
    expect((await search('zebra')).warning).toContain('the table has no vectors')
    await sync()
    expect(await search('zebra')).toMatchObject({ search_type: 'hybrid' })
  })

  it('another length are not compared, though the model has the same name, until the table is synced', async () => {
    await sync()
    server.axes = [...AXES, ['savannah']]
    expect(await search('zebra')).toMatchObject({
      search_type: 'keyword',
      warning: expect.stringContaining('the table has vectors of 4 numbers, expected 5; sync the table'),
    })
    expect(await sync()).toMatchObject({ unchanged_count: 6 })
    expect(await search('zebra')).toMatchObject({ search_type: 'hybrid' })
  })

  it('the built-in model are made and compared where no other is set up', async () => {
    made.write('user:.ai/config/rye.toml', '')
    addTool('delta', 'four', 'Translate a text into another language')
    addTool('epsilon', 'five', 'Qwxz vbnm')
    await sync()
    // No word of it is in the table.
    const answer = await search('interpret Spanish')
    expect(answer).toMatchObject({ search_type: 'hybrid' })
    expect(answer).not.toHaveProperty('warning')
    expect(scores(answer)[0]).toEqual(['delta.four', rounded(byMeaning(1))])
    expect(answer.results.map(one => one.id)).not.toContain('epsilon.five')
    // Neither words nor meaning: nothing, not whatever is least far.
    expect((await search('qqqq')).results).toEqual([])
    expect(server.requests).toEqual([])
    made.write('user:.ai/config/rye.toml', '[search]\nmeaning = "off"\n')
    expect((await search('interpret Spanish')).results).toEqual([])
  })
})
