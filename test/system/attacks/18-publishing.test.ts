// A registry that lies to the publisher, and items that are not what they seem: nothing unintended is sent,
// and no token reaches the wrong place.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  GREET,
  type HostileRegistry,
  openHostileRegistry,
  type Reply,
  sendJson,
  TOKEN,
} from '../hostile-registry.ts'

let registry: HostileRegistry
const asked: { readonly method: string; readonly url: string; readonly body: string }[] = []
beforeAll(async () => {
  registry = await openHostileRegistry()
})
beforeEach(() => {
  asked.length = 0
  registry.replies.clear()
  registry.session.write(GREET, registry.own)
})
afterEach(() => {
  registry.server.closeAllConnections()
  for (const folder of ['tools', 'skills'])
    rmSync(inProject(`.ai/${folder}`), { recursive: true, force: true })
})
afterAll(() => registry.close())

const inProject = (path: string) => join(registry.session.project, path)

/** What is asked of a package is kept; a change gets this answer, a question that of before. */
function answerChanges(reply: Reply, known?: object): void {
  const paths = ['', '/-rev/1-a', '/-/pack-1.0.0.tgz/-rev/1-a']
  for (const path of paths)
    registry.replies.set(`/pack${path}`, async (response, request) => {
      const { method, url } = request as IncomingMessage & { method: string; url: string }
      if (method === 'GET') return known ? sendJson(known)(response, request) : response.writeHead(404).end()
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      asked.push({ method, url, body: Buffer.concat(chunks).toString('utf8') })
      return reply(response, request)
    })
}

const publish = (more: object = {}) =>
  registry.session.call('registry publish', {
    ...{ package: 'pack', version: '1.0.0', description: 'x', items: ['tool:team/greet'] },
    ...more,
  })
const unpublish = (more: object = {}) =>
  registry.session.call('registry unpublish', { package: 'pack', version: '1.0.0', ...more })

const VERSION = { name: 'pack', dist: { tarball: 'http://127.0.0.1:1/x.tgz', integrity: 'sha512-x' } }
const KNOWN = {
  ...{ name: 'pack', _rev: '1-a', 'dist-tags': { latest: '1.1.0' } },
  versions: { '1.0.0': VERSION, '1.1.0': VERSION },
}
const UNSURE = 'it may or may not have been done: check with `rye registry show`'

describe('a registry that is asked to change something', () => {
  it.each<[string, Reply, string, string | undefined]>([
    [
      'redirects',
      r => r.writeHead(307, { location: 'https://evil.example/' }).end(),
      'redirects to',
      undefined,
    ],
    ['redirects to itself', r => r.writeHead(308, { location: '/pack' }).end(), 'redirects to', undefined],
    ['ends the connection', r => r.destroy(), 'cannot be reached', UNSURE],
    ['is silent', () => {}, 'no complete answer within the time limit', UNSURE],
    [
      'answers without end',
      r => r.writeHead(500).write(' '.repeat(25_000_000)),
      'exceeds 20000000 bytes',
      UNSURE,
    ],
    ['speaks something else', r => r.socket!.end('SSH-2.0-x\r\n\r\n'), 'cannot be reached', UNSURE],
    [
      'wants a password',
      r => r.writeHead(401, { 'www-authenticate': 'OTP' }).end(),
      '`--otp CODE`',
      undefined,
    ],
    [
      'says the token aloud',
      r => r.writeHead(403).end(JSON.stringify({ error: `${TOKEN} \u001b[2J<script>\u202e` })),
      'answered 403 ([secret] \\u{1b}[2J<script>\\u{202e})',
      undefined,
    ],
  ])('and %s is told with what is known, once for each, without a token', async (_, reply, error, hint) => {
    answerChanges(reply)
    const timeout = error.includes('within the time') ? 1 : 60
    const published = await publish({ timeout })
    answerChanges(reply, KNOWN)
    const unpublished = await unpublish({ timeout })
    for (const [answer, what] of [
      [published, 'publishing'],
      [unpublished, 'unpublishing'],
    ] as const) {
      expect(answer.error).toContain(`${what} \`pack@1.0.0\`: `)
      expect(answer.error).toContain(error)
      expect(answer.hint).toBe(hint)
    }
    expect(asked.map(({ method }) => method)).toEqual(['PUT', 'PUT'])
    const state = readdirSync(registry.session.user, {
      recursive: true,
      encoding: 'utf8',
      withFileTypes: true,
    })
    const kept = state
      .filter(entry => entry.isFile())
      .map(entry => readFileSync(join(entry.parentPath, entry.name)))
    expect([JSON.stringify([published, unpublished]), ...kept].filter(text => text.includes(TOKEN))).toEqual(
      [],
    )
  })

  it.each(['../../other/-rev/1', '..', '%2e%2e%2fother', 'a/b', 'a?b', '', 7, null])(
    'and says that its state is %j gets no address made of it',
    async _rev => {
      answerChanges(r => r.writeHead(200).end('{}'), { ...KNOWN, _rev })
      expect((await unpublish()).error).toContain('expected a registry that says which state it is in')
      expect(asked).toEqual([])
    },
  )

  it('and publishes what was verified, whatever becomes of the file meanwhile', async () => {
    registry.replies.set('/pack', (response, request) => {
      // The items were read and judged before anything is asked.
      if (request.method === 'GET') writeFileSync(inProject(GREET), 'print("evil")\n')
      return request
        .resume()
        .on('end', () => response.writeHead(request.method === 'GET' ? 404 : 201).end('{}'))
    })
    const before = await publish({ dry_run: true })
    expect(await publish()).toMatchObject({ integrity: before.integrity, dry_run: false })
    expect(readFileSync(inProject(GREET), 'utf8')).toContain('evil')
    expect(await publish({ version: '1.0.1' })).toMatchObject({ code: 'VALIDATION_FAILED' })
  })
})

