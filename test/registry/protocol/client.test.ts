// Where credentials are sent, and where not: a client with its own registry, whose names all lead to one
// local server.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { makeBundle } from '../../../src/registry/bundle/make-bundle.ts'
import { createClient, type RegistryClient } from '../../../src/registry/protocol/client.ts'
import type { Dial } from '../../../src/registry/protocol/dial.ts'
import { integrityOf } from '../../../src/registry/protocol/packument.ts'
import { createSend } from '../../../src/registry/protocol/send.ts'
import type { Registry } from '../../../src/registry/settings/choose-registry.ts'
import { bearer } from '../../../src/registry/settings/credentials.ts'

type Reply = (request: IncomingMessage, response: ServerResponse) => unknown

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

const OWN = new URL('https://own.test/npm/')
const REGISTRY: Registry = {
  url: OWN,
  allowPrivate: false,
  isConfigured: true,
  credentials: bearer(OWN, 'token-of-the-user', 'NPM_TOKEN'),
}

/** What was asked of which host, with which credentials. */
type Seen = [host: string | undefined, path: string | undefined, authorization: string | undefined][]

async function open(reply: Reply, registry = REGISTRY): Promise<{ client: RegistryClient; seen: Seen }> {
  const seen: Seen = []
  server = createServer((request, response) => {
    seen.push([request.headers.host, request.url, request.headers.authorization])
    reply(request, response)
  })
  await new Promise<void>(resolve => server!.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  // Names are let through to the local server, in the clear; all other rules are the real ones.
  const dial: Dial = () => Promise.resolve(connect(port, '127.0.0.1'))
  const send = createSend(registry, dial, new AbortController().signal)
  return { client: createClient(registry, send), seen }
}

const json = (response: ServerResponse, value: unknown) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))

describe('credentials', () => {
  it('do not go to another host, another path, or along a redirect', async () => {
    const archive = gzipSync('any bytes')
    const { client, seen } = await open((request, response) => {
      if (request.url === '/npm/bad') {
        const dist = { tarball: 'https://cdn.test/x.tgz', integrity: integrityOf(archive) }
        return json(response, { versions: { '1.0.0': { dist } }, 'dist-tags': { latest: '1.0.0' } })
      }
      if (request.url === '/npm/moved')
        return response.writeHead(302, { location: 'https://own.test/other/bad' }).end()
      if (request.method === 'PUT') return response.writeHead(307, { location: 'https://cdn.test/put' }).end()
      if (request.url === '/x.tgz') return response.end(archive)
      return response.writeHead(404).end('{}')
    })
    const found = await client.find('bad')
    expect(await client.download(found!.versions.get('1.0.0')!)).toEqual(archive)
    expect(await client.find('moved')).toBeUndefined()
    const bundle = await makeBundle(
      { name: 'new', version: '1.0.0', description: 'x', keywords: [] },
      new Map(),
      [],
    )
    const publication = { name: 'new', version: '1.0.0', bundle, tag: 'latest', access: 'public' } as const
    await expect(client.publish(publication)).rejects.toThrow('redirects to `https://cdn.test/put`')
    expect(seen).toEqual([
      ['own.test', '/npm/bad', 'Bearer token-of-the-user'],
      ['cdn.test', '/x.tgz', undefined],
      ['own.test', '/npm/moved', 'Bearer token-of-the-user'],
      ['own.test', '/other/bad', undefined],
      ['own.test', '/npm/new', 'Bearer token-of-the-user'],
    ])
  })

  it('go to all of the address that they are kept for, which may be above the registry', async () => {
    const registry = { ...REGISTRY, credentials: bearer(new URL('https://own.test/'), 'wide', 'NPM_TOKEN') }
    const { client, seen } = await open((request, response) => {
      if (request.url !== '/npm/here') return response.writeHead(404).end('{}')
      return response.writeHead(302, { location: 'https://own.test/download/here' }).end()
    }, registry)
    await client.find('here')
    expect(seen.map(([, path, authorization]) => [path, authorization])).toEqual([
      ['/npm/here', 'Bearer wide'],
      ['/download/here', 'Bearer wide'],
    ])
  })

  it('are not sent in the clear, whoever asks for it', async () => {
    const { client, seen } = await open((_, response) =>
      response.writeHead(302, { location: 'http://own.test/npm/bad' }).end(),
    )
    await expect(client.find('bad')).rejects.toThrow('expected a URL that begins with https://')
    expect(seen).toHaveLength(1)
  })
})

describe('a publication', () => {
  const facts = { name: '@team/pack', version: '1.0.0', description: 'Ours', keywords: ['tea'] }

  it('is what npm sends: manifest, digests, archive, a password that holds once, a statement of where it comes from', async () => {
    const bodies: unknown[] = []
    const headers: unknown[] = []
    const { client } = await open((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', chunk => chunks.push(chunk))
      request.on('end', () => {
        headers.push(request.headers['npm-otp'])
        bodies.push(JSON.parse(Buffer.concat(chunks).toString()))
        response.writeHead(201).end('{}')
      })
    })
    const bundle = await makeBundle(facts, new Map(), [])
    const provenance = { mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json', text: '{"a":1}' }
    const named = { name: facts.name, version: facts.version, tag: 'next', access: 'restricted' } as const
    await client.publish({ ...named, bundle, otp: '123456', provenance })
    expect(headers).toEqual(['123456'])
    expect(bodies).toMatchObject([
      {
        _id: '@team/pack',
        access: 'restricted',
        'dist-tags': { next: '1.0.0' },
        versions: {
          '1.0.0': {
            keywords: ['rye-bundle', 'tea'],
            dist: {
              integrity: integrityOf(bundle.archive),
              tarball: 'https://own.test/npm/@team/pack/-/pack-1.0.0.tgz',
            },
          },
        },
        _attachments: {
          '@team/pack-1.0.0.tgz': { data: bundle.archive.toString('base64'), length: bundle.archive.length },
          '@team/pack-1.0.0.sigstore': { content_type: provenance.mediaType, data: '{"a":1}', length: 7 },
        },
      },
    ])
  })

  it('that needs a one-time password is told so', async () => {
    const { client } = await open((request, response) => {
      request.resume()
      response.writeHead(401, { 'www-authenticate': 'OTP' }).end('{"error":"no"}')
    })
    const bundle = await makeBundle(facts, new Map(), [])
    const named = { name: facts.name, version: facts.version, tag: 'latest', access: 'public' } as const
    await expect(client.publish({ ...named, bundle })).rejects.toThrow(
      'answered 401 (no); it wants a one-time password',
    )
  })
})
