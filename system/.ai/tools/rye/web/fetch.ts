// Fetches a page of the public web as text. Every redirect is checked like the first address.
import { type IncomingMessage, request } from 'node:http'
import type { Readable } from 'node:stream'
import { constants, createUnzip } from 'node:zlib'
import { type Dial, dial, Refused, readUrl } from './_guard.ts'
import { readHtml } from './_page.ts'

export const __version__ = '1.1.0'
export const __tool_type__ = 'javascript'
export const __executor_id__ = 'rye/core/runtimes/node/node'
export const __category__ = 'rye/web'
export const __tool_description__ =
  'Fetch a web page or file by URL over https and answer with its text; HTML becomes readable text'

export const tags = [
  'web',
  'http',
  'https',
  'url',
  'fetch',
  'download',
  'page',
  'internet',
  'website',
  'html',
]

export const CONFIG = { timeout: 90, permissions: { network: ['*:*'] } }

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    url: { type: 'string', minLength: 1, maxLength: 4000, description: 'Address, beginning with https://' },
    format: {
      type: 'string',
      enum: ['text', 'raw'],
      default: 'text',
      description: '`text`: readable text of HTML, links kept; `raw`: the body as it was sent',
    },
    offset: { type: 'integer', minimum: 0, default: 0, description: 'Characters of the text to pass over' },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 200000,
      default: 50000,
      description: 'Most characters to answer; `next_offset` says where to go on',
    },
    timeout: { type: 'number', exclusiveMinimum: 0, maximum: 60, default: 30, description: 'Seconds' },
  },
  required: ['url'],
  additionalProperties: false,
}

const MOST_BYTES = 2_000_000
const MOST_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const LOOKED_AT_BYTES = 8192

interface Parameters {
  readonly url: string
  readonly format?: 'text' | 'raw'
  readonly offset?: number
  readonly limit?: number
  readonly timeout?: number
}

/** Answers with `text`, `title`, `status` and the address that answered after redirects. */
export function execute(params: Parameters): Promise<object> {
  return fetchText(params, dial)
}

export async function fetchText(params: Parameters, connect: Dial): Promise<object> {
  const late = new AbortController()
  const timer = setTimeout(
    () => late.abort(new Refused('no complete answer within the time limit')),
    1000 * (params.timeout ?? 30),
  )
  try {
    // A name that is looked up cannot be told to stop.
    const outOfTime = new Promise<never>((_, reject) => {
      late.signal.addEventListener('abort', () => reject(late.signal.reason), { once: true })
    })
    return describe(await Promise.race([fetchPage(params.url, connect, late.signal), outOfTime]), params)
  } catch (thrown) {
    const cause = late.signal.aborted ? late.signal.reason : thrown
    if (cause instanceof Refused) return { success: false, error: cause.message }
    const reason = cause instanceof Error ? cause.message : String(cause)
    return { success: false, error: `\`${params.url.slice(0, 200)}\` could not be fetched: ${reason}` }
  } finally {
    clearTimeout(timer)
  }
}

interface FetchedPage extends Body {
  readonly url: string
  readonly response: IncomingMessage
}

/** Follows redirects. */
async function fetchPage(start: string, connect: Dial, signal: AbortSignal): Promise<FetchedPage> {
  let text = start
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const url = readUrl(text)
    const response = await ask(url, connect, signal)
    try {
      const { statusCode = 0, headers } = response
      if (!REDIRECTS.has(statusCode) || headers.location === undefined)
        return { url: text, response, ...(await readBody(response)) }
      text = join(url, headers.location)
    } finally {
      response.destroy()
    }
  }
  throw new Refused(`more than ${MOST_REDIRECTS} redirects, the last to \`${text.slice(0, 200)}\``)
}

/** Headers are bytes, and addresses in them often UTF-8. What cannot be one place only is left for the check to refuse. */
function join(base: URL, location: string): string {
  const text = Buffer.from(location, 'latin1').toString('utf8')
  return text.includes('\\') || !URL.canParse(text, base.href) ? text : new URL(text, base).href
}

