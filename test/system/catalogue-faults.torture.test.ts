// A catalogue on misbehaving storage, with the built command: it throttles, refuses, hides what it holds, or
// sends less than promised. Each time a sync is whole or a typed error, a load is a typed error or what the
// cache has, and both say why; nothing is lost.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ITEMS, ROLLBACK } from '../catalogue/library.ts'
import { makePlace, type Place } from './run-rye.ts'
import { type Answer, type Fault, failed, type S3Server, startS3 } from './s3-server.ts'

const KEYS = { id: 'AKIAFLEET', secret: 'not-to-be-printed/1+2' }

let place: Place
let server: S3Server
/** By bucket: each case has its own, so that they can wait at the same time. */
const faults = new Map<string, Fault>()

beforeAll(async () => {
  place = makePlace()
  server = await startS3(KEYS)
  for (const [path, text] of Object.entries(ITEMS)) write(join(place.project, path), text)
  await rye(['keys', 'generate'])
  await rye(['sign', 'tool:team/greet'])
  const buckets = [...Object.keys(REFUSALS), 'half-listed', 'unlisted', 'every-other-0', 'every-other-1']
  await Promise.all(
    buckets.map(async bucket => expect(await bucketOf(bucket).sync()).toMatchObject({ added: 3 })),
  )
  const settings = buckets.map(bucket => `"${elsewhere(bucket)}" = "s3://${bucket}/library"\n`)
  for (const bucket of buckets) mkdirSync(join(elsewhere(bucket), '.ai'), { recursive: true })
  write(join(place.user, '.ai/config/rye.toml'), `[project_catalogues]\n${settings.join('')}`)
  write(join(place.project, '.ai/knowledge/ops/rollback.md'), `${ROLLBACK}\nThen look at the log.\n`)
  server.misbehave((asked, honest) => {
    const fault = faults.get(asked.key.split('/')[0]!)
    return fault ? fault(asked, honest) : honest
  })
})
afterAll(async () => {
  await server.close()
  place.remove()
})

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Somebody else's project, whose user has set up the catalogue in that bucket. */
function elsewhere(bucket: string): string {
  return join(place.root, 'elsewhere', bucket)
}

async function rye(words: string[], env: Record<string, string> = environment()) {
  const ran = await place.start([...words, '--json'], { env })
  expect(`${ran.stdout}${ran.stderr}`).not.toContain('not-to-be-printed')
  return ran.json()
}

function environment(): Record<string, string> {
  return {
    ...{ AWS_ACCESS_KEY_ID: KEYS.id, AWS_SECRET_ACCESS_KEY: KEYS.secret, AWS_REGION: 'eu-central-1' },
    ...{ AWS_ENDPOINT: server.endpoint, AWS_ALLOW_HTTP: 'true', AWS_SESSION_TOKEN: 'not-to-be-printed' },
  }
}

function bucketOf(bucket: string) {
  const table = `s3://${bucket}/library`
  return {
    sync: () => rye(['catalogue', 'sync', '--table', table]),
    status: () => rye(['catalogue', 'status', '--table', table]),
    load: () => rye(['load', 'tool:team/greet', '--project', elsewhere(bucket)]),
  }
}

/** Returns half of every object that is read, with or without the full length in the header. */
const half =
  (header: (length: number) => Record<string, string>): Fault =>
  ({ method, query }, honest) => {
    const { body, headers } = honest
    if (method !== 'GET' || query.has('list-type') || !(body instanceof Buffer)) return honest
    const kept = body.subarray(0, Math.floor(body.length / 2))
    return { ...honest, body: kept, headers: { ...headers, ...header(body.length) } }
  }

const listing =
  (change: (entry: string, number: number) => string): Fault =>
  ({ query }, honest): Answer => {
    let number = 0
    if (!query.has('list-type')) return honest
    const entries = /<(Contents|CommonPrefixes)>.*?<\/\1>/gs
    return { ...honest, body: String(honest.body).replace(entries, entry => change(entry, number++)) }
  }

interface Case {
  readonly fault: Fault
  readonly error: RegExp
  readonly hint: RegExp
}

