// The routes of the page: its files, and its calls. Everything that reads or changes the library is a POST
// below `/api/`, answered with the action's answer. Work that may take long answers line by line, and ends
// when the page stops listening.
import { Hono } from 'hono'
import { AppError, isRecord } from '../../base/index.ts'
import { readCall } from './calls.ts'
import { type Guard, isSame, type RequestFacts, refuseStranger, refuseWithoutSession } from './guard.ts'
import { batchLines } from './line-batches.ts'
import { streamLines } from './line-stream.ts'
import type { PageFile } from './page-files.ts'
import { ICON_HEADERS, PAGE_HEADERS } from './page-headers.ts'
import type { PageLibrary } from './page-library.ts'
import { readChosen } from './typed-search.ts'

export interface AppSettings {
  readonly guard: Guard
  /** The token in the printed address; good for one exchange. */
  readonly token: string
  readonly files: ReadonlyMap<string, PageFile>
  readonly library: PageLibrary
  /** Whether the program that calls from this port belongs to another user of the machine. */
  readonly isOtherUser: (peerPort: number) => boolean
  readonly about: { readonly version: string; readonly read_only: boolean }
  /** Called with a bug of ours; the page only learns that there was one. */
  readonly onError: (error: unknown) => void
}

const BODY_BYTES = 1024 * 1024
/** Values returned per facet: nobody looks through more, and more would only make answers slow. */
const FEW_VALUES = 12
const ALL_VALUES = 500

/** What Node's server knows about a request. */
interface Bindings {
  readonly incoming?: { readonly socket: { readonly remotePort?: number } }
}

export function createApp(settings: AppSettings): Hono<{ Bindings: Bindings }> {
  const { guard, files, library, about } = settings
  const app = new Hono<{ Bindings: Bindings }>()
  let isSpent = false

  app.use(async ({ req, body, env }, next) => {
    const request: RequestFacts = { method: req.method, path: req.path, header: name => req.header(name) }
    const refusal = refuseStranger(guard, request)
    if (refusal) return body(`${refusal.message}\n`, refusal.status, asText())
    const missing = refuseWithoutSession(guard, request)
    const token = req.path === '/' ? req.query('token') : undefined
    if (token === undefined) return missing ? body(`${missing.message}\n`, missing.status, asText()) : next()
    // Browsers send a cookie to every port of this machine, so someone else may have learnt it: the cookie
    // alone does not get the key. The browser that was let in has both.
    if (isSpent || !isSame(token, settings.token))
      return missing ? body(SPENT, 401, asText()) : body(null, 303, { ...PAGE_HEADERS, location: '/' })
    if (settings.isOtherUser(env?.incoming?.socket.remotePort ?? 0)) return body(NOT_YOURS, 403, asText())
    isSpent = true
    return body(null, 303, enter(guard))
  })

  app.post('/api/about', ({ json }) => json({ ...about, projects: library.projects }, 200, PAGE_HEADERS))
  app.post('/api/call', async ({ req, json }) => {
    const call = readCall(await readBody(req.raw), { readOnly: about.read_only })
    return json(await library.call(call, { signal: req.raw.signal }), 200, PAGE_HEADERS)
  })
  app.post('/api/search', async ({ req, json }) => {
    const { chosen, most, hints, patient, ...rest } = asRecord(await readBody(req.raw))
    const { project, input } = readCall({ ...rest, action: 'search' }, { readOnly: true })
    const search = {
      input,
      chosen: readChosen(chosen),
      most: most === 'all' ? ALL_VALUES : FEW_VALUES,
      hints: hints === true,
      isPatient: patient === true,
    }
    return json(await library.search(project, search, req.raw.signal), 200, PAGE_HEADERS)
  })
  app.post('/api/run', async ({ req }) => {
    const call = readCall(await readBody(req.raw), { readOnly: about.read_only })
    library.check(call.project)
    return streamLines(req.raw.signal, async (send, signal) => {
      const output = batchLines(lines => send({ output: lines }))
      const onProgress = (progress: object) => send({ progress })
      const answer = await library
        .call(call, { signal, onProgress, onOutput: output.push })
        .finally(output.end)
      send({ answer })
    })
  })
  app.post('/api/summary', async ({ req, json }) =>
    json(await library.summary(await readProject(req.raw), req.raw.signal), 200, PAGE_HEADERS),
  )
  app.post('/api/sources', async ({ req, json }) =>
    json(await library.sources(await readProject(req.raw)), 200, PAGE_HEADERS),
  )
  app.post('/api/references', async ({ req, json }) =>
    json(await library.references(await readProject(req.raw), req.raw.signal), 200, PAGE_HEADERS),
  )
  app.post('/api/changes', async ({ req }) => {
    const project = await readProject(req.raw)
    library.check(project)
    return streamLines(req.raw.signal, (send, signal) => library.follow(project, send, signal))
  })
  app.get('*', ({ req, body }) => {
    const file = files.get(req.path.slice(1)) ?? (isPagePath(req.path) ? files.get('index.html') : undefined)
    if (!file) return body(`nothing at ${encodeURI(req.path)}\n`, 404, asText())
    const headers = req.path === '/icon.svg' ? ICON_HEADERS : PAGE_HEADERS
    return body(file.bytes, 200, { ...headers, 'content-type': file.type })
  })
  app.notFound(({ body }) => body('no such call\n', 404, asText()))
  app.onError((thrown, { json, req }) => {
    if (thrown instanceof AppError) return json(library.describe(thrown), 400, PAGE_HEADERS)
    if (!req.raw.signal.aborted) settings.onError(thrown)
    const error = 'internal error: the terminal of `rye ui` says more'
    return json({ status: 'error', code: 'INTERNAL', error }, 500, PAGE_HEADERS)
  })
  return app
}

const SPENT = [
  'This address has been used, or it is not the one that `rye ui` printed.',
  'Each address opens the page once. Start `rye ui` again for a new one.\n',
].join('\n')

const NOT_YOURS = 'This address is for the user who started `rye ui`.\n'

function asText(): Record<string, string> {
  return { ...PAGE_HEADERS, 'content-type': 'text/plain; charset=utf-8' }
}

/** The key is in the fragment, which no browser sends; the page removes it from its address. */
function enter({ cookieName, session }: Guard): Record<string, string> {
  const cookie = `${cookieName}=${session.cookie}; HttpOnly; SameSite=Strict; Path=/`
  return { ...PAGE_HEADERS, 'set-cookie': cookie, location: `/#key=${session.key}` }
}

/** The first part of a page path has no dot: `/item/tool/a.b` is a page, `/missing.js` is not. */
function isPagePath(path: string): boolean {
  return !path.split('/')[1]?.includes('.')
}

async function readBody(request: Request): Promise<unknown> {
  const length = request.headers.get('content-length')
  if (length !== null && Number(length) > BODY_BYTES) throw tooLong()
  const text = length === null ? await readUnmeasured(request) : await request.text()
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('INVALID_INPUT', 'expected JSON', { cause })
  }
}

/** Reads a body without a content-length, and keeps no more of it than is allowed. */
async function readUnmeasured(request: Request): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength
    if (length > BODY_BYTES) throw tooLong()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Anything that is not an object has no fields. */
function asRecord(raw: unknown): Readonly<Record<string, unknown>> {
  return isRecord(raw) ? raw : {}
}

async function readProject(request: Request): Promise<number> {
  const { project } = readCall({ action: 'list', ...asRecord(await readBody(request)) }, { readOnly: true })
  return project
}

function tooLong(): AppError {
  return new AppError('INVALID_INPUT', `expected at most ${BODY_BYTES} bytes`)
}
