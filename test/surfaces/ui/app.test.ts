// Every entry to the page's server, without a socket: who is let in, what may be called, what a browser is
// told.
import { describe, expect, it } from 'vitest'
import type { AppError } from '../../../src/base/index.ts'
import { createApp } from '../../../src/surfaces/ui/app.ts'
import type { PageCall } from '../../../src/surfaces/ui/calls.ts'
import type { PageLibrary } from '../../../src/surfaces/ui/page-library.ts'

const TOKEN = 'the-token-of-the-address'
const session = { cookie: 'the-cookie', key: 'the-key' }
const guard = { hosts: ['127.0.0.1:4478', 'localhost:4478'], cookieName: 'rye-ui-4478', session }
const HTML = new TextEncoder().encode('<!doctype html>')

function serve({ readOnly = false, isOtherUser = false } = {}) {
  const calls: PageCall[] = []
  const faults: unknown[] = []
  const library: PageLibrary = {
    check() {},
    projects: [{ name: 'shop', path: '/shop' }],
    async call(call, { signal, onProgress, onOutput }) {
      calls.push(call)
      if (call.action === 'list') throw new Error('/secret/path broke')
      onProgress?.({ message: 'half', done: 1, total: 2 })
      for (let line = 0; line < 300; line++) onOutput?.(line === 299 ? 'x'.repeat(9000) : `line ${line}`)
      return { status: 'success', aborted: signal.aborted }
    },
    async search(project, { input, chosen, most }) {
      calls.push({ action: 'search', project, input: { ...input, chosen, most } })
      return { results: [], facets: {} }
    },
    summary: async () => ({ counts: [], trust: {}, beside: {}, open: 0, waiting: [], servers_waiting: [] }),
    sources: async () => ({ sources: [] }),
    references: async () => ({ items: [], references: [] }),
    async follow(_project, send, signal) {
      send({ changed: ['items'] })
      await new Promise(done => signal.addEventListener('abort', done))
    },
    describe: (error: AppError) => ({ status: 'error', code: error.code, error: error.message }),
  }
  const app = createApp({
    guard,
    token: TOKEN,
    files: new Map([
      ['index.html', { type: 'text/html', bytes: HTML }],
      ['icon.svg', { type: 'image/svg+xml', bytes: HTML }],
      ['page.js', { type: 'text/javascript', bytes: HTML }],
    ]),
    library,
    isOtherUser: () => isOtherUser,
    about: { version: '1.2.3', read_only: readOnly },
    onError: error => faults.push(error),
  })
  const send = async (
    path: string,
    headers: Record<string, string | undefined> = {},
    init: RequestInit = {},
  ) => {
    const given = Object.entries({ host: '127.0.0.1:4478', ...headers }).filter(
      ([, value]) => value !== undefined,
    )
    return app.fetch(
      new Request(`http://127.0.0.1:4478${path}`, { ...init, headers: given as [string, string][] }),
    )
  }
  const post = (path: string, body: unknown, headers: Record<string, string | undefined> = {}) =>
    send(
      path,
      { ...CALLER, ...headers },
      {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
      },
    )
  return { send, post, calls, faults }
}

const VISITOR = { cookie: 'rye-ui-4478=the-cookie' }
const CALLER = { ...VISITOR, 'x-rye-key': 'the-key', origin: 'http://127.0.0.1:4478' }

