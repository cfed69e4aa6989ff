// Items embedded at a provider's own pace: by `rye index`, and in the background of a server. The provider is
// a real HTTP server on this machine.
import { chmodSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createEmbedder } from '../../src/search/meaning/http-embedder.ts'
import { embedLibrary } from '../../src/workspace/embed-library.ts'
import { openLibrary } from '../../src/workspace/library.ts'
import { openLiveIndex } from '../../src/workspace/live-index.ts'
import { until } from '../fixtures/patience.ts'
import { type Scratch, scratch } from './scratch.ts'

const COUNT = 30

function items(): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: COUNT }, (_, number) => [
      `.ai/knowledge/many/item-${number}.md`,
      `---\nname: item-${number}\ntitle: Item number ${number}\nentry_type: reference\ncategory: many\nversion: "1.0.0"\n---\n\nText ${number}.\n`,
    ]),
  )
}

interface Provider {
  readonly url: string
  /** The texts of each request that was answered with vectors. */
  readonly given: string[][]
  requests: number
  dimensions: number
  /** Answers in place of vectors, where it gives true. */
  before: (texts: readonly string[], response: ServerResponse) => boolean | Promise<boolean>
}

async function provider(): Promise<Provider> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { input } = JSON.parse(body) as { input: string[] }
    made.requests++
    if (await made.before(input, response)) return
    made.given.push(input)
    const data = input.map((text, index) => ({ index, embedding: vectorOf(text, made.dimensions) }))
    response.end(JSON.stringify({ data }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const made: Provider = { url, given: [], requests: 0, dimensions: 4, before: () => false }
  return made
}

function vectorOf(text: string, dimensions: number): number[] {
  return Array.from({ length: dimensions }, (_, at) => 1 + ((text.length * (at + 3)) % 7))
}

/** Each test has a cache of its own: the index of the system's items is embedded in it, too. */
async function world(provided: Provider, model = 'tiny'): Promise<Scratch> {
  const made = await scratch(items(), { environment: { XDG_CACHE_HOME: '' } })
  made.write('user:.ai/config/rye.toml', `[embeddings]\nurl = "${provided.url}"\nmodel = "${model}"\n`)
  return made
}

const asked = ({ given }: Provider) => given.flat().filter(text => text.startsWith('Item number'))

it('embeds every item once, at a pace that suits the provider, and tells of it', async () => {
  const provided = await provider()
  const made = await world(provided)
  const answer = await made.run('index')
  expect(answer.embeddings).toEqual({ model: 'tiny', embedded: answer.items, missing: 0 })
  expect(asked(provided)).toHaveLength(COUNT)
  expect(new Set(asked(provided)).size).toBe(COUNT)
  // Only how long its vectors are is asked for again.
  provided.given.length = 0
  expect((await made.run('index')).embeddings).toEqual({ model: 'tiny', embedded: 0, missing: 0 })
  expect(provided.given).toEqual([['dimension']])
  made.write(
    '.ai/knowledge/many/item-0.md',
    items()['.ai/knowledge/many/item-0.md']!.replace('Text', 'Prose'),
  )
  expect((await made.run('index')).embeddings).toMatchObject({ embedded: 1, missing: 0 })
  expect((await made.run('search', { query: 'prose of an item', source: 'project' })).search_type).toBe(
    'hybrid',
  )
})

it('keeps what is done when the provider fails, and goes on from there', async () => {
  const provided = await provider()
  const made = await world(provided)
  provided.before = (texts, response) => {
    if (provided.given.flat().length < 20 || texts.length === 0) return false
    response.writeHead(401).end('{"error": "pay first"}')
    return true
  }
  const first = await made.run('index')
  expect(first.embeddings.problem).toMatch(/got 401: pay first$/)
  const done = first.embeddings.embedded
  expect(done).toBeGreaterThan(0)
  expect(first.embeddings.missing).toBe(first.items - done)
  provided.before = () => false
  const second = await made.run('index')
  expect(second.embeddings).toEqual({ model: 'tiny', embedded: first.items - done, missing: 0 })
  expect(new Set(provided.given.flat()).size).toBe(provided.given.flat().length - 1)
})

it('waits when it is asked to, and sends less at once', async () => {
  const provided = await provider()
  const made = await world(provided)
  let refused = 0
  provided.before = (texts, response) => {
    if (texts.length <= 4) return false
    refused++
    response.writeHead(429, { 'retry-after': '0' }).end()
    return true
  }
  const answer = await made.run('index')
  expect(answer.embeddings).toEqual({ model: 'tiny', embedded: answer.items, missing: 0 })
  expect(refused).toBeGreaterThan(0)
  expect(Math.max(...provided.given.map(texts => texts.length))).toBeLessThanOrEqual(4)
})

it('leaves out a text that the provider does not take', async () => {
  const provided = await provider()
  const made = await world(provided)
  provided.before = (texts, response) => {
    if (!texts.some(text => text.startsWith('Item number 7'))) return false
    response.writeHead(400).end('{"error": "too long"}')
    return true
  }
  const answer = await made.run('index')
  expect(answer.embeddings).toEqual({ model: 'tiny', embedded: answer.items - 1, missing: 1 })
  expect(asked(provided)).toHaveLength(COUNT - 1)
})

it.each<[string, (texts: readonly string[]) => unknown]>([
  ['too few vectors', texts => texts.slice(1).map(() => ({ embedding: [1, 2, 3, 4] }))],
  ['vectors of another length', texts => texts.map(() => ({ embedding: texts.length === 1 ? [1, 2] : [1] }))],
  ['no direction', texts => texts.map(() => ({ embedding: [0, 0, 0, 0] }))],
  ['something else', () => 'vectors'],
])('a provider that answers %s costs a sentence, and no index', async (_, data) => {
  const provided = await provider()
  const made = await world(provided)
  provided.before = (texts, response) => {
    response.end(
      JSON.stringify({
        data: texts.length === 1 && texts[0] === 'dimension' ? [{ embedding: [1, 2, 3, 4] }] : data(texts),
      }),
    )
    return true
  }
  const answer = await made.run('index')
  expect(answer.items).toBeGreaterThan(COUNT)
  expect(answer.embeddings).toMatchObject({ embedded: 0, missing: answer.items, problem: expect.any(String) })
  expect(provided.requests).toBeLessThan(20)
})

it('makes vectors of another length or model again', async () => {
  const provided = await provider()
  const made = await world(provided)
  const { items: all } = await made.run('index')
  provided.dimensions = 6
  expect((await made.run('index')).embeddings).toMatchObject({ embedded: all, missing: 0 })
  made.write('user:.ai/config/rye.toml', `[embeddings]\nurl = "${provided.url}"\nmodel = "other"\n`)
  expect((await made.run('index')).embeddings).toEqual({ model: 'other', embedded: all, missing: 0 })
})

it('asks for each text once when two processes embed at the same time', async () => {
  const provided = await provider()
  const made = await world(provided)
  const other = openLibrary({ environment: made.environment })
  onTestFinished(() => other.close())
  made.write('user:.ai/config/rye.toml', '')
  const { items: all } = await made.run('index')
  const embedder = createEmbedder({ url: provided.url, model: 'tiny', timeoutMs: 60_000, fetch })
  const reports = await Promise.all(
    [made.library, other].map(async library => {
      const index = await openLiveIndex(await library.open(made.project), { watch: false })
      return embedLibrary(index, embedder, { signal: new AbortController().signal, onProgress: () => {} })
    }),
  )
  expect(reports.map(({ missing }) => missing)).toEqual([0, 0])
  expect(reports[0]!.embedded + reports[1]!.embedded).toBe(all)
  expect(asked(provided)).toHaveLength(COUNT)
})

it('works in memory where nothing can be written', async () => {
  const provided = await provider()
  const made = await world(provided)
  made.write('user:.cache/rye/index', 'no folder')
  chmodSync(made.path('user:.cache/rye'), 0o500)
  const answer = await made.run('index')
  expect(answer.embeddings).toEqual({ model: 'tiny', embedded: answer.items, missing: 0 })
})

it('a server embeds in the background: agents are answered meanwhile, and told what is missing', async () => {
  const provided = await provider()
  const made = await world(provided)
  let open = () => {}
  const held = new Promise<void>(resolve => {
    open = resolve
  })
  provided.before = async texts => {
    if (texts.length > 1) await held
    return false
  }
  const search = () => made.run('search', { query: 'prose of an item', source: 'project' }, 'agent')
  const first = await search()
  expect(first.search_type).toBe('keyword')
  expect(first.warning).toMatch(/^\d+ items have no embedding yet$/)
  open()
  await until(() => asked(provided).length === COUNT)
  await until(async () => (await search()).warning === undefined)
  expect(await search()).toMatchObject({ search_type: 'hybrid' })
  provided.given.length = 0
  await search()
  expect(provided.given).toEqual([['prose of an item']])
})

it('says once that items could not be embedded, and leaves the provider alone then', async () => {
  const provided = await provider()
  const made = await world(provided)
  provided.before = (texts, response) => {
    if (texts.length === 1) return false
    response.writeHead(401).end()
    return true
  }
  const search = () => made.run('search', { query: 'prose of an item', source: 'project' }, 'agent')
  expect((await search()).warning).toMatch(/got 401$/)
  const { requests } = provided
  const second = await search()
  expect(second.warning).toMatch(/^\d+ items have no embedding yet$/)
  expect(provided.requests).toBe(requests + 1)
})

it('a question that got no answer is not asked again at once', async () => {
  const provided = await provider()
  const made = await world(provided)
  provided.before = (_, response) => {
    response.destroy()
    return true
  }
  const search = () => made.run('search', { query: 'prose of an item', source: 'project' }, 'agent')
  for (const _ of ['first', 'second'])
    expect((await search()).warning).toMatch(/^answered by words alone: .*it cannot be reached$/)
  expect(provided.requests).toBe(1)
})
