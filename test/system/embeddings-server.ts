// A minimal embeddings provider on its own port: `POST /v1/embeddings`. A text's vector depends on the words
// in it, so a test knows which texts are near each other.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface EmbeddingsServer {
  readonly url: string
  readonly requests: { readonly inputs: readonly string[]; readonly key: string | undefined }[]
  /** What the server does with requests from now on. */
  mode: 'answer' | 'hang' | 'fail' | 'nonsense'
  /** After this many answers it hangs. */
  answersLeft: number
  axes: Axes
  close(): Promise<void>
}

/** Each axis is a meaning: the words of one axis mean the same. */
export type Axes = readonly (readonly string[])[]

export async function startEmbeddings(axes: Axes): Promise<EmbeddingsServer> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const started: Omit<EmbeddingsServer, 'url'> = {
    requests: [],
    mode: 'answer',
    answersLeft: Number.POSITIVE_INFINITY,
    axes,
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let text = ''
    for await (const part of request) text += part
    const { input } = JSON.parse(text) as { input: string[] }
    started.requests.push({ inputs: input, key: request.headers.authorization })
    if (started.mode === 'hang' || started.answersLeft-- <= 0) return
    if (request.method !== 'POST' || request.url !== '/v1/embeddings' || started.mode === 'fail') {
      response.writeHead(503).end()
      return
    }
    const data =
      started.mode === 'nonsense'
        ? input.map(() => ({ embedding: ['x'] }))
        : input.map((one, index) => ({ index, embedding: vectorOf(one, started.axes) }))
    // Out of order on purpose: `index` says which is which.
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ object: 'list', data: data.reverse() }))
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(started, { url: `http://127.0.0.1:${port}/v1` })
}

/** Every text has a little of one extra axis, so that no vector is zero. */
function vectorOf(text: string, axes: Axes): number[] {
  const lower = text.toLowerCase()
  return [0.1, ...axes.map(words => words.filter(word => lower.includes(word)).length)]
}
