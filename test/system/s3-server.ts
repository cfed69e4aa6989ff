// The part of S3 that LanceDB uses, in memory, on its own port: signed requests (version 4), listings,
// ranges, writes that must not replace, multipart uploads. Strict where it matters: a request with a wrong
// signature is refused.
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface S3Server {
  readonly endpoint: string
  /** Maps `bucket/key` to content. */
  readonly objects: ReadonlyMap<string, Buffer>
  /** Writes refused because the key was taken. */
  readonly conflicts: () => number
  /** Makes the server misbehave from now on; without a fault it is honest again. */
  misbehave(fault?: Fault): void
  close(): Promise<void>
}

export interface Asked {
  readonly method: string
  /** `bucket/key`; for a listing, the bucket. */
  readonly key: string
  readonly query: URLSearchParams
}

/** Changes the honest answer, or delays it. */
export type Fault = (asked: Asked, honest: Answer) => Answer | Promise<Answer>

interface Keys {
  readonly id: string
  readonly secret: string
}

export interface Answer {
  readonly status: number
  readonly body?: string | Buffer
  readonly headers?: Record<string, string>
}

export async function startS3(keys: Keys): Promise<S3Server> {
  const store = new Store()
  let fault: Fault = (_asked, honest) => honest
  const server = createServer((request, response) => {
    handle(store, { keys, fault }, request, response).catch(thrown => {
      response.writeHead(500).end(String(thrown))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects: store.objects,
    conflicts: () => store.conflicts,
    misbehave(next = (_asked, honest) => honest) {
      fault = next
    },
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function handle(
  store: Store,
  { keys, fault }: { readonly keys: Keys; readonly fault: Fault },
  request: IncomingMessage,
  response: ServerResponse,
) {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const body = Buffer.concat(parts)
  const url = new URL(request.url!, 'http://s3')
  const isSigned = signatureOf(request, url, keys) === request.headers.authorization
  const honest = isSigned
    ? store.answer(request, url, body)
    : failed(403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match')
  const key = decodeURIComponent(url.pathname).slice(1)
  const answer = await fault({ method: request.method!, key, query: url.searchParams }, honest)
  const { status, body: content = '', headers = {} } = answer
  response.writeHead(status, { 'content-length': String(Buffer.byteLength(content)), ...headers })
  response.end(request.method === 'HEAD' ? undefined : content)
  // If the body is shorter than promised, close the connection so that the client sees its end.
  if (Number(headers['content-length'] ?? 0) > Buffer.byteLength(content) && request.method !== 'HEAD')
    response.on('finish', () => request.socket.destroySoon())
}

class Store {
  readonly objects = new Map<string, Buffer>()
  /**
   * When each object was written, and its ETag: computing it for every range read would take longer than
   * sending the range.
   */
  readonly #written = new Map<string, { readonly at: Date; readonly tag: string }>()
  readonly uploads = new Map<string, Map<number, Buffer>>()
  conflicts = 0

  answer({ method, headers }: IncomingMessage, url: URL, body: Buffer): Answer {
    const key = decodeURIComponent(url.pathname).slice(1)
    const query = url.searchParams
    if (method === 'GET' && query.has('list-type')) return this.#list(key.replace(/\/$/, ''), query)
    if (method === 'GET' || method === 'HEAD') return this.#read(key, headers.range, method)
    if (method === 'PUT' && query.has('partNumber')) return this.#putPart(query, body)
    if (method === 'PUT') return this.#write(key, body, headers['if-none-match'] === '*')
    if (method === 'POST' && query.has('uploads')) return this.#startUpload(key)
    if (method === 'POST' && query.has('uploadId')) return this.#endUpload(key, query, headers)
    if (method === 'POST' && query.has('delete')) return this.#deleteMany(key.replace(/\/$/, ''), body)
    if (method === 'DELETE') {
      this.objects.delete(key)
      return { status: 204 }
    }
    return failed(501, 'NotImplemented', `${method} ${url}`)
  }

  #list(bucket: string, query: URLSearchParams): Answer {
    const prefix = query.get('prefix') ?? ''
    const delimiter = query.get('delimiter') ?? ''
    const after = query.get('continuation-token') ?? query.get('start-after') ?? ''
    const entries = new Set<string>()
    const inside = [...this.objects.keys()].filter(name => name.startsWith(`${bucket}/${prefix}`))
    for (const name of inside.map(one => one.slice(bucket.length + 1)).sort()) {
      const end = delimiter === '' ? -1 : name.indexOf(delimiter, prefix.length)
      entries.add(end === -1 ? name : name.slice(0, end + 1))
    }
    const rest = [...entries].filter(entry => entry > after)
    // Small pages, so that listings take several.
    const page = rest.slice(0, Math.min(20, Number(query.get('max-keys') ?? 1000)))
    const items = page.map(entry => {
      const object = this.objects.get(`${bucket}/${entry}`)
      if (!object) return `<CommonPrefixes><Prefix>${entry}</Prefix></CommonPrefixes>`
      const written = this.#written.get(`${bucket}/${entry}`)!
      return `<Contents><Key>${entry}</Key><LastModified>${written.at.toISOString()}</LastModified><ETag>${written.tag}</ETag><Size>${object.length}</Size></Contents>`
    })
    const more = page.length < rest.length
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return xml(
      `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${items.join('')}</ListBucketResult>`,
    )
  }

  #read(key: string, range: string | undefined, method: string): Answer {
    const object = this.objects.get(key)
    if (!object) return failed(404, 'NoSuchKey', key)
    const written = this.#written.get(key)!
    const headers = { etag: written.tag, 'last-modified': written.at.toUTCString() }
    const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
    if (from === undefined) {
      const length = { 'content-length': String(object.length) }
      return { status: 200, headers: { ...headers, ...length }, body: method === 'HEAD' ? '' : object }
    }
    const start = from === '' ? Math.max(0, object.length - Number(to)) : Number(from)
    const end = from === '' || to === '' ? object.length : Math.min(object.length, Number(to) + 1)
    const content = { 'content-range': `bytes ${start}-${end - 1}/${object.length}` }
    return { status: 206, headers: { ...headers, ...content }, body: object.subarray(start, end) }
  }

  #write(key: string, body: Buffer, mustBeNew: boolean): Answer {
    if (mustBeNew && this.objects.has(key)) {
      this.conflicts++
      return failed(412, 'PreconditionFailed', key)
    }
    this.objects.set(key, body)
    const written = { at: new Date(), tag: tag(body) }
    this.#written.set(key, written)
    return { status: 200, headers: { etag: written.tag } }
  }

  #startUpload(key: string): Answer {
    const id = `upload-${this.uploads.size}`
    this.uploads.set(id, new Map())
    return xml(
      `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    )
  }

  #putPart(query: URLSearchParams, body: Buffer): Answer {
    this.uploads.get(query.get('uploadId')!)!.set(Number(query.get('partNumber')), body)
    return { status: 200, headers: { etag: tag(body) } }
  }

  #endUpload(key: string, query: URLSearchParams, headers: IncomingMessage['headers']): Answer {
    const parts = [...this.uploads.get(query.get('uploadId')!)!].sort(([a], [b]) => a - b)
    const body = Buffer.concat(parts.map(([, part]) => part))
    const written = this.#write(key, body, headers['if-none-match'] === '*')
    if (written.status !== 200) return written
    const { tag } = this.#written.get(key)!
    return xml(`<CompleteMultipartUploadResult><ETag>${tag}</ETag></CompleteMultipartUploadResult>`)
  }

  #deleteMany(bucket: string, body: Buffer): Answer {
    const keys = [...body.toString('utf8').matchAll(/<Key>([^<]*)<\/Key>/g)].map(match => match[1]!)
    for (const key of keys) this.objects.delete(`${bucket}/${key}`)
    return xml(
      `<DeleteResult>${keys.map(key => `<Deleted><Key>${key}</Key></Deleted>`).join('')}</DeleteResult>`,
    )
  }
}

/** The `Authorization` header that the holder of these keys would send. */
function signatureOf(request: IncomingMessage, url: URL, { id, secret }: Keys): string {
  const given = request.headers.authorization ?? ''
  const [, scope = '', names = ''] = /Credential=[^/]+\/([^,]+), ?SignedHeaders=([^,]+)/.exec(given) ?? []
  const [day = '', region = '', service = ''] = scope.split('/')
  const query = [...url.searchParams]
    .map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
    .sort()
    .join('&')
  const headers = names.split(';').map(name => `${name}:${String(request.headers[name] ?? '').trim()}\n`)
  const hash = String(request.headers['x-amz-content-sha256'])
  const canonical = [request.method, url.pathname, query, headers.join(''), names, hash].join('\n')
  const time = String(request.headers['x-amz-date'])
  const text = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(canonical).digest('hex')]
  let key: string | Buffer = `AWS4${secret}`
  for (const part of [day, region, service, 'aws4_request'])
    key = createHmac('sha256', key).update(part).digest()
  const signature = createHmac('sha256', key).update(text.join('\n')).digest('hex')
  return `AWS4-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=${names}, Signature=${signature}`
}

function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    one => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function tag(content: Buffer): string {
  return `"${createHash('md5').update(content).digest('hex')}"`
}

function xml(body: string): Answer {
  return {
    status: 200,
    body: `<?xml version="1.0" encoding="UTF-8"?>${body}`,
    headers: { 'content-type': 'application/xml' },
  }
}

export function failed(status: number, code: string, message: string): Answer {
  return { ...xml(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`), status }
}
