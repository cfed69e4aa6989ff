// A catalogue at any size: RYE_BENCH_ITEMS says how many items are on a local folder (20 000 without it; the goals are for 1 000 000),
// RYE_BENCH_S3_ITEMS how many on a server that speaks S3 on loopback (a tenth of them without it; the goal is for 100 000).
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { NOUNS, VERBS, writeLibrary } from './library.mjs'
import { connect, PROGRAM } from './mcp-peer.mjs'
import { atMost, figure, percentile, round } from './table.mjs'

const ITEMS = Number(process.env.RYE_BENCH_ITEMS ?? 20_000)
const S3_ITEMS = Number(process.env.RYE_BENCH_S3_ITEMS ?? Math.ceil(ITEMS / 10))
const ROUNDS = 100
const WARM_UP = 20
const S3_KEYS = { id: 'BENCH', secret: 'bench' }
const QUESTIONS = VERBS.flatMap((verb, v) =>
  [1, 2, 3, 4, 5].map(n => `how do I ${verb} the ${NOUNS[(v + n) % 10]} ${NOUNS[(v + 3 * n + 1) % 10]}`),
)

export async function measureShared() {
  const { measureSharedQuality } = await import('./shared-quality.mjs')
  return [...(await measureLocal()), ...(await measureS3()), ...(await measureSharedQuality())]
}

export async function measureLocal() {
  const scene = makeScene('table')
  try {
    writeLibrary(scene.project, ITEMS)
    const sync = await runSync(scene)
    const again = await runSync(scene)
    writeFileSync(join(scene.project, '.ai/knowledge/one.md'), '---\ntitle: One more\n---\n\nText.\n')
    const one = await runSync(scene)
    if (one.answer.added !== 1) throw new Error(`expected one item, got ${JSON.stringify(one.answer)}`)
    const times = await askThroughMcp(scene)
    return [
      figure('items on a local folder', String(sync.answer.added)),
      atMost('sync', sync.seconds, 900, 's'),
      atMost('memory of the sync', sync.megabytes, 1024, 'MB'),
      figure('sync, nothing changed', `${round(again.seconds)} s`),
      atMost('sync, one item changed', one.seconds, 3, 's'),
      atMost('search through MCP, p50', percentile(times, 0.5), 40, 'ms'),
      atMost('search through MCP, p95', percentile(times, 0.95), 150, 'ms'),
    ]
  } finally {
    rmSync(scene.root, { recursive: true, force: true })
  }
}

export async function measureS3() {
  const { startS3 } = await import('../test/system/s3-server.ts')
  const server = await startS3(S3_KEYS)
  const scene = makeScene('s3://bench/library', {
    ...{ AWS_ACCESS_KEY_ID: S3_KEYS.id, AWS_SECRET_ACCESS_KEY: S3_KEYS.secret, AWS_REGION: 'eu-central-1' },
    ...{ AWS_ENDPOINT: server.endpoint, AWS_ALLOW_HTTP: 'true' },
  })
  try {
    writeLibrary(scene.project, S3_ITEMS)
    const { answer, seconds } = await runSync(scene)
    const times = await askThroughMcp(scene)
    return [
      figure('items on S3', `${answer.added}, synced in ${round(seconds)} s`),
      atMost('search on S3, warm, p50', percentile(times, 0.5), 150, 'ms'),
      figure('search on S3, warm, p95', `${round(percentile(times, 0.95))} ms`),
    ]
  } finally {
    await server.close()
    rmSync(scene.root, { recursive: true, force: true })
  }
}

/** Who keeps the catalogue, and an empty project of somebody who uses it. */
function makeScene(table, environment = {}) {
  const root = mkdtempSync(join(tmpdir(), 'rye-bench-'))
  const uri = table.includes('://') ? table : join(root, table)
  const [project, userSpace, using] = ['project', 'user', 'using'].map(name => join(root, name))
  mkdirSync(join(userSpace, '.ai/config'), { recursive: true })
  mkdirSync(join(using, '.ai'), { recursive: true })
  writeFileSync(join(userSpace, '.ai/config/rye.toml'), `catalogue = "${uri}"\n`)
  const variables = { XDG_CACHE_HOME: join(root, 'cache'), ...environment }
  return { root, uri, project, userSpace, using, environment: variables }
}

/** A sync in a process of its own, with the most memory that it had. */
async function runSync({ uri, project, userSpace, environment }) {
  const started = performance.now()
  const child = spawn(process.execPath, [PROGRAM, 'catalogue', 'sync', '--table', uri, '--json'], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: userSpace, USER_SPACE: userSpace, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  let most = 0
  child.stdout.on('data', part => {
    output += part
  })
  const ended = new Promise(resolve => child.on('close', resolve))
  let isOver = false
  ended.then(() => {
    isOver = true
  })
  while (!isOver) {
    most = Math.max(most, peakOf(child.pid))
    await Promise.race([ended, delay(200)])
  }
  const answer = JSON.parse(output)
  if (answer.status === 'error') throw new Error(answer.error)
  return { answer, seconds: (performance.now() - started) / 1000, megabytes: most / 1024 }
}

/** In kilobytes; 0 where the system does not say. */
function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Milliseconds of each question. The catalogue is waited for, so that its part is in the time. */
async function askThroughMcp({ using, userSpace, environment }) {
  const peer = await connect({ project: using, userSpace, environment })
  const times = []
  try {
    for (let round_ = 0; round_ < WARM_UP + ROUNDS; round_++) {
      const query = QUESTIONS[round_ % QUESTIONS.length]
      const started = performance.now()
      const { results } = await peer.call('search', { query, source: 'shared' })
      const took = performance.now() - started
      if (!results.some(({ source }) => source === 'shared')) throw new Error(`nothing found: ${query}`)
      if (round_ >= WARM_UP) times.push(took)
    }
  } finally {
    await peer.close()
  }
  return times
}
