// Search by meaning, against a real HTTP provider on this machine.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { openLiveIndex } from '../../src/workspace/live-index.ts'
import { questionEmbedder } from '../../src/workspace/query-vector.ts'
import { requestOf } from '../search/sqlite/library.ts'
import { scratch } from './scratch.ts'

const KNOWLEDGE = (name: string, title: string, body: string) => `\`\`\`yaml
name: ${name}
title: ${title}
entry_type: reference
category: energy
version: "1.0.0"
\`\`\`

${body}
`

const ITEMS = {
  '.ai/knowledge/energy/panels.md': KNOWLEDGE(
    'panels',
    'Photovoltaic panels',
    'How panels on a roof make current.',
  ),
  '.ai/knowledge/energy/turbines.md': KNOWLEDGE('turbines', 'Wind turbines', 'How rotors make current.'),
}

/** Two dimensions: how much a text speaks of the sun, and how much of anything else. */
function meaningOf(text: string): number[] {
  return /sun|photovoltaic|solar/i.test(text) ? [1, 0.1] : [0.1, 1]
}

type Answer = 'right' | 'junk' | 'silent' | ((texts: readonly string[]) => number[][] | undefined)

/** A function answers nothing where it gives nothing. */
async function provider(answer: Answer) {
  const asked: { authorization: string | undefined; texts: number; input: readonly string[] }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { input: string[] }
      asked.push({ authorization: request.headers.authorization, texts: input.length, input })
      if (answer === 'junk') response.end('<html>')
      const vectors = typeof answer === 'function' ? answer(input) : input.map(meaningOf)
      if (answer === 'silent' || answer === 'junk' || !vectors) return
      response.end(JSON.stringify({ data: vectors.map((embedding, index) => ({ index, embedding })) }))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked }
}

/** The index of the system's items is shared: a test of other vectors takes another model. */
const settings = (url: string, model = 'tiny') =>
  `[embeddings]\nurl = "${url}"\nmodel = "${model}"\nkey_env = "PROVIDER_KEY"\n`

it('finds what shares the meaning and no word, and says how it searched', async () => {
  const { url, asked } = await provider('right')
  const world = await scratch(ITEMS, { environment: { PROVIDER_KEY: 'k-123456' } })
  world.write('user:.ai/config/rye.toml', '[search]\nmeaning = "off"\n')
  const before = await world.run('search', { query: 'sunlight make current', source: 'project' })
  expect(before.search_type).toBe('keyword')
  world.write('user:.ai/config/rye.toml', settings(url))
  const search = async () => {
    asked.length = 0
    const answer = await world.run('search', { query: 'sunlight make current', source: 'project' })
    expect(answer.search_type).toBe('hybrid')
    expect(asked.every(request => request.authorization === 'Bearer k-123456')).toBe(true)
    return { answer, texts: asked.reduce((sum, request) => sum + request.texts, 0) }
  }
  let { answer, texts } = await search()
  expect(texts).toBeGreaterThan(Object.keys(ITEMS).length)
  // What there was no time for comes with the next searches; in the end only the question is embedded.
  while (texts > 1) ({ answer, texts } = await search())
  expect(texts).toBe(1)
  expect(answer.warning).toBeUndefined()
  expect(answer.results[0].id).toBe('energy/panels')
})

it.each([
  { query: 'rotors OR nothing' },
  { query: 'current NOT roof' },
  { query: '"make current"' },
  { query: 'rot*' },
  { query: '*' },
  { query: '* *' },
  { query: '' },
  { query: 'make current', match: 'all' },
  { query: 'make current', match: 'any' },
  { query: 'make current', proximity: 2 },
])('an exact query asks no provider: %o', async input => {
  const { url, asked } = await provider('right')
  const world = await scratch({ ...ITEMS, 'user:.ai/config/rye.toml': settings(url) })
  const answer = await world.run('search', { ...input, source: 'project' })
  expect(answer).toMatchObject({ search_type: 'keyword' })
  expect(answer.total).toBeGreaterThan(0)
  expect(answer).not.toHaveProperty('warning')
  expect(asked).toEqual([])
})

it.each(['junk', 'silent'] as const)(
  'a provider that is %s costs a warning, never the answer',
  async kind => {
    const { url } = await provider(kind)
    const world = await scratch({ ...ITEMS, 'user:.ai/config/rye.toml': settings(url) })
    const answer = await world.run('search', { query: 'how do rotors make current', source: 'project' })
    expect(answer.search_type).toBe('keyword')
    expect(answer.results[0].id).toBe('energy/turbines')
    expect(answer.warning).toContain('answered by words alone')
  },
)

it('gives the question and the items of all spaces one deadline', async () => {
  const { url, asked } = await provider(texts => (texts.length === 1 ? texts.map(meaningOf) : undefined))
  const world = await scratch(ITEMS)
  const search = () =>
    world.run('search', { query: 'how do rotors make current', source: 'project' }, 'person')
  world.write('user:.ai/config/rye.toml', '[search]\nmeaning = "off"\n')
  const words = await search()
  world.write('user:.ai/config/rye.toml', settings(url, 'slow'))
  const answer = await search()
  expect(answer).toMatchObject({ search_type: 'keyword', results: words.results })
  expect(answer.warning).toMatch(/^answered by words alone: .*no answer within/)
  expect(asked.filter(request => request.texts === 1)).toHaveLength(1)
  expect(asked.filter(request => request.texts > 1)).toHaveLength(1)
})

it.each(['right', 'junk'] as const)(
  'asks for the question once in a search that looks twice: %s',
  async kind => {
    const { url, asked } = await provider(kind)
    const world = await scratch({ 'user:.ai/config/rye.toml': settings(url) })
    const workspace = await world.library.open(world.project)
    const index = await openLiveIndex(workspace, { watch: false })
    const embed = questionEmbedder(workspace, requestOf('rotors make current'))
    asked.length = 0
    const first = await embed(index)
    expect(first).toHaveProperty(kind === 'right' ? 'vector' : 'problem')
    const second = await embed(index)
    expect(second.vector).toBe(first.vector)
    expect(second.problem).toBe(first.problem)
    const ofQuestion = asked.filter(request => request.input.includes('rotors make current'))
    expect(ofQuestion).toHaveLength(1)
  },
)

it('a provider that measures items otherwise than questions is said, and words alone count', async () => {
  const { url } = await provider(texts =>
    texts.map(text => (texts.length === 1 ? [...meaningOf(text), 0.1] : meaningOf(text))),
  )
  const world = await scratch(ITEMS)
  const search = () => world.run('search', { query: 'how do rotors make current', source: 'project' })
  world.write('user:.ai/config/rye.toml', '[search]\nmeaning = "off"\n')
  const words = await search()
  world.write('user:.ai/config/rye.toml', settings(url, 'torn'))
  for (const _ of ['first', 'second']) {
    const answer = await search()
    expect(answer).toMatchObject({ search_type: 'keyword', results: words.results })
    expect(answer.warning).toMatch(
      /^answered by words alone: .*expected 3 numbers, as for the question, got 2$/,
    )
  }
})
