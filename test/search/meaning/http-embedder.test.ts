// Embeddings over real HTTP, from a small server on this machine that answers well, badly, slowly or not at all.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { readFields } from '../../../src/query/fields.ts'
import type { Embedder } from '../../../src/search/meaning/embedder.ts'
import { createEmbedder } from '../../../src/search/meaning/http-embedder.ts'
import { MEMORY } from '../../../src/search/sqlite/database.ts'
import { openIndex } from '../../../src/search/sqlite/search-index.ts'
import { idsOf, itemOf, searchFor } from '../sqlite/library.ts'

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

/** Meaning by a list of topics: the same topic, the same direction. */
const TOPICS = [
  ['car', 'vehicle', 'automobile'],
  ['weather', 'rain'],
  ['music', 'song'],
]

function vectorOf(text: string): number[] {
  return TOPICS.map(words => (words.some(word => text.toLowerCase().includes(word)) ? 2 : 0.01))
}

async function serve(
  answer: (request: IncomingMessage, body: string, response: ServerResponse) => void,
): Promise<string> {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () => answer(request, body, response))
  })
  await new Promise<void>(done => server!.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

/** As long as it takes, for vectors of the topics. */
const AT_LEISURE = {
  dimensions: TOPICS.length,
  lastStart: Number.POSITIVE_INFINITY,
  deadline: Number.POSITIVE_INFINITY,
}

function embedderAt(url: string, timeoutMs = 20_000): Embedder {
  return createEmbedder({ url, model: 'topics', key: 'secret', timeoutMs, fetch: globalThis.fetch })
}

/**
 * Asks with more and more time: on a busy machine a short limit may pass before the server is reached at all.
 */
async function askUntil(isReached: () => boolean, ask: (ms: number) => Promise<unknown>): Promise<void> {
  for (let ms = 100; !isReached(); ms *= 4) await ask(ms)
}

function answerWell(request: IncomingMessage, body: string, response: ServerResponse): void {
  expect(request.url).toBe('/v1/embeddings')
  expect(request.headers.authorization).toBe('Bearer secret')
  const { input, model } = JSON.parse(body)
  expect(model).toBe('topics')
  const data = input.map((text: string, index: number) => ({ index, embedding: vectorOf(text) })).reverse()
  response.end(JSON.stringify({ data }))
}

describe('an embedder', () => {
  it('gives unit vectors in the order of the texts', async () => {
    const vectors = await embedderAt(await serve(answerWell)).embed(['a car', 'rain'])
    expect(vectors.map(vector => vector.indexOf(Math.max(...vector)))).toEqual([0, 1])
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
  })

  it.each<[string, (response: ServerResponse) => void]>([
    ['an error', response => response.writeHead(500).end('no')],
    ['something that is not JSON', response => response.end('<html>')],
    ['too few vectors', response => response.end('{"data": []}')],
    ['a vector of words', response => response.end('{"data": [{"embedding": ["a"]}]}')],
    ['a vector without direction', response => response.end('{"data": [{"embedding": [0, 0]}]}')],
    ['a vector without numbers', response => response.end('{"data": [{"embedding": []}]}')],
    ['infinite numbers', response => response.end('{"data": [{"embedding": [1e999, 1]}]}')],
    ['numbers whose squares are infinite', response => response.end('{"data": [{"embedding": [1e200, 1]}]}')],
    ['no numbers', response => response.end('{"data": [{"embedding": [null, 1]}]}')],
    ['NaN, which is no JSON', response => response.end('{"data": [{"embedding": [NaN, 1]}]}')],
    [
      'a vector of 20 000 numbers',
      response => response.end(`{"data": [{"embedding": [${'1,'.repeat(19_999)}1]}]}`),
    ],
    [
      'a place that was not asked for',
      response => response.end('{"data": [{"index": 7, "embedding": [1]}]}'),
    ],
    ['nesting without end', response => response.end('['.repeat(200_000))],
    [
      'a redirect, which is not followed with the key',
      response => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    ],
  ])('refuses %s', async (_, answer) => {
    const url = await serve((_request, _body, response) => answer(response))
    await expect(embedderAt(url).embed(['text'])).rejects.toMatchObject({ code: 'REMOTE_FAILED' })
  })

  it('takes the index of each vector, and refuses two of the same', async () => {
    const data = [0, 0].map(index => ({ index, embedding: [1, 0] }))
    const url = await serve((_request, _body, response) => response.end(JSON.stringify({ data })))
    await expect(embedderAt(url).embed(['one', 'two'])).rejects.toMatchObject({ problem: 'refused' })
  })

  it.each([
    [401, 'denied'],
    [404, 'denied'],
    [429, 'busy'],
    [503, 'busy'],
    [502, 'unreachable'],
    [504, 'unreachable'],
    [400, 'refused'],
    [413, 'refused'],
    [500, 'refused'],
  ])(
    'tells from status %i that it is %s, and says what the provider says, without the key',
    async (status, problem) => {
      const url = await serve((_request, _body, response) => {
        const error = { message: `no \u001b[31m for secret ${'x'.repeat(1000)}` }
        response.writeHead(status, { 'retry-after': '7' }).end(JSON.stringify({ error }))
      })
      const thrown = await embedderAt(url)
        .embed(['text'])
        .catch(error => error)
      expect(thrown).toMatchObject({ code: 'REMOTE_FAILED', problem, retryAfterMs: 7000 })
      expect(thrown.message).toMatch(new RegExp(`expected status 200, got ${status}: no .* for \\*\\*\\* x+`))
      expect(thrown.message).not.toContain('\u001b')
      expect(thrown.message.length).toBeLessThan(300)
    },
  )

  it('gives up on a slow server and on a dead one', async () => {
    const url = await serve(() => {})
    await expect(embedderAt(url, 50).embed(['text'])).rejects.toMatchObject({
      code: 'REMOTE_FAILED',
      message: expect.stringContaining('50 ms'),
    })
    await expect(embedderAt('http://127.0.0.1:1/v1').embed(['text'])).rejects.toMatchObject({
      code: 'REMOTE_FAILED',
      message: expect.stringMatching(/it cannot be reached$/),
    })
  })

  it('says so when the answer breaks off', async () => {
    const url = await serve((_request, _body, response) => {
      response.writeHead(200, { 'content-length': 1000 })
      response.write('{"data": [', () => response.destroy())
    })
    await expect(embedderAt(url).embed(['text'])).rejects.toMatchObject({
      code: 'REMOTE_FAILED',
      message: expect.stringMatching(/the connection closed before the answer was complete$/),
    })
  })
})

describe('a body without end', () => {
  /** `closed` resolves when the client has closed the connection, which is written to until then. */
  async function serveEndless(write: (response: ServerResponse) => unknown) {
    let close = () => {}
    let reached = false
    const closed = new Promise<void>(resolve => {
      close = resolve
    })
    const url = await serve((_request, _body, response) => {
      reached = true
      response.on('close', close)
      write(response)
    })
    return { url, closed, isReached: () => reached }
  }

  it('is cut at a size, and its connection closed', async () => {
    const { url, closed } = await serveEndless(response => {
      const chunk = Buffer.alloc(65_536, 32)
      const go = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', go)
      go()
    })
    await expect(embedderAt(url).embed(['text'])).rejects.toMatchObject({
      code: 'REMOTE_FAILED',
      message: expect.stringContaining('expected at most 524288 bytes'),
    })
    await closed
  })

  it('counts as it unpacks', async () => {
    const packed = gzipSync(Buffer.alloc(50_000_000, 32))
    const url = await serve((_request, _body, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
    )
    await expect(embedderAt(url).embed(['text'])).rejects.toMatchObject({
      message: expect.stringContaining('expected at most 524288 bytes'),
    })
  })

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['stops', response => response.write('{"data":')],
    [
      'drips',
      response => {
        const timer = setInterval(() => response.write(' '), 5)
        response.on('close', () => clearInterval(timer))
      },
    ],
  ])('that %s is given up at the deadline, and its connection closed', async (_, write) => {
    const { url, closed, isReached } = await serveEndless(write)
    await askUntil(isReached, ms =>
      expect(embedderAt(url, ms).embed(['text'])).rejects.toMatchObject({
        code: 'REMOTE_FAILED',
        message: expect.stringContaining(`no answer within ${ms} ms`),
      }),
    )
    await closed
  })

  it('is not read at all beside a status of failure', async () => {
    const { url, closed } = await serveEndless(response => response.writeHead(500).write('no'))
    await expect(embedderAt(url).embed(['text'])).rejects.toMatchObject({
      message: expect.stringContaining('500'),
    })
    await closed
  })

  it('takes no longer than the caller has, whatever one request may take', async () => {
    const { url, closed, isReached } = await serveEndless(response => response.write('{'))
    await askUntil(isReached, ms =>
      expect(
        embedderAt(url, 600_000).embed(['text'], { deadline: performance.now() + ms }),
      ).rejects.toMatchObject({
        message: expect.stringContaining('no answer within'),
      }),
    )
    await closed
  })
})