async function ask(url: URL, connect: Dial, signal: AbortSignal): Promise<IncomingMessage> {
  const socket = await connect(url, signal)
  return new Promise((resolve, reject) => {
    const asked = request({
      createConnection: () => socket,
      path: url.pathname + url.search,
      headers: {
        host: url.host,
        accept: 'text/html, text/plain, application/json, */*;q=0.5',
        'accept-encoding': 'gzip, identity;q=0.5',
        'user-agent': 'rye-web-fetch/1.1',
        connection: 'close',
      },
      signal,
    })
    asked.once('error', reject).once('response', resolve).end()
  })
}

interface Body {
  readonly body: Buffer
  readonly warning?: string
}

/** The beginning of the body, unpacked. */
async function readBody(response: IncomingMessage): Promise<Body> {
  const packed = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (!['identity', 'gzip', 'x-gzip', 'deflate'].includes(packed))
    throw new Refused(`the answer is packed as \`${packed}\`, which was not asked for`)
  const source = packed === 'identity' ? response : unpack(response)
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of source) {
      chunks.push(chunk)
      length += chunk.length
      if (length <= MOST_BYTES) continue
      const body = Buffer.concat(chunks).subarray(0, MOST_BYTES)
      return { body, warning: `only the first ${MOST_BYTES} bytes were read` }
    }
  } catch (thrown) {
    if (length === 0 || response.complete || response.errored === null) throw thrown
    return { body: Buffer.concat(chunks), warning: `the answer was cut off after ${length} bytes` }
  }
  return { body: Buffer.concat(chunks) }
}

function unpack(response: IncomingMessage): Readable {
  // What comes of an answer that is cut off is shown.
  const unpacked = createUnzip({ finishFlush: constants.Z_SYNC_FLUSH })
  response.once('error', fault => unpacked.destroy(fault))
  return response.pipe(unpacked)
}

function describe({ url, response, body, warning }: FetchedPage, params: Parameters): object {
  const { format = 'text', offset = 0, limit = 50_000 } = params
  const [, type = 'text/plain', charset] = readType(response.headers['content-type'] ?? '')
  const answer = { url, status: response.statusCode, content_type: type }
  const isUtf16 = /^(?:\xff\xfe|\xfe\xff)/.test(body.subarray(0, 2).toString('latin1'))
  if (body.subarray(0, LOOKED_AT_BYTES).includes(0) && !isUtf16)
    return { ...answer, success: false, error: `expected text, got binary content of type ${type}` }
  const decoded = decode(body, charset)
  const isHtml = type === 'text/html' || type === 'application/xhtml+xml'
  const page = isHtml && format === 'text' ? readHtml(decoded, url) : { text: decoded }
  // Characters are counted, not halves of them.
  const characters = /[\ud800-\udfff]/.test(page.text) ? [...page.text] : page.text
  const shown = characters.slice(offset, offset + limit)
  const isGood = answer.status !== undefined && answer.status >= 200 && answer.status < 400
  return {
    success: isGood,
    ...answer,
    ...page,
    text: typeof shown === 'string' ? shown : shown.join(''),
    length: characters.length,
    ...(offset + limit < characters.length && { next_offset: offset + limit }),
    ...(warning !== undefined && { warning }),
    ...(!isGood && { error: `${new URL(url).hostname} answered ${answer.status}` }),
  }
}

/** `text/html; charset=utf-8` */
function readType(header: string): (string | undefined)[] {
  const [, type] = /^\s*([^\s;/]+\/[^\s;/]+)\s*(?:;|$)/.exec(header.toLowerCase()) ?? []
  const [, quoted, plain] = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(header) ?? []
  return [header, type, quoted ?? plain]
}

/** Text in the charset that was declared, if there is such a one; else UTF-8. */
function decode(body: Buffer, charset: string | undefined): string {
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(body)
  } catch {
    return new TextDecoder().decode(body)
  }
}
