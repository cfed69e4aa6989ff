// `rye/registry` and registries that fail or lie: what a person is told, and that nothing is written or
// disclosed.
import { rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  GREET,
  type HostileRegistry,
  openHostileRegistry,
  type Reply,
  sendJson,
  TOKEN,
} from './hostile-registry.ts'

let registry: HostileRegistry
beforeAll(async () => {
  registry = await openHostileRegistry()
})
beforeEach(() => registry.replies.clear())
afterAll(() => registry.close())

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
          .write('{"versions":', 'latin1', () => response.destroy()),
      'ended early',
    ],
    ['sends without end', response => sendForever(response), 'exceeds'],
    ['is silent', () => {}, /within the time|timed out/],
  ])('that %s is told with a sentence', async (_, reply, problem) => {
    registry.replies.set('/bad', reply)
    // A short time for what must time out, plenty for what must not.
    const answer = await registry.pull({ timeout: problem instanceof RegExp ? 0.5 : 120 })
    expect(answer.error).toMatch(problem)
    registry.server.closeAllConnections()
    expect(registry.written()).toEqual([])
  })

  it('without a search says so', async () => {
    const answer = await registry.session.execute('rye/registry', { action: 'search', query: 'x' })
    expect(answer.error).toContain('has no search')
  })

  it('finds what the words of a person mean, whatever is sent back', async () => {
    const bundle = {
      name: 'a',
      description: 'Tea\u202e and\n more',
      keywords: ['rye-bundle'],
      'dist-tags': 7,
    }
    const objects = [
      7,
      {},
      { package: {} },
      { package: { ...bundle, keywords: 'rye-bundle' } },
      { package: bundle },
    ]
    const path = '/-/v1/search?text=keywords%3Arye-bundle%20a%26b%20%23c&size=20'
    registry.replies.set(path, sendJson({ objects }))
    const answer = await registry.session.execute('rye/registry', { action: 'search', query: ' a&b  #c ' })
    expect(answer.data).toMatchObject({ count: 1, bundles: [{ package: 'a', version: '' }] })
  })

  it.each([
    [401, 'NPM_TOKEN is not accepted'],
    [402, 'access is public'],
    [403, 'may not do this, or the version exists'],
    [409, 'somebody published at the same time'],
    [413, 'too large'],
    [500, 'try again later'],
  ])('that answers a publication with %i is told with what fixes it', async (status, fix) => {
    registry.session.write(GREET, registry.own)
    const seen: unknown[] = []
    registry.replies.set('/@team%2fpack', (response, request) => {
      if (request.method === 'GET') return response.writeHead(404).end()
      seen.push(request.headers.authorization)
      return request.resume().on('end', () => response.writeHead(status).end('{"error":"because"}'))
    })
    const answer = await registry.session.execute('rye/registry', {
      action: 'publish',
      package: '@team/pack',
      version: '1.0.0',
      description: 'x',
      items: ['tool:team/greet'],
    })
    expect(answer.error).toContain(`answered ${status} (because); `)
    expect(answer.error).toContain(fix)
    expect(seen).toEqual([`Bearer ${TOKEN}`])
    expect(JSON.stringify(answer)).not.toContain(TOKEN)
    rmSync(join(registry.session.project, '.ai/tools'), { recursive: true })
  })
})

function sendForever(response: ServerResponse): void {
  const blanks = Buffer.alloc(1_000_000, ' ')
  const send = () => {
    while (!response.destroyed && response.write(blanks));
  }
  response.on('drain', send)
  send()
}