const REFUSALS: Readonly<Record<string, Case>> = {
  throttling: {
    fault: () => failed(503, 'SlowDown', 'Please reduce your request rate.'),
    error: /the storage answered 503 Service Unavailable: SlowDown, Please reduce your request rate\.$/,
    hint: /refuses requests because there were too many: try again later/,
  },
  'of-another-time': {
    fault: () => failed(403, 'RequestTimeTooSkewed', 'The difference is too large.'),
    error: /the storage answered 403 Forbidden: RequestTimeTooSkewed, The difference is too large\.$/,
    hint: /the clock of this machine is wrong/,
  },
  'of-expired-credentials': {
    fault: () => failed(400, 'ExpiredToken', 'The provided token has expired.'),
    error: /ExpiredToken/,
    hint: /the credentials have expired/,
  },
  'sending-halves': {
    fault: half(() => ({})),
    error: /LanceDB at `s3:\/\/[a-z-]+\/library`: /,
    hint: /damaged or cut off/,
  },
  'cut-off': {
    fault: half(length => ({ 'content-length': String(length) })),
    error: /LanceDB at `s3:\/\/[a-z-]+\/library`: /,
    hint: /damaged or cut off/,
  },
}

describe.concurrent('storage that', () => {
  it.each(Object.entries(REFUSALS))(
    'is %s ends in a typed error, and loses nothing',
    async (bucket, wanted) => {
      const { sync, load } = bucketOf(bucket)
      faults.set(bucket, wanted.fault)
      const [synced, loaded] = await Promise.all([sync(), load()])
      expect(synced).toMatchObject({
        ...{ code: 'REMOTE_FAILED', error: expect.stringMatching(wanted.error) },
        hint: expect.stringMatching(wanted.hint),
      })
      expect(loaded).toMatchObject({
        code: 'ITEM_NOT_FOUND',
        hint: expect.stringContaining('it may be in the catalogue: the warning says why'),
        warning: expect.stringContaining('the catalogue did not answer: '),
      })
      faults.delete(bucket)
      expect(await sync()).toMatchObject({ added: 0, updated: 1, deleted: 0, unchanged: 2 })
    },
  )

  it('lists half of what it holds serves what it lists, verified', async () => {
    faults.set(
      'half-listed',
      listing((entry, number) => (number % 2 === 0 ? '' : entry)),
    )
    expect(await bucketOf('half-listed').load()).toMatchObject({
      source: 'shared',
      trust: { status: 'verified' },
    })
  })

  it.each([0, 1])('lists every other thing (%i) has a sync end in a typed error, or whole', async hidden => {
    const bucket = `every-other-${hidden}`
    const { sync, status } = bucketOf(bucket)
    faults.set(
      bucket,
      listing((entry, number) => (number % 2 === hidden ? '' : entry)),
    )
    const synced = await sync()
    if (synced.status === 'error') expect(['REMOTE_FAILED', 'ITEM_NOT_FOUND']).toContain(synced.code)
    else expect(synced).toMatchObject({ added: 0, updated: 1, unchanged: 2 })
    faults.delete(bucket)
    expect(await status()).toMatchObject({ rows: 3, roots: { project: 3 } })
    await sync()
    expect(await sync()).toMatchObject({ added: 0, updated: 0, deleted: 0, unchanged: 3 })
  })

  it('lists nothing has the cache serve, and takes no second table for the first', async () => {
    const { sync, status, load } = bucketOf('unlisted')
    expect(await load()).toMatchObject({ source: 'shared', trust: { status: 'verified' } })
    faults.set(
      'unlisted',
      listing(() => ''),
    )
    const [synced, loaded] = await Promise.all([sync(), load()])
    expect(synced).toMatchObject({
      code: 'REMOTE_FAILED',
      error: expect.stringContaining('or it does not list its contents'),
    })
    expect(loaded).toMatchObject({
      ...{ source: 'shared', trust: { status: 'verified' } },
      warning: expect.stringMatching(/the catalogue did not answer: .*`team\/greet` is as it was on /),
    })
    faults.delete('unlisted')
    expect(await status()).toMatchObject({ rows: 3, roots: { project: 3 }, health: 'good' })
  })

  it.each([
    ['gs://team/library', /GOOGLE_SERVICE_ACCOUNT/, { GCE_METADATA_HOST: '127.0.0.1:1' }],
    ['az://team/library', /AZURE_STORAGE_ACCOUNT_KEY/, {}],
    ['s3://team/library', /AWS_ACCESS_KEY_ID/, { AWS_EC2_METADATA_DISABLED: 'true', AWS_REGION: 'eu-1' }],
  ])('nobody has credentials for is a typed error: %s', async (uri, hint, env) => {
    const refused = { code: 'REMOTE_FAILED', hint: expect.stringMatching(hint) }
    expect(await rye(['catalogue', 'status', '--table', uri], env)).toMatchObject(refused)
  })
})
