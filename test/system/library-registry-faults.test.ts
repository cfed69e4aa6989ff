// `rye/registry` against registries that fail, lie or attack: what is refused, and that nothing is written or given away.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LibrarySession, openSession } from '../fixtures/library-session.ts'

const TOKEN = 'token-of-the-user'
const GREET = '.ai/tools/team/greet.py'
type Reply = (response: ServerResponse, request: IncomingMessage) => unknown

let session: LibrarySession
let registry: Server
let thief: Server
let url: string
let stolen: IncomingMessage[]
let signed: Buffer
/** What the registry answers, by path; everything else is 404. */
let replies: Record<string, Reply>

beforeAll(async () => {
  registry = createServer((request, response) => {
    const reply = replies[request.url!]
    if (reply) reply(response, request)
    else response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}')
  })
  thief = createServer((request, response) => {
    stolen.push(request)
    response.end('{}')
  })
  url = await listen(registry)
  await listen(thief)
  session = await openSession({ signing: true, environment: { NPM_TOKEN: TOKEN } })
  session.write(
    '.ai/config/rye/registry.yaml',
    `version: "1.0.0"\ncategory: rye\nregistry: ${url}\nallow_private: true\n`,
  )
  await session.call('sign', { item_type: 'config', item_id: 'rye/registry' })
  session.write(
    GREET,
    '__version__ = "1.0.0"\n__tool_type__ = "python"\n__executor_id__ = "python_function_runtime"\n__category__ = "team"\n__tool_description__ = "Greets"\n',
  )
  expect(await session.call('sign', { item_type: 'tool', item_id: 'team/greet' })).toMatchObject({
    status: 'signed',
  })
  signed = readFileSync(join(session.project, GREET))
  rmSync(join(session.project, '.ai/tools'), { recursive: true })
})
beforeEach(() => {
  stolen = []
  replies = {}
})
afterAll(async () => {
  for (const server of [registry, thief]) {
    server.closeAllConnections()
    server.close()
  }
  await session.close()
})

