// A catalogue of any size: `--items N` in a local folder, `--s3-items N` on an S3 server on loopback. By
// default it takes a few minutes; `--full` uses the sizes of the goals, a million and a hundred thousand.
// `--at FOLDER` keeps the libraries there for another run, since writing a million files may take longer than
// measuring.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { NOUNS, VERBS, writeLibrary } from './library.mjs'
import { connect, PROGRAM } from './mcp-peer.mjs'
import { atMost, figure, percentile, round } from './table.mjs'

/** Number of items for each, by default and with `--full`. */
const SIZES = { default: { items: 5000, s3Items: 1000 }, full: { items: 1_000_000, s3Items: 100_000 } }
const ROUNDS = 100
const WARM_UP = 20
const S3_KEYS = { id: 'BENCH', secret: 'bench' }
const QUESTIONS = VERBS.flatMap((verb, v) =>
  [1, 2, 3, 4, 5].map(n => `how do I ${verb} the ${NOUNS[(v + n) % 10]} ${NOUNS[(v + 3 * n + 1) % 10]}`),
)

/** Reports each part as soon as it is known, so that a later failure does not lose an hour of measuring. */
export async function* measureShared(flags) {
  const { full, items, 's3-items': s3Items, at } = flags
  const sizes = full ? SIZES.full : SIZES.default
  const { measureSharedQuality } = await import('./shared-quality.mjs')
  yield await measureLocal(Number(items ?? sizes.items), at)
  yield await measureS3(Number(s3Items ?? sizes.s3Items), at)
  yield await measureSharedQuality()
}

async function measureLocal(count, at) {
  const scene = makeScene('table', libraryOf(count, at))
  try {
    const sync = await runSync(scene)
    const again = await runSync(scene)
    writeFileSync(join(scene.project, '.ai/knowledge/one.md'), '---\ntitle: One more\n---\n\nText.\n')
    const one = await runSync(scene, ['--item', 'knowledge:one'])
    rmSync(join(scene.project, '.ai/knowledge/one.md'))
    if (one.answer.added !== 1) throw new Error(`expected one item, got ${JSON.stringify(one.answer)}`)
    const times = await askThroughMcp(scene)
    return [
      figure('items on a local folder', String(sync.answer.added)),
      atMost('sync', sync.seconds, 900, 's'),
      figure('sync, processor time', `${round(sync.processor)} s`),
      atMost('memory of the sync', sync.megabytes, 1024, 'MB'),
      figure('sync, nothing changed', `${round(again.seconds)} s, ${round(again.megabytes)} MB`),
      atMost('sync of one changed item', one.seconds, 3, 's'),
      figure('sync of one changed item, processor time', `${round(one.processor)} s`),
      atMost('search through MCP, p50', percentile(times, 0.5), 40, 'ms'),
      atMost('search through MCP, p95', percentile(times, 0.95), 150, 'ms'),
    ]
  } finally {
    scene.remove()
  }
}

async function measureS3(count, at) {
  const { startS3 } = await import('../test/system/s3-server.ts')
  const server = await startS3(S3_KEYS)
  const scene = makeScene('s3://bench/library', libraryOf(count, at), {
    ...{ AWS_ACCESS_KEY_ID: S3_KEYS.id, AWS_SECRET_ACCESS_KEY: S3_KEYS.secret, AWS_REGION: 'eu-central-1' },
    ...{ AWS_ENDPOINT: server.endpoint, AWS_ALLOW_HTTP: 'true' },
  })
  try {
    const { answer, seconds } = await runSync(scene)
    const times = await askThroughMcp(scene)
    return [
      figure('items on S3', `${answer.added}, synced in ${round(seconds)} s`),
      atMost('search on S3, warm, p50', percentile(times, 0.5), 150, 'ms'),
      figure('search on S3, warm, p95', `${round(percentile(times, 0.95))} ms`),
    ]
  } finally {
    await server.close()
    scene.remove()
  }
}

/** A library of this size, and whether it is kept afterwards. */
function libraryOf(count, at) {
  const project =
    at === undefined ? mkdtempSync(join(tmpdir(), 'rye-bench-library-')) : join(at, `items-${count}`)
  // Written under another name first, so that an existing library is always complete.
  if (at === undefined || !existsSync(project)) {
    writeLibrary(`${project}.new`, count)
    rmSync(project, { recursive: true, force: true })
    renameSync(`${project}.new`, project)
  }
  return { project, isKept: at !== undefined }
}

/** The keeper of the catalogue, and an empty project of somebody who uses it. */
function makeScene(table, { project, isKept }, environment = {}) {
  const root = mkdtempSync(join(tmpdir(), 'rye-bench-'))
  const uri = table.includes('://') ? table : join(root, table)
  const [userSpace, using] = ['user', 'using'].map(name => join(root, name))
  mkdirSync(join(userSpace, '.ai/config'), { recursive: true })
  mkdirSync(join(using, '.ai'), { recursive: true })
  writeFileSync(join(userSpace, '.ai/config/rye.toml'), `catalogue = "${uri}"\n`)
  const variables = { XDG_CACHE_HOME: join(root, 'cache'), ...environment }
  const remove = () => {
    for (const folder of isKept ? [root] : [root, project]) rmSync(folder, { recursive: true, force: true })
  }
  return { uri, project, userSpace, using, environment: variables, remove }
}

/** Runs a sync in its own process and records its peak memory. */
async function runSync({ uri, project, userSpace, environment }, flags = []) {
  const started = performance.now()
  const child = spawn(process.execPath, [PROGRAM, 'catalogue', 'sync', '--table', uri, ...flags, '--json'], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: userSpace, USER_SPACE: userSpace, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  let most = 0
  let processor = 0
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
    processor = Math.max(processor, processorOf(child.pid))
    await Promise.race([ended, delay(200)])
  }
  const answer = JSON.parse(output)
  if (answer.status === 'error') throw new Error(answer.error)
  return { answer, seconds: (performance.now() - started) / 1000, processor, megabytes: most / 1024 }
}

/** Peak memory in kilobytes; 0 where the system does not report it. */
function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** CPU seconds of all its threads; 0 where the system does not report them. */
function processorOf(pid) {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11)
    return (Number(user) + Number(system)) / 100
  } catch {
    return 0
  }
}

/** Retries for a while: a catalogue that did not answer in time is not asked again for half a minute. */
async function untilAnswered(ask) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (thrown) {
      if (attempt === 10) throw thrown
      await delay(10_000)
    }
  }
}

/** Milliseconds of each question. Waits for the catalogue, so that its part is included. */
async function askThroughMcp({ using, userSpace, environment }) {
  const peer = await connect({ project: using, userSpace, environment })
  const times = []
  try {
    for (let round_ = 0; round_ < WARM_UP + ROUNDS; round_++) {
      const query = QUESTIONS[round_ % QUESTIONS.length]
      const ask = () => peer.call('search', { query, source: 'shared' })
      // The first answers may come too late, while LanceDB loads and its caches are empty.
      if (round_ < WARM_UP) {
        await untilAnswered(ask)
        continue
      }
      const started = performance.now()
      const { results } = await ask()
      const took = performance.now() - started
      if (!results.some(({ source }) => source === 'shared')) throw new Error(`nothing found: ${query}`)
      times.push(took)
    }
  } finally {
    await peer.close()
  }
  return times
}