describe('an item is not published', () => {
  const SKILL = '.ai/skills/s/SKILL.md'
  async function makeSkill(): Promise<void> {
    registry.session.write(SKILL, '---\nname: s\ndescription: Use it for s.\n---\n\nDo it.\n')
    await registry.session.call('sign', { item_type: 'skill', item_id: 's' })
  }

  it.each<[string, (place: string) => void]>([
    ['a link', place => symlinkSync('/etc/passwd', place)],
    ['a link to a folder', place => symlinkSync('/etc', place)],
    ['a pipe', place => execFileSync('mkfifo', [place])],
  ])('with %s among its files', async (_, make) => {
    await makeSkill()
    expect(await publish({ items: ['skill:s'], dry_run: true })).toMatchObject({ items: ['skill:s'] })
    make(inProject('.ai/skills/s/odd'))
    expect((await publish({ items: ['skill:s'], dry_run: true })).error).toContain(
      '`.ai/skills/s/odd` is in the way',
    )
  })

  it('that is a link itself', async () => {
    renameSync(inProject(GREET), inProject('greet.py'))
    symlinkSync(inProject('greet.py'), inProject(GREET))
    expect((await publish({ dry_run: true })).error).toContain('`.ai/tools/team/greet.py` is in the way')
    rmSync(inProject('greet.py'))
  })

  it('with a file that was added after it was signed, or whose name no id can be', async () => {
    await makeSkill()
    registry.session.write('.ai/skills/s/more.md', 'more\n')
    expect((await publish({ items: ['skill:s'] })).problems).toEqual([
      expect.stringContaining('.ai/skills/s/SKILL.md: it was changed after it was signed'),
    ])
    for (const name of ['grüße.py', 'a b.py', 'gr\u200beet.py'])
      registry.session.write(`.ai/tools/odd/${name}`, registry.own)
    const { problems } = await publish({ items: ['tool:odd/*'] })
    expect((problems as string[]).filter(text => text.includes('expected names of letters'))).toHaveLength(3)
  })

  it('that was accepted here, and signed by nobody', async () => {
    const source = join(dirname(registry.session.project), 'vendor')
    mkdirSync(join(source, 'pdf'), { recursive: true })
    writeFileSync(
      join(source, 'pdf/SKILL.md'),
      '---\nname: pdf\ndescription: Use it for forms.\n---\n\nDo it.\n',
    )
    const { digest } = await registry.session.call('add', { source, dry_run: true })
    await registry.session.call('add', { source, accept: [digest] })
    expect(await registry.session.call('load', { item_id: 'skill:pdf' })).toMatchObject({ status: 'success' })
    const refused = await publish({ items: ['skill:pdf'], dry_run: true })
    expect(refused.problems).toEqual([
      '.ai/skills/pdf/SKILL.md: it was accepted here, not signed: publish it only if it is yours, then sign it',
    ])
  })

  it.each([
    '../x',
    '@team/../x',
    'x/..',
    '.x',
    '@team/.x',
    'a%2fb',
    'x?y',
    'x#y',
    'ﬁle',
    'аcme',
    'node_modules',
    'a\nb',
  ])('under the name %j', async name => {
    expect(await publish({ package: name, dry_run: true })).toMatchObject({ code: 'INVALID_INPUT' })
  })

  it.each([
    '1',
    'v1.0.0',
    '1.0.0+b',
    '01.0.0',
    '1.0.0-01',
    '1.0.0-a..b',
    '1.0.0-',
    '1.0.0/..',
    '1.0.0-a.',
    'latest',
  ])('as the version %j', async version => {
    expect(await publish({ version, dry_run: true })).toMatchObject({ code: 'INVALID_INPUT' })
  })
})
