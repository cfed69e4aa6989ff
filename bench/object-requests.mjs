// Counts the object requests of one LanceDB query, on an S3 server on loopback: cold, in a process that has
// just opened the table, and warm.
// node bench/object-requests.mjs [ROWS]
import http from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { registerTypeScript } from './typescript-hook.mjs'

const rows = Number(process.argv[2] ?? 20_000)
const WORDS = 5000
const DIMENSIONS = 64
const QUERIES = 20

const counts = { requests: 0, bytes: 0 }
const create = http.createServer
http.createServer = handler =>
  create((request, response) => {
    counts.requests += 1
    const end = response.end.bind(response)
    response.end = (body, ...rest) => {
      if (request.method === 'GET' && body) counts.bytes += body.length
      return end(body, ...rest)
    }
    handler(request, response)
  })
syncBuiltinESMExports()
registerTypeScript()
process.env.LANCE_CPU_THREADS ??= '3'

const { startS3 } = await import('../test/system/s3-server.ts')
const { connect, Index } = await import('@lancedb/lancedb')
const keys = { id: 'bench', secret: 'bench-secret' }
const server = await startS3(keys)
const storageOptions = {
  ...{ aws_access_key_id: keys.id, aws_secret_access_key: keys.secret, region: 'us-east-1' },
  ...{ endpoint: server.endpoint, allow_http: 'true' },
}
const open = () => connect('s3://bucket/bench', { storageOptions })

const random = seeded(7)
const word = () => `w${Math.floor(WORDS * random() ** 3)}`
const text = () => Array.from({ length: 60 }, word).join(' ')
const vector = () => Array.from({ length: DIMENSIONS }, () => random() - 0.5)

const row = id => ({ id: `item/${id}`, content: text(), vector: vector() })
const database = await open()
const table = await database.createTable(
  'items',
  Array.from({ length: Math.min(rows, 5000) }, (_, id) => row(id)),
)
for (let id = 5000; id < rows; id += 5000)
  await table.add(Array.from({ length: 5000 }, (_, n) => row(id + n)))
await measure('commit of one changed item', 1, async () => {
  await table
    .mergeInsert('id')
    .whenMatchedUpdateAll()
    .whenNotMatchedInsertAll()
    .execute([row(1)])
})
await measure('index of text and vectors', 1, async () => {
  await table.createIndex('content', { config: Index.fts() })
  await table.createIndex('vector', { config: Index.ivfPq({ numPartitions: 64, numSubVectors: 8 }) })
})
await measure('compaction and clean-up', 1, () => table.optimize({ cleanupOlderThan: new Date() }))
const fresh = await (await open()).openTable('items')
const byText = async () => fresh.search(`${word()} ${word()}`, 'fts', ['content']).limit(50).toArray()
const byVector = async () => fresh.search(vector()).limit(50).toArray()
await measure('first query by text', 1, byText)
await measure('first query by vector', 1, byVector)
await measure('next queries by text', QUERIES, byText)
await measure('next queries by vector', QUERIES, byVector)
const bytes = [...server.objects.values()].reduce((total, object) => total + object.length, 0)
console.log(`${rows} rows: ${Math.round(bytes / rows)} bytes a row in ${server.objects.size} objects`)
process.exit(0)

async function measure(what, times, work) {
  const before = { ...counts }
  const started = performance.now()
  for (let turn = 0; turn < times; turn++) await work()
  const requests = (counts.requests - before.requests) / times
  const kilobytes = (counts.bytes - before.bytes) / times / 1024
  const ms = (performance.now() - started) / times
  console.log(
    `${what}: ${requests.toFixed(1)} requests, ${Math.round(kilobytes)} KB read, ${Math.round(ms)} ms`,
  )
}

/** A seeded random generator: the same numbers in each run. */
function seeded(seed) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
