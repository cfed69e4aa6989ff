// The table of skills on object storage: an S3 server on loopback, credentials from the environment, the
// built command and its errors.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LIBRARY } from '../skills/library.ts'
import { makePlace, type Place } from './run-rye.ts'
import { type S3Server, startS3 } from './s3-server.ts'

const KEYS = { id: 'AKIAFLEET', secret: 'not-to-be-printed/1+2' }
const URI = 's3://fleet/team/tools'

let place: Place
let server: S3Server
let env: Record<string, string>
beforeEach(async () => {
  place = makePlace()
  server = await startS3(KEYS)
  cpSync(LIBRARY, join(place.project, 'skills'), { recursive: true })
  env = environment(server.endpoint, KEYS.secret)
})
afterEach(async () => {
  await server.close()
  place.remove()
})

function environment(endpoint: string, secret: string): Record<string, string> {
  return {
    AWS_ACCESS_KEY_ID: KEYS.id,
    AWS_SECRET_ACCESS_KEY: secret,
    AWS_REGION: 'eu-central-1',
    AWS_ENDPOINT: endpoint,
    AWS_ALLOW_HTTP: 'true',
  }
}

async function rye(words: string[], variables = env) {
  const ran = await place.start(['skills', ...words, '--lance', URI, '--json'], { env: variables })
  expect(`${ran.stdout}${ran.stderr}`).not.toContain('not-to-be-printed')
  return ran.json()
}

describe('a table on S3', () => {
  it('is written, found again unchanged, updated and searched with the credentials of the environment', async () => {
    const first = await rye(['sync', 'skills'])
    expect(first).toMatchObject({ added: { length: 27 }, unchanged_count: 0 })
    expect([...server.objects.keys()].every(key => key.startsWith('fleet/team/tools/'))).toBe(true)
    expect([...server.objects.keys()].some(key => key.includes('/skills.lance/_versions/'))).toBe(true)
    const table = () => [...server.objects.keys()].filter(key => key.includes('/skills.lance/')).sort()
    const written = table()
    expect(await rye(['sync', 'skills'])).toMatchObject({ added: [], updated: [], unchanged_count: 27 })
    expect(table()).toEqual(written)

    mkdirSync(join(place.project, 'skills/new/scripts'), { recursive: true })
    writeFileSync(join(place.project, 'skills/new/SKILL.md'), '---\nname: new\ndescription: New\n---\n')
    writeFileSync(join(place.project, 'skills/new/scripts/a.py'), '@skill_command()\ndef fresh(): pass\n')
    expect(await rye(['sync', 'skills'])).toMatchObject({ added: ['new', 'new.fresh'], unchanged_count: 27 })
    expect((await rye(['search', 'smart commit'])).results[0].id).toBe('git.smart_commit')
    expect((await rye(['search', 'new.fresh'])).results[0].id).toBe('new.fresh')
  })

  it('loses no row, and holds none twice, when three commands write it at once', async () => {
    const answers = await Promise.all([0, 1, 2].map(() => rye(['sync', 'skills'])))
    for (const answer of answers) expect(answer).not.toHaveProperty('error')
    expect(await rye(['sync', 'skills'])).toMatchObject({ added: [], updated: [], unchanged_count: 27 })
    expect((await rye(['search', 'git commit status graph', '--limit', '100'])).total).toBeGreaterThan(3)
  })

  it('that is not there is said to be missing', async () => {
    expect(await rye(['search', 'x'])).toMatchObject({
      code: 'ITEM_NOT_FOUND',
      error: `no table \`skills\` at \`${URI}\``,
    })
  })
})

describe('storage that', () => {
  it('refuses the credentials is an error that names the place and the variables, and no secret', async () => {
    const answer = await rye(['sync', 'skills'], environment(server.endpoint, 'not-to-be-printed/other'))
    expect(answer).toMatchObject({
      code: 'REMOTE_FAILED',
      error: expect.stringMatching(/^LanceDB at `s3:\/\/fleet\/team\/tools`: .*SignatureDoesNotMatch/),
      hint: expect.stringContaining('AWS_SECRET_ACCESS_KEY'),
    })
    expect(server.objects.size).toBe(0)
  })

  it('does not answer is an error after a while', async () => {
    const answer = await rye(
      ['search', 'x'],
      environment(`http://127.0.0.1:${await closedPort()}`, KEYS.secret),
    )
    expect(answer).toMatchObject({
      code: 'REMOTE_FAILED',
      error: expect.stringMatching(/^LanceDB at `s3:\/\/fleet\/team\/tools`: .*Connection refused/),
    })
    expect(answer.error).not.toMatch(/cargo|\.rs\b|\?/)
  })

  it('is not encrypted is an error that says how to allow it', async () => {
    const { AWS_ALLOW_HTTP: _allowed, ...strict } = env
    expect(await rye(['search', 'x'], strict)).toMatchObject({
      code: 'REMOTE_FAILED',
      error: expect.stringContaining('URL scheme is not allowed'),
      hint: expect.stringContaining('AWS_ALLOW_HTTP=true'),
    })
  })

  it.each([
    ['az://fleet/tools', /no storage account configured/, 'AZURE_STORAGE_ACCOUNT_NAME'],
    ['s3+odd://fleet/tools', /./, undefined],
  ])('%s lacks something is an error that says what', async (uri, error, hint) => {
    const ran = await place.start(['skills', 'sync', 'skills', '--lance', uri, '--json'])
    expect(ran.json()).toMatchObject({ code: 'REMOTE_FAILED', error: expect.stringMatching(error) })
    expect(ran.json().error).not.toMatch(/cargo|\.rs\b/)
    if (hint) expect(ran.json().hint).toContain(hint)
  })
})

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}