describe('the address that is printed', () => {
  it('becomes a cookie and a key, once', async () => {
    const { send } = serve()
    const first = await send(`/?token=${TOKEN}`)
    expect(first.status).toBe(303)
    expect(first.headers.get('location')).toBe('/#key=the-key')
    expect(first.headers.get('set-cookie')).toBe('rye-ui-4478=the-cookie; HttpOnly; SameSite=Strict; Path=/')
    const second = await send(`/?token=${TOKEN}`)
    expect(second.status).toBe(401)
    expect(second.headers.get('set-cookie')).toBeNull()
    expect(await second.text()).toContain('has been used')
  })

  it('opens the page again for the browser that it was opened in', async () => {
    const { send } = serve()
    await send(`/?token=${TOKEN}`)
    const again = await send(`/?token=${TOKEN}`, VISITOR)
    expect([again.status, again.headers.get('location')]).toEqual([303, '/'])
  })

  it.each([TOKEN, 'guess', ''])('tells who has but the cookie nothing of the key, with %j', async token => {
    const { send } = serve()
    await send(`/?token=${TOKEN}`)
    const answer = await send(`/?token=${token}`, VISITOR)
    expect([...answer.headers].join()).not.toContain('the-key')
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  it.each(['', 'wrong', `${TOKEN}x`, TOKEN.slice(1), 'the-key', '%00'])(
    'is not %j, and a wrong one does not use it up',
    async token => {
      const { send } = serve()
      expect((await send(`/?token=${token}`)).status).toBe(401)
      expect((await send(`/?token=${TOKEN}`)).status).toBe(303)
    },
  )

  it('is of no use to another user of the machine, who does not use it up either', async () => {
    const { send } = serve({ isOtherUser: true })
    for (let time = 0; time < 2; time++) {
      const answer = await send(`/?token=${TOKEN}`)
      expect(answer.status).toBe(403)
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect(await answer.text()).toContain('the user who started')
    }
  })

  it('is asked for at no other path', async () => {
    const { send } = serve()
    expect((await send(`/search?token=${TOKEN}`)).status).toBe(401)
    expect((await send(`/api/about?token=${TOKEN}`)).status).toBe(405)
  })
})

describe('the page', () => {
  it.each(['/', '/search?q=x', '/item/tool/project/a.b', '/review'])('is at %s', async path => {
    const answer = await serve().send(path, VISITOR)
    expect([answer.status, await answer.text()]).toEqual([200, '<!doctype html>'])
  })

  it.each(['/missing.js', '/.env', '/..%2f..%2fetc/passwd.txt'])('is not at %s', async path => {
    const answer = await serve().send(path, VISITOR)
    expect(answer.status === 404 || (await answer.text()) === '<!doctype html>').toBe(true)
  })

  it('runs no scripts but its own, and is in no frame', async () => {
    const { headers } = await serve().send('/', VISITOR)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
        "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  it('has an icon that a browser need not ask for with each key', async () => {
    const { headers } = await serve().send('/icon.svg', VISITOR)
    expect(headers.get('cache-control')).toBe('private, max-age=86400')
  })
})

describe('nobody is let in', () => {
  it.each([
    ['without a cookie', 401, { cookie: undefined }],
    ['with another cookie', 401, { cookie: 'rye-ui-4478=guess' }],
    ['with the cookie of another port', 401, { cookie: 'rye-ui-4479=the-cookie' }],
    ['with a cookie whose name only ends right', 401, { cookie: 'x-rye-ui-4478=the-cookie' }],
    ['without the key', 401, { 'x-rye-key': undefined }],
    ['with another key', 401, { 'x-rye-key': 'the-cookie' }],
    ['from another origin', 403, { origin: 'https://evil.example' }],
    ['from another port', 403, { origin: 'http://127.0.0.1:4479' }],
    ['from a file or a sandboxed frame', 403, { origin: 'null' }],
    ['without an origin', 403, { origin: undefined }],
    ['under a DNS name', 403, { host: 'rebound.example:4478' }],
    ['under a name that only begins right', 403, { host: '127.0.0.1:4478.evil.example' }],
    ['without a port', 403, { host: '127.0.0.1' }],
    ['under a name that resolves here', 403, { host: '127.0.0.1.nip.io:4478' }],
    ['under another address of this machine', 403, { host: '[::1]:4478' }],
    ['under a name with a dot at its end', 403, { host: 'localhost.:4478' }],
    ['under two names', 403, { host: '127.0.0.1:4478, rebound.example' }],
    ['without a name', 403, { host: undefined }],
    ['from a part of this origin', 403, { origin: 'http://127.0.0.1:4478.evil.example' }],
    ['from another site', 403, { 'sec-fetch-site': 'cross-site' }],
    ['from another port of this machine', 403, { 'sec-fetch-site': 'same-site' }],
  ])('%s', async (_title, status, headers) => {
    const { post, calls } = serve()
    const answer = await post('/api/call', { action: 'doctor' }, headers)
    expect([answer.status, calls]).toEqual([status, []])
  })

  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'])('with %s for a call', async method => {
    const { send, calls } = serve()
    expect([(await send('/api/call', CALLER, { method })).status, calls]).toEqual([405, []])
  })

  it.each(['/%61pi/call', '/api/./call', '/api//call', '//api/call', '/x/../api/call', '/api/call/'])(
    'through %s',
    async path => {
      const { send, calls } = serve()
      const init = { method: 'POST', body: JSON.stringify({ action: 'doctor' }) }
      const answer = await send(path, { ...VISITOR, origin: CALLER.origin }, init)
      expect([answer.status >= 400, calls]).toEqual([true, []])
    },
  )

  it('but by a cookie that another port has set besides', async () => {
    const cookie = 'rye-ui-4478=planted; rye-ui-4478=the-cookie'
    expect((await serve().send('/', { cookie })).status).toBe(200)
  })

  it('for a file of the page without the cookie', async () => {
    expect((await serve().send('/page.js')).status).toBe(401)
  })
})