describe('an index with embeddings', () => {
  it('finds by meaning what no word finds, after what words find, and only for questions', async () => {
    const embedder = embedderAt(await serve(answerWell))
    const index = await openIndex(new Map([['project', MEMORY]]))
    const items = [
      itemOf({ id: 'a', fields: { description: ['rent an automobile'] } }),
      itemOf({ id: 'b', fields: { description: ['rain tomorrow'] } }),
      itemOf({ id: 'c', fields: { description: ['hire a bicycle'] } }),
    ]
    index.apply('project', { upsert: items, remove: [] })
    expect(await index.embed('project', embedder, AT_LEISURE)).toEqual({
      embedded: 3,
      missing: 0,
    })
    expect(await index.embed('project', embedder, AT_LEISURE)).toEqual({
      embedded: 0,
      missing: 0,
    })
    const [values] = await embedder.embed(['hire vehicle'])
    const vector = { model: 'topics', values: values! }
    expect(idsOf(searchFor(index, 'hire vehicle')).slice(0, 1)).toEqual(['c'])
    expect(idsOf(searchFor(index, 'vehicle', { vector }))[0]).toBe('a')
    expect(searchFor(index, 'vehicle', { vector }).rows[0]).toMatchObject({ partial: true })
    expect(searchFor(index, 'vehicle AND hire', { vector }).total).toBe(0)
    expect(idsOf(searchFor(index, 'hire vehicle', { vector: { model: 'other', values: values! } }))).toEqual([
      'c',
    ])
    index.apply('project', { upsert: [], remove: [items[0]!.path] })
    expect(idsOf(searchFor(index, 'vehicle', { vector }))).not.toContain('a')
    index.close()
  })

  it('restricts to fields what is found by meaning as what is found by words or name', async () => {
    const embedder = embedderAt(await serve(answerWell))
    const index = await openIndex(new Map([['project', MEMORY]]))
    const items = [
      itemOf({ id: 'a', fields: { title: ['Kernel'], content: ['an automobile'] } }),
      itemOf({ id: 'b', fields: { title: ['Roads'], content: ['an automobile'] } }),
      itemOf({ id: 'vehicle', fields: { title: ['Vehicle wheels'] } }),
    ]
    index.apply('project', { upsert: items, remove: [] })
    await index.embed('project', embedder, AT_LEISURE)
    const [values] = await embedder.embed(['vehicle'])
    const vector = { model: 'topics', values: values! }
    const find = (title: string) =>
      idsOf(searchFor(index, 'vehicle trip', { vector, fields: readFields({ title }) }))
    expect(idsOf(searchFor(index, 'vehicle trip', { vector }))).toEqual(['vehicle', 'a', 'b'])
    expect(idsOf(searchFor(index, 'vehicle', { vector }))).toEqual(['vehicle'])
    expect(find('kernel')).toEqual(['a'])
    expect(find('wheels')).toEqual(['vehicle'])
    expect(find('kernel OR wheels')).toEqual(['vehicle', 'a'])
    expect(find('NOT kernel')).toEqual(['vehicle', 'b'])
    expect(find('nowhere')).toEqual([])
    index.close()
  })

  describe('whose provider gives vectors of another length', () => {
    const items = ['rent an automobile', 'rain tomorrow', 'hire a vehicle'].map((text, at) =>
      itemOf({ id: `item-${at}`, fields: { description: [text] } }),
    )

    /** As many numbers as `lengths` says at the moment. */
    async function libraryWith(lengths: { ofQuestion: number; ofItems: number }) {
      const asked: number[] = []
      const embedder: Embedder = {
        model: 'topics',
        embed: async texts => {
          asked.push(texts.length)
          const isQuestion = texts.length === 1 && texts[0] === 'vehicle'
          const length = isQuestion ? lengths.ofQuestion : lengths.ofItems
          return texts.map(text => Float32Array.from({ length }, (_, at) => vectorOf(text)[at] ?? 0))
        },
      }
      const index = await openIndex(new Map([['project', MEMORY]]))
      index.apply('project', { upsert: items, remove: [] })
      const search = async () => {
        const [values] = await embedder.embed(['vehicle'])
        asked.length = 0
        const bounds = { ...AT_LEISURE, dimensions: values!.length }
        const { problem } = await index.embed('project', embedder, bounds)
        return {
          problem,
          answer: searchFor(index, 'vehicle trip', { vector: { model: 'topics', values: values! } }),
        }
      }
      onTestFinished(() => index.close())
      return { index, search, asked }
    }

    it('makes them anew, once', async () => {
      const lengths = { ofQuestion: 3, ofItems: 3 }
      const { search, asked } = await libraryWith(lengths)
      const before = await search()
      expect(before.answer).toMatchObject({ byMeaning: true, total: 2 })
      Object.assign(lengths, { ofQuestion: 5, ofItems: 5 })
      expect(await search()).toEqual(before)
      expect(asked).toEqual([3])
      expect(await search()).toEqual(before)
      expect(asked).toEqual([])
    })

    it('says so when they still differ, asks once in a search, and answers by words alone', async () => {
      const { index, search, asked } = await libraryWith({ ofQuestion: 2, ofItems: 3 })
      const words = searchFor(index, 'vehicle trip')
      for (const _ of ['first', 'second']) {
        const { problem, answer } = await search()
        expect(problem).toMatchObject({
          code: 'REMOTE_FAILED',
          message: expect.stringContaining('expected 2 numbers, as for the question, got 3'),
        })
        expect(asked).toEqual([3])
        expect(answer).toEqual(words)
      }
      expect(words.byMeaning).toBe(false)
    })
  })

  it('begins no request after the last start, and none ends after the deadline', async () => {
    let requests = 0
    const embedder = embedderAt(await serve(() => (requests += 1)))
    const index = await openIndex(new Map([['project', MEMORY]]))
    index.apply('project', { upsert: [itemOf({ id: 'a' })], remove: [] })
    const late = { ...AT_LEISURE, lastStart: performance.now() - 1 }
    expect(await index.embed('project', embedder, late)).toEqual({ embedded: 0, missing: 1 })
    expect(requests).toBe(0)
    await askUntil(
      () => requests > 0,
      async ms => {
        const bounds = { ...AT_LEISURE, deadline: performance.now() + ms }
        const { problem } = await index.embed('project', embedder, bounds)
        expect(problem).toMatchObject({ code: 'REMOTE_FAILED', problem: 'slow' })
      },
    )
    index.close()
  })
})
