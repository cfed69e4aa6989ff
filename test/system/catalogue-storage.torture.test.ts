// A catalogue on object storage, with the built command: an S3 server on loopback, one that hangs, one that
// refuses; a killed sync; the shared space over it.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ITEMS } from '../catalogue/library.ts'
import { until } from '../fixtures/patience.ts'
import { makePlace, type Place, PROGRAM } from './run-rye.ts'
import { type S3Server, startS3 } from './s3-server.ts'

const KEYS = { id: 'AKIAFLEET', secret: 'not-to-be-printed/1+2' }
const URI = 's3://fleet/team/library'

let place: Place
let server: S3Server
beforeEach(async () => {
  place = makePlace()
  server = await startS3(KEYS)
  for (const [path, text] of Object.entries(ITEMS)) write(join(place.project, path), text)
})
afterEach(async () => {
  await server.close()
  place.remove()
})

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function environment(endpoint = server.endpoint, secret = KEYS.secret): Record<string, string> {
  return {
    ...{ AWS_ACCESS_KEY_ID: KEYS.id, AWS_SECRET_ACCESS_KEY: secret, AWS_REGION: 'eu-central-1' },
    ...{ AWS_ENDPOINT: endpoint, AWS_ALLOW_HTTP: 'true' },
  }
}

async function rye(words: string[], env = environment()) {
  const ran = await place.start([...words, '--json'], { env })
  expect(`${ran.stdout}${ran.stderr}`).not.toContain('not-to-be-printed')
  return ran.json()
}

const sync = (...words: string[]) => rye(['catalogue', 'sync', '--table', URI, ...words])

describe('a catalogue on S3', () => {
  it('is written, searched, and used as the shared space; without storage the cache serves', async () => {
    await rye(['keys', 'generate'])
    await rye(['sign', 'tool:team/greet'])
    expect(await sync()).toMatchObject({ added: 3, roots: [{ root: 'project', added: 3 }] })
    expect(await sync()).toMatchObject({ added: 0, updated: 0, unchanged: 3 })
    expect([...server.objects.keys()].every(key => key.startsWith('fleet/team/library/'))).toBe(true)
    const found = await rye(['catalogue', 'search', 'greet a person', '--table', URI])
    expect(found.results[0]).toMatchObject({ id: 'team/greet', trust: 'verified' })

    // Somebody else's project, whose user has set up the catalogue.
    write(join(place.user, '.ai/config/rye.toml'), `catalogue = "${URI}"\n`)
    const elsewhere = join(place.root, 'elsewhere')
    mkdirSync(join(elsewhere, '.ai'), { recursive: true })
    const there = (words: string[], env = environment()) => rye([...words, '--project', elsewhere], env)
    expect((await there(['search', 'greet a person', '--source', 'shared'])).results[0]).toMatchObject({
      id: 'team/greet',
      source: 'shared',
    })
    expect(await there(['execute', 'tool:team/greet'])).toMatchObject({ data: { hello: 'world' } })

    await server.close()
    expect(await there(['execute', 'tool:team/greet'])).toMatchObject({
      data: { hello: 'world' },
      warning: expect.stringMatching(/the catalogue did not answer/),
    })
    server = await startS3(KEYS)
  })

  it('loses nothing to a sync that was killed', async () => {
    for (let number = 0; number < 200; number++)
      write(
        join(place.project, `.ai/knowledge/many/n${number}.md`),
        `---\ntitle: Note ${number}\n---\n\nText.\n`,
      )
    const child = spawn(process.execPath, [PROGRAM, 'catalogue', 'sync', '--table', URI], {
      cwd: place.project,
      env: { ...place.environment, ...environment() },
      stdio: 'ignore',
    })
    await until(() => server.objects.size > 0)
    child.kill('SIGKILL')
    await new Promise(resolve => child.on('close', resolve))
    const again = await sync()
    expect(again.added + again.unchanged).toBe(203)
    expect(await rye(['catalogue', 'status', '--table', URI])).toMatchObject({ rows: 203, health: 'good' })
  })
})

describe('storage that', () => {
  it('refuses the credentials is an error without secrets', async () => {
    const env = environment(server.endpoint, 'not-to-be-printed/other')
    expect(await rye(['catalogue', 'status', '--table', URI], env)).toMatchObject({
      code: 'REMOTE_FAILED',
      hint: expect.stringContaining('AWS_SECRET_ACCESS_KEY'),
    })
  })

  it('accepts connections and never answers does not hold up local answers', async () => {
    const held = await startSilence()
    write(join(place.user, '.ai/config/rye.toml'), `catalogue = "${URI}"\n`)
    const env = environment(`http://127.0.0.1:${(held.address() as AddressInfo).port}`)
    const answer = await rye(['search', 'run a shell command'], env)
    expect(answer.results.length).toBeGreaterThan(0)
    expect(answer.warning).toMatch(/hits of the shared catalogue are missing: no answer within/)
    expect(await rye(['load', 'tool:rye/bash'], env)).toMatchObject({
      source: 'system',
      warning: expect.stringMatching(/the catalogue did not answer: no answer within/),
    })
    held.close()
  })
})

async function startSilence(): Promise<Server> {
  const held = createServer(socket => socket.on('error', () => {}))
  await new Promise<void>(resolve => held.listen(0, '127.0.0.1', resolve))
  held.unref()
  return held
}