describe('a call', () => {
  it('reaches the action, on the project that it names', async () => {
    const { post, calls } = serve()
    const answer = await post('/api/call', { action: 'show', project: 0, input: { item_id: 'a' } })
    expect(await answer.json()).toEqual({ status: 'success', aborted: false })
    expect(calls).toEqual([{ action: 'show', project: 0, input: { item_id: 'a' } }])
  })

  it.each([
    ['an action that is not in the table', { action: 'keys trust', input: { file: '/x' } }],
    ['a name of the prototype', { action: 'constructor' }],
    ['no action', {}],
    ['a list', []],
    ['a path', { action: 'show', input: { item_id: 'a', path: '/etc' } }],
    ['another project', { action: 'list', input: { project_path: '/etc' } }],
    ['a copy', { action: 'load', input: { item_id: 'a', destination: 'user' } }],
    ['a signature on what was not read', { action: 'sign', input: { item_id: 'a' } }],
    ['an input that is no object', { action: 'list', input: 'x' }],
    ['a project that is no number', { action: 'list', project: '0' }],
    ['no JSON', 'action=list'],
    ['a megabyte', { action: 'search', input: { query: 'x'.repeat(1024 * 1024) } }],
  ])('for %s is refused', async (_title, body) => {
    const { post, calls } = serve()
    const answer = await post('/api/call', body)
    expect([answer.status, calls]).toEqual([400, []])
    expect(await answer.json()).toMatchObject({ status: 'error', code: 'INVALID_INPUT' })
  })

  it('says nothing about a fault of ours but that there was one', async () => {
    const { post, faults } = serve()
    const answer = await post('/api/call', { action: 'list' })
    expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining('secret')])
    expect(faults).toEqual([new Error('/secret/path broke')])
  })

  it('of the search field takes what is chosen beside the input', async () => {
    const { post, calls } = serve()
    const chosen = { type: 'tool', trust: '' }
    await post('/api/search', { action: 'sign', input: { query: 'x' }, chosen, most: 'all' })
    await post('/api/search', { input: { query: 'x' }, most: 1e9 })
    expect(calls).toEqual([
      { action: 'search', project: 0, input: { query: 'x', chosen: { type: 'tool' }, most: 500 } },
      { action: 'search', project: 0, input: { query: 'x', chosen: {}, most: 12 } },
    ])
    const path = await post('/api/search', { input: { query: 'x', project_path: '/etc' } })
    expect(path.status).toBe(400)
  })

  it('that does not exist is not found', async () => {
    expect((await serve().post('/api/other', {})).status).toBe(404)
  })
})

describe('a server that only shows', () => {
  const digest = '0'.repeat(64)
  it.each([
    { action: 'sign', input: { item_id: 'a', digest } },
    { action: 'execute', input: { item_id: 'a' } },
    { action: 'execute', input: { item_id: 'a', dry_run: false } },
    { action: 'execute', input: { item_id: 'a', dry_run: 'true' } },
  ])('refuses %j', async body => {
    for (const path of ['/api/call', '/api/run']) {
      const { post, calls } = serve({ readOnly: true })
      const answer = await post(path, body)
      expect([answer.status, calls]).toEqual([400, []])
      expect(await answer.json()).toMatchObject({ code: 'POLICY_DENIED' })
    }
  })

  it('lets a run be tried', async () => {
    const { post, calls } = serve({ readOnly: true })
    await post('/api/call', { action: 'execute', input: { item_id: 'a', dry_run: true } })
    expect(calls).toHaveLength(1)
    const about = await (await post('/api/about', {})).json()
    expect(about).toEqual({ version: '1.2.3', read_only: true, projects: [{ name: 'shop', path: '/shop' }] })
  })
})

it('long work answers line by line', async () => {
  const answer = await serve().post('/api/run', { action: 'execute', input: { item_id: 'a' } })
  const lines = (await answer.text()).split('\n').filter(line => line !== '')
  expect(lines.map(line => JSON.parse(line))).toEqual([
    { progress: { message: 'half', done: 1, total: 2 } },
    // From a tool that writes faster than anybody reads, the last message.
    {
      output: [
        '… 100 lines …',
        ...Array.from({ length: 199 }, (_, index) => `line ${index + 100}`),
        expect.any(String),
      ],
    },
    { answer: { status: 'success', aborted: false } },
  ])
  expect(lines[1]!.length).toBeLessThan(6000)
})

it('changes are sent as they come, until the page stops listening', async () => {
  const answer = await serve().post('/api/changes', { project: 0 })
  const reader = answer.body!.getReader()
  let text = ''
  while (!text.includes('items')) text += new TextDecoder().decode((await reader.read()).value)
  expect(JSON.parse(text)).toEqual({ changed: ['items'] })
  await reader.cancel()
})

it('a body without a length is read no further than what is taken', async () => {
  const { send, calls } = serve()
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1
      controller.enqueue(new Uint8Array(64 * 1024).fill(32))
    },
  })
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit
  const answer = await send('/api/call', CALLER, init)
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('1048576 bytes')])
  expect(sent).toBeLessThan(20)
  expect(calls).toEqual([])
})