async function listen(server: Server): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const pull = (more = {}) => session.execute('rye/registry', { action: 'pull', package: 'bad', ...more })
const integrityOf = (bytes: Uint8Array) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`
const sendJson =
  (value: unknown): Reply =>
  response =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))

/** A package `bad` with one version that has this archive. */
function offer(archive: Uint8Array, dist: object = {}): void {
  const tarball = { tarball: `${url}bad/-/bad-1.0.0.tgz`, integrity: integrityOf(archive), ...dist }
  replies['/bad'] = sendJson({
    name: 'bad',
    'dist-tags': { latest: '1.0.0' },
    versions: { '1.0.0': { name: 'bad', version: '1.0.0', dist: tarball } },
  })
  replies['/bad/-/bad-1.0.0.tgz'] = response => response.end(archive)
}

interface Entry {
  readonly name: string
  readonly data?: Uint8Array | string
  readonly type?: string
  readonly link?: string
  readonly size?: string
}

/** A tar archive as an attacker would write it: nothing is checked. */
function tar(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ name, data = '', type = '0', link = '', size }) => {
    const body = Buffer.from(data)
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write('0000644\0', 100)
    header.write(size ?? `${body.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1')
    header.write('        ', 148)
    header.write(type, 156)
    header.write(link, 157)
    header.write('ustar\0', 257)
    header.write('00', 263)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

const pax = (record: string): Entry => {
  const length = [record.length + 3, record.length + 4, record.length + 5].find(
    total => `${total} ${record}\n`.length === total,
  )
  return { name: 'PaxHeader', type: 'x', data: `${length} ${record}\n` }
}
const tool = (name: string): Entry => ({ name: `package/.ai/tools/${name}`, data: signed })

/** What a pull left in the project, besides what was there before. */
function written(): string[] {
  const found = readdirSync(join(session.project, '.ai'), { recursive: true, encoding: 'utf8' })
  return found.filter(path => !/^(config|state)\b/.test(path)).sort()
}

describe('an archive', () => {
  it('that is as it should be is pulled', async () => {
    const long = `${'deep/'.repeat(40)}x.py`
    offer(
      gzipSync(
        tar([
          { name: 'pax_global_header', type: 'g', data: '20 comment=anything\n' },
          { name: 'package/', type: '5' },
          tool('team/greet.py'),
          pax(`path=package/.ai/tools/${long}`),
          { ...tool('cut.py') },
          { name: '././@LongLink', type: 'L', data: `package/.ai/tools/gnu/${long}\0` },
          tool('cut.py'),
        ]),
      ),
    )
    const answer = await pull()
    expect(answer.data, JSON.stringify(answer)).toMatchObject({
      written: [`.ai/tools/${long}`, `.ai/tools/gnu/${long}`, GREET],
    })
    expect(readFileSync(join(session.project, GREET))).toEqual(signed)
    rmSync(join(session.project, '.ai/tools'), { recursive: true })
  })

  const link = (type: string): Entry => ({ name: 'package/.ai/tools/x.py', type, link: '/etc/passwd' })
  const many = Array.from({ length: 5001 }, (_, number) => tool(`n${number}.py`))
  it.each<[string, () => Buffer, string]>([
    ['climbs out', () => tar([tool('../../../x.py')]), 'leads out of it'],
    [
      'climbs out beside its items',
      () => tar([tool('x.py'), { name: 'package/../../x' }]),
      'leads out of it',
    ],
    ['names an absolute path', () => tar([{ name: '/etc/x.py', data: 'x' }]), 'leads out of it'],
    ['names an absolute path in pax', () => tar([pax('path=/etc/x.py'), tool('x.py')]), 'leads out of it'],
    ['has backslashes', () => tar([tool('..\\..\\x.py')]), 'leads out of it'],
    ['has empty segments', () => tar([tool('a//x.py')]), 'leads out of it'],
    ['holds a symbolic link', () => tar([link('2')]), 'a link or a device'],
    ['holds a hard link', () => tar([link('1')]), 'a link or a device'],
    ['holds a device', () => tar([link('3')]), 'a link or a device'],
    ['holds a pipe', () => tar([link('6')]), 'a link or a device'],
    ['holds a sparse file', () => tar([pax('GNU.sparse.major=1'), tool('x.py')]), 'a file with holes'],
    ['holds an old sparse file', () => tar([link('S')]), 'a link or a device'],
    ['lies about a size in pax', () => tar([pax('size=99999999999'), tool('x.py')]), 'a file with holes'],
    ['has a negative size', () => tar([{ ...tool('x.py'), size: '\xff'.repeat(12) }]), 'cannot be read'],
    ['has a size past its end', () => tar([{ ...tool('x.py'), size: '00077777777\0' }]), 'is damaged'],
    ['has a broken header', () => Buffer.concat([tar([tool('x.py')]).fill('!', 0, 4)]), 'is damaged'],
    ['has a broken pax header', () => tar([{ name: 'p', type: 'x', data: '999 a=b\n' }]), 'cannot be read'],
    ['has pax without an end', () => tar([{ name: 'p', type: 'x', data: '0 a=b\n' }]), 'cannot be read'],
    ['holds one file twice', () => tar([tool('x.py'), tool('x.py')]), 'two files for one name'],
    [
      'holds names that differ in case',
      () => tar([tool('a/X.py'), tool('A/x.py')]),
      'two files for one name',
    ],
    ['holds a file below a file', () => tar([tool('x'), tool('X/y.py')]), 'below another file'],
    ['holds a hidden file', () => tar([tool('.hidden.py')]), 'expected names of letters'],
    ['holds a name of other characters', () => tar([tool('caf\u00e9.py')]), 'expected names of letters'],
    ['holds a name with a line break', () => tar([tool('a\nb.py')]), 'expected names of letters'],
    [
      'hides a .git in a skill',
      () => tar([{ name: 'package/.ai/skills/a/.git/config', data: 'x' }]),
      'expected names',
    ],
    [
      'holds a stray file for skills',
      () => tar([{ name: 'package/.ai/skills/a/x', data: 'x' }]),
      'not signed',
    ],
    ['holds too many files', () => tar(many), 'more than 5000 files'],
    ['holds a huge file', () => tar([{ ...tool('x.py'), data: randomText(11_000_000) }]), 'too large'],
    [
      'holds an unsigned item',
      () => tar([tool('x.py'), { ...tool('y.py'), data: 'x = 1\n' }]),
      '1 files are not signed',
    ],
    ['holds no items', () => tar([{ name: 'package/index.js', data: 'x' }]), 'holds no items'],
    [
      'holds settings only',
      () => tar([{ name: 'package/.ai/config/rye.toml', data: 'x' }]),
      'holds no items',
    ],
    ['is empty', () => Buffer.alloc(0), 'holds no items'],
    ['is no tar', () => Buffer.from('x'.repeat(600)), 'cannot be read'],
  ])('that %s is refused, and nothing is written', async (_, make, problem) => {
    offer(gzipSync(make()))
    expect((await pull()).error).toContain(problem)
    expect(written()).toEqual([])
  })

  it('is unpacked within bounds, and only whole', async () => {
    offer(gzipSync(Buffer.alloc(300_000_000)))
    expect((await pull()).error).toContain('unpacks to more than')
    const whole = gzipSync(tar([tool('x.py')]))
    for (const [archive, problem] of [
      [Buffer.from('not gzip at all'), 'is not gzip'],
      [whole.subarray(0, whole.length - 9), 'is cut off'],
      [Buffer.concat([whole, whole]), 'goes on after its end'],
    ] as const) {
      offer(archive)
      expect((await pull()).error).toContain(problem)
    }
    expect(written()).toEqual([])
  })

  it('is not looked at unless its digest is the announced one', async () => {
    const archive = gzipSync(tar([tool('x.py')]))
    offer(archive, { integrity: integrityOf(Buffer.from('another')) })
    expect((await pull()).error).toContain('is not what the registry announced: expected sha512-')
    const sha1 = `sha1-${createHash('sha1').update(archive).digest('base64')}`
    for (const integrity of [undefined, '', sha1, 'sha512-AAAA', 7]) {
      offer(archive, { integrity })
      expect((await pull()).error, String(integrity)).toContain('expected an archive with a sha512 integrity')
    }
    offer(archive, { integrity: `${sha1} ${integrityOf(archive)}` })
    expect((await pull({ dry_run: true })).status).toBe('success')
    expect(written()).toEqual([])
  })
})

describe('a registry', () => {
  it.each<[string, Reply, string | RegExp]>([
    ['knows nothing', response => response.writeHead(404).end(), 'has no package `bad`'],
    [
      'wants a token',
      response => response.writeHead(401).end('{"error":"who are you?"}'),
      '401 (who are you?); NPM_TOKEN is not',
    ],
    [
      'forbids',
      response => response.writeHead(403).end('<html>no</html>'),
      'answered 403; NPM_TOKEN may not',
    ],
    [
      'fails',
      response => response.writeHead(500).end('out of order\nat line 1'),
      '500 (out of order); try again later',
    ],
    ['is busy', response => response.writeHead(429).end(), 'answered 429'],
    ['sends a page', response => response.end('<html>'), 'expected JSON'],
    ['sends nested JSON', response => response.end('['.repeat(100_000)), 'expected JSON'],
    ['sends a list', sendJson([]), 'has no versions'],
    ['has odd versions', sendJson({ versions: { '1.0.0': 7 } }), 'has no versions'],
    ['has no versions', sendJson({ versions: {} }), 'there are no versions'],
    ['has an odd tag', sendJson({ versions: {}, 'dist-tags': { latest: {} } }), 'no version or tag'],
    ['has no archive', sendJson({ versions: { '1.0.0': {} }, 'dist-tags': { latest: '1.0.0' } }), 'got none'],
    [
      'redirects for ever',
      response => response.writeHead(302, { location: '/bad' }).end(),
      'more than 5 redirects',
    ],
    [
      'stops early',
      response =>
        response
          .writeHead(200, { 'content-length': '99' })
          .end('{"versions":', 'latin1', () => response.destroy()),
      'ended early',
    ],
    [
      'sends without end',
      response => void setInterval(() => response.write(Buffer.alloc(4_000_000, ' ')), 1).unref(),
      'exceeds',
    ],
    ['is silent', () => {}, /within the time|timed out/],
  ])('that %s is told with a sentence', async (_, reply, problem) => {
    replies['/bad'] = reply
    const answer = await pull({ timeout: problem instanceof RegExp ? 0.5 : 20 })
    expect(answer.error).toMatch(problem)
    registry.closeAllConnections()
    expect(written()).toEqual([])
  })

  it('without a search says so', async () => {
    const answer = await session.execute('rye/registry', { action: 'search', query: 'x' })
    expect(answer.error).toContain('has no search')
  })

  it('finds what the words of a person mean, whatever is sent back', async () => {
    const bundle = {
      name: 'a',
      description: 'Tea\u202e and\n more',
      keywords: ['rye-bundle'],
      'dist-tags': 7,
    }
    replies['/-/v1/search?text=keywords%3Arye-bundle%20a%26b%20%23c&size=20'] = sendJson({
      objects: [
        7,
        {},
        { package: {} },
        { package: { ...bundle, keywords: 'rye-bundle' } },
        { package: bundle },
      ],
    })
    const answer = await session.execute('rye/registry', { action: 'search', query: ' a&b  #c ' })
    registry
      .removeAllListeners('request')
      .on('request', (request, response) => replies[request.url!]?.(response, request))
    expect(answer.data).toMatchObject({ count: 1, bundles: [{ package: 'a', version: '' }] })
  })

  it.each([
    [401, 'NPM_TOKEN is not accepted'],
    [402, 'access is public'],
    [403, 'may not do this, or the version exists'],
    [409, 'somebody published at the same time'],
    [413, 'too large'],
    [500, 'try again later'],
  ])('that answers a publication with %i is told with what mends it', async (status, mend) => {
    session.write(GREET, signed)
    const seen: unknown[] = []
    replies['/@team%2fpack'] = (response, request) => {
      if (request.method === 'GET') return response.writeHead(404).end()
      seen.push(request.headers.authorization)
      request.resume().on('end', () => response.writeHead(status).end('{"error":"because"}'))
    }
    const answer = await session.execute('rye/registry', {
      action: 'publish',
      package: '@team/pack',
      version: '1.0.0',
      description: 'x',
      items: ['tool:team/greet'],
    })
    expect(answer.error).toContain(`answered ${status} (because); `)
    expect(answer.error).toContain(mend)
    expect(seen).toEqual([`Bearer ${TOKEN}`])
    expect(JSON.stringify(answer)).not.toContain(TOKEN)
    rmSync(join(session.project, '.ai/tools'), { recursive: true })
  })
})

describe('the token', () => {
  it('and private addresses are for the configured registry alone', async () => {
    const { port } = thief.address() as AddressInfo
    const archive = gzipSync(tar([tool('x.py')]))
    for (const target of [
      `http://127.0.0.1:${port}/x.tgz`,
      `https://127.0.0.1:${port}/x.tgz`,
      'http://169.254.169.254/',
    ]) {
      offer(archive, { tarball: target })
      expect((await pull()).error, target).toMatch(/begins with https|private address/)
      offer(archive)
      replies['/bad/-/bad-1.0.0.tgz'] = response => response.writeHead(302, { location: target }).end()
      expect((await pull()).error, target).toMatch(/begins with https|private address/)
      replies['/bad'] = response => response.writeHead(307, { location: target }).end()
      expect((await pull()).error, target).toMatch(/begins with https|private address/)
      expect((await pull({ registry: target })).error, target).toMatch(/begins with https|private address/)
    }
    expect(stolen).toEqual([])
  })

  it('does not go to another host, another path, or along a redirect', async () => {
    const archive = gzipSync(tar([tool('x.py')]))
    const seen: [string | undefined, string | undefined, string | undefined][] = []
    const site = createServer((request, response) => {
      const { host, authorization } = request.headers
      seen.push([host, request.url, authorization])
      const dist = { tarball: 'https://cdn.test/x.tgz', integrity: integrityOf(archive) }
      if (request.url === '/npm/bad') {
        return sendJson({ versions: { '1.0.0': { dist } }, 'dist-tags': { latest: '1.0.0' } })(
          response,
          request,
        )
      }
      if (request.url === '/npm/moved')
        return response.writeHead(302, { location: 'https://own.test/other/bad' }).end()
      if (request.method === 'PUT') return response.writeHead(307, { location: 'https://cdn.test/put' }).end()
      if (request.url === '/x.tgz') return response.end(archive)
      return response.writeHead(404).end('{}')
    })
    await listen(site)
    const { port } = site.address() as AddressInfo
    // Its own rules refuse a local server, so two names are let through to it here; all other rules are the real ones.
    const program = `
import http.client, json, socket, sys
import registry
class Local(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.create_connection(("127.0.0.1", ${port}))
registry.dial = lambda url, deadline, allow_private: Local(registry.urlsplit(url).hostname)
settings = {"resolved_config": {"registry": "https://own.test/npm"}}
print(json.dumps([registry.execute({**settings, **params}, sys.argv[1]) for params in json.load(sys.stdin)]))
`
    const child = spawn('python3', ['-c', program, session.project], {
      cwd: 'system/.ai/tools/rye',
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', NPM_TOKEN: TOKEN },
    })
    session.write(GREET, signed)
    child.stdin.end(
      JSON.stringify([
        { action: 'pull', package: 'bad', dry_run: true },
        { action: 'pull', package: 'moved' },
        { action: 'pull', package: 'bad', registry: 'https://own.test/' },
        { action: 'publish', package: 'new', version: '1.0.0', description: 'x', items: ['tool:team/greet'] },
      ]),
    )
    const [pulled, moved, , published] = JSON.parse(await text(child.stdout))
    site.close()
    rmSync(join(session.project, '.ai/tools'), { recursive: true })
    expect(pulled).toMatchObject({ success: true, written: ['.ai/tools/x.py'] })
    expect(moved.error).toContain('has no package')
    expect(published.error).toContain('redirects to `https://cdn.test/put`')
    const bearer = `Bearer ${TOKEN}`
    expect(seen).toEqual([
      ['own.test', '/npm/bad', bearer],
      ['cdn.test', '/x.tgz', undefined],
      ['own.test', '/npm/moved', bearer],
      ['own.test', '/other/bad', undefined],
      ['own.test', '/bad', undefined],
      ['own.test', '/npm/new', bearer],
      ['own.test', '/npm/new', bearer],
    ])
  })
})

describe('the project', () => {
  it('keeps its links: nothing is written through one', async () => {
    offer(gzipSync(tar([tool('team/greet.py')])))
    mkdirSync(join(session.project, '.ai/tools'), { recursive: true })
    symlinkSync(session.outside, join(session.project, '.ai/tools/team'))
    expect((await pull({ overwrite: true })).error).toContain('is a link, or lies behind one')
    expect(existsSync(join(session.outside, 'greet.py'))).toBe(false)
    rmSync(join(session.project, '.ai/tools/team'))
    mkdirSync(join(session.project, '.ai/tools/team'))
    symlinkSync(join(session.outside, 'greet.py'), join(session.project, GREET))
    expect((await pull({ overwrite: true })).error).toContain('is a link, or lies behind one')
    rmSync(join(session.project, GREET))
    mkdirSync(join(session.project, GREET))
    expect((await pull({ overwrite: true })).error).toContain('is not a file')
    rmSync(join(session.project, '.ai/tools'), { recursive: true })
  })

  it('is as it was when a file cannot be put into place', async () => {
    offer(gzipSync(tar([tool('a/x.py'), tool('b/x.py'), tool('z/y/x.py')])))
    session.write('.ai/tools/a/x.py', '# mine\n')
    session.write('.ai/tools/z/y', 'a file where a folder is needed\n')
    const answer = await pull({ overwrite: true })
    expect(answer.status).toBe('error')
    expect(written()).toEqual(['tools', 'tools/a', 'tools/a/x.py', 'tools/z', 'tools/z/y'])
    expect(readFileSync(join(session.project, '.ai/tools/a/x.py'), 'utf8')).toBe('# mine\n')
    rmSync(join(session.project, '.ai/tools'), { recursive: true })
  })
})

/** Text that hardly shrinks. */
function randomText(length: number): Buffer {
  const text = Buffer.alloc(length)
  for (let at = 0, seed = 1; at < length; at++) {
    seed = (seed * 48271) % 2147483647
    text[at] = 32 + (seed % 90)
  }
  return text
}
