// Search at 10 000 and 100 000 items: through MCP, cold, and compared with raw FTS5, ripgrep and minisearch
// on the same files.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import MiniSearch from 'minisearch'
import { measureFts5 } from './fts5.mjs'
import { HOSTILE } from './hostile-queries.mjs'
import { commonWord, makeItems, makeWordsOnly, NOUNS, VERBS, writeLibrary } from './library.mjs'
import { connect, PROGRAM } from './mcp-peer.mjs'
import { atMost, cpuSeconds, figure, percentile, round } from './table.mjs'

const MODEL = new URL('../system/model/model.bin', import.meta.url)
const ROUNDS = 200
/** Calls before measuring starts, so that the server is warm and V8 has compiled its code. */
const WARM_UP = 1000
/** The same for all: a variable such as NODE_EXTRA_CA_CERTS triples the start of a bare node. */
const ENVIRONMENT = { PATH: process.env.PATH }
/** What agents ask: fifty questions in turn, made of words that other items share. */
const QUESTIONS = VERBS.flatMap((verb, v) =>
  [1, 2, 3, 4, 5].map(n => `how do I ${verb} the ${NOUNS[(v + n) % 10]} ${NOUNS[(v + 3 * n + 1) % 10]}`),
)
/** One query of every other kind. */
const KINDS = {
  'two words, all': { query: 'rotate token', match: 'all' },
  boolean: { query: '(deploy OR rotate) AND cluster NOT invoice' },
  phrase: { query: '"validate the dataset"' },
  prefix: { query: 'valid*' },
  infix: { query: '*loy*' },
  fuzzy: { query: 'clustre relaese', fuzzy: 2 },
  proximity: { query: 'merge ticket', proximity: 3 },
  fields: { query: 'image', fields: { category: 'area7*' } },
  filters: { query: 'schema', filters: { version: '>=1.0.0' }, tags: ['beta'] },
  everything: { query: '*', sort_by: 'name' },
}

export async function measureSearch(count) {
  const root = mkdtempSync(join(tmpdir(), 'rye-bench-'))
  const project = join(root, 'project')
  const userSpace = join(root, 'user')
  mkdirSync(userSpace)
  writeLibrary(project, count)
  try {
    const rows = [
      ...(await measureIndexing(project, userSpace, count)),
      ...(await measureWarm(project, userSpace, count)),
      ...(await measureMeaning(project, { userSpace, wordsOnly: makeWordsOnly(root) }, count)),
    ]
    if (count <= 10_000)
      rows.push(...(await measureCold(project, userSpace)), ...(await measureOthers(project, count)))
    rows.push(...(await measureFts5(count)))
    return rows
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function measureIndexing(project, userSpace, count) {
  // Files written just now would be checked twice, which is not measured here.
  await delay(3000)
  const cold = runRye(['index', '--json'], project, userSpace)
  const again = runRye(['index', '--json'], project, userSpace)
  const rows = [
    figure(
      `index ${count} items, cold`,
      `${round(cold.cpu)} s CPU`,
      count <= 10_000 ? '<= 6 s CPU' : '',
      count <= 10_000 ? cold.cpu <= 6 : null,
    ),
    figure(
      `index ${count} items, unchanged`,
      `${round(again.cpu)} s CPU, with the start of the program`,
      count <= 10_000 ? '<= 0.3 s' : '',
      count <= 10_000 ? again.cpu <= 0.3 : null,
    ),
  ]
  return rows
}

async function measureWarm(project, userSpace, count) {
  // Development mode, because the items are unsigned and answers would otherwise lack previews.
  const peer = await connect({ project, userSpace, environment: { RYE_DEV_MODE: '1' } })
  try {
    const goal = count <= 10_000 ? { first: 2, others: 10 } : { first: 10, others: 100 }
    const ask = round => peer.call('search', { query: QUESTIONS[(round + WARM_UP) % QUESTIONS.length] })
    for (let i = 0; i < WARM_UP; i++) await ask(i)
    const floor = await timeCalls(() => peer.ping())
    const asked = await timeCalls(ask)
    const rows = [
      figure(`an MCP request that does nothing, p50 / p95`, describeTimes(floor)),
      atMost(`warm through MCP, ${count}: plain question, p50`, percentile(asked, 0.5), goal.first, 'ms'),
      figure('  the same, p50 / p95', describeTimes(asked)),
    ]
    for (const [kind, input] of Object.entries(KINDS)) {
      const times = await timeCalls(() => peer.call('search', input))
      rows.push(atMost(`warm through MCP, ${count}: ${kind}, p50`, percentile(times, 0.5), goal.others, 'ms'))
    }
    const others = await timeCalls(round => peer.call('search', { query: questionOf(round) }))
    rows.push(figure(`warm through MCP, ${count}: every question another, p50 / p95`, describeTimes(others)))
    const rss = residentMegabytes(peer.pid)
    rows.push(atMost(`memory of the server, ${count} items`, rss, count <= 10_000 ? 200 : 600, 'MB'))
    rows.push(await measureHostile(peer, count))
    return rows
  } finally {
    await peer.close()
  }
}

/** Milliseconds of each of many calls, after a few that do not count. */
async function timeCalls(call) {
  for (let round = -10; round < 0; round++) await call(round)
  const times = []
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now()
    await call(round)
    times.push(performance.now() - started)
  }
  return times
}

function describeTimes(times) {
  return `${round(percentile(times, 0.5))} / ${round(percentile(times, 0.95))} ms`
}

function questionOf(round) {
  return `how do I find ${commonWord(300 + 13 * round)} with ${commonWord(40 + 7 * round)}`
}

/** The slowest of the hostile queries. Each is asked once, so that no cache helps. */
async function measureHostile(peer, count) {
  let worst = { input: {}, time: 0 }
  for (const input of HOSTILE) {
    const started = performance.now()
    await peer.call('search', input)
    const time = performance.now() - started
    if (time > worst.time) worst = { input, time }
  }
  const text = JSON.stringify(worst.input)
  const shown = text.length > 40 ? `${text.slice(0, 40)}...` : text
  return atMost(`slowest hostile query, ${count} items: ${shown}`, worst.time, 1000, 'ms')
}

/** Each with and without meaning, in turn, so that both run under the same conditions. */
async function measureMeaning(project, { userSpace, wordsOnly }, count) {
  const spaces = [wordsOnly, userSpace]
  const indexed = spaces.map(space => runRye(['index', '--rebuild', '--json'], project, space).cpu)
  // This imports the source as it is, which slows later imports.
  const { measureModel } = await import('./model.mjs')
  const rows = [
    ...(await measureModel()),
    atMost(
      `index ${count} items, meaning over words`,
      indexed[1] - indexed[0],
      (1.5 * count) / 10_000,
      's CPU',
    ),
  ]
  const cold = inTurn(9, spaces, space => runRye(['search', QUESTIONS[0], '--json'], project, space).wall)
  rows.push(
    atMost(`cold rye search, ${count} items, meaning over words`, 1000 * (cold[1] - cold[0]), 25, 'ms'),
  )
  const peers = []
  try {
    for (const space of spaces)
      peers.push(await connect({ project, userSpace: space, environment: { RYE_DEV_MODE: '1' } }))
    const times = peers.map(() => [])
    for (let round = 0; round < WARM_UP + 2 * ROUNDS; round++)
      for (const [at, peer] of peers.entries()) {
        const started = performance.now()
        await peer.call('search', { query: QUESTIONS[round % QUESTIONS.length] })
        if (round >= WARM_UP) times[at].push(performance.now() - started)
      }
    const [words, both] = times.map(list => percentile(list, 0.5))
    const memory = peers.map(peer => residentMegabytes(peer.pid))
    rows.push(
      figure(
        `warm question, ${count} items: words / with meaning, p50`,
        `${round(words)} / ${round(both)} ms`,
      ),
      atMost(`warm question, ${count} items, meaning over words`, both - words, 0.5, 'ms'),
      figure(
        `memory of the server, ${count} items: words / with meaning`,
        `${round(memory[0])} / ${round(memory[1])} MB`,
      ),
      // The model is loaded once, whatever the number of items.
      atMost(
        `memory of meaning, ${count} items, beside the model`,
        Math.round(((memory[1] - memory[0]) * 1e6 - statSync(MODEL).size) / count),
        300,
        'bytes an item',
      ),
    )
    return rows
  } finally {
    for (const peer of peers) await peer.close()
  }
}

/** The median of `measure` for each thing, measured in turn. */
function inTurn(rounds, things, measure) {
  const all = things.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const [at, thing] of things.entries()) all[at].push(measure(thing))
  return all.map(values => percentile(values, 0.5))
}

async function measureCold(project, userSpace) {
  const bare = median(9, () => runNode().wall)
  const cold = median(9, () => runRye(['search', QUESTIONS[0], '--json'], project, userSpace).wall)
  const version = median(9, () => runRye(['--version'], project, userSpace).wall)
  return [
    figure('node -e 0', `${round(bare * 1000)} ms`),
    // The goal applies to projects of usual size: `bench start`.
    figure('cold rye search, 10000 items', `${round(cold / bare)} x node -e 0`),
    atMost('rye --version', version / bare, 1.5, 'x node -e 0'),
  ]
}

async function measureOthers(project, count) {
  const ripgrep = median(5, () =>
    timed(() => spawnSync('rg', ['-l', '-i', 'deploy.*cluster', '.ai'], { cwd: project })),
  )
  const engine = new MiniSearch({ fields: ['title', 'text'], idField: 'id' })
  const built = await cpuSeconds(() =>
    engine.addAll([...makeItems(count)].map(item => ({ id: item.id, title: item.id, text: item.text }))),
  )
  const mini = median(20, () => timed(() => engine.search('how do I deploy the cluster release')))
  return [
    figure('ripgrep over the files', `${round(ripgrep)} ms`),
    figure('minisearch: build / query', `${round(built)} s CPU / ${round(mini)} ms`),
  ]
}

function runRye(args, project, userSpace) {
  return run([PROGRAM, ...args], {
    cwd: project,
    env: { ...ENVIRONMENT, USER_SPACE: userSpace, HOME: userSpace },
  })
}

function runNode() {
  return run(['-e', '0'], { env: ENVIRONMENT })
}

/** Wall and CPU seconds of a child; CPU from the kernel's account of ended children. */
function run(args, options) {
  const before = childCpu()
  const started = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, {
    ...options,
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  const wall = (performance.now() - started) / 1000
  if (status !== 0) throw new Error(`exit status ${status}: ${stderr}`)
  return { wall, cpu: childCpu() - before }
}

/** CPU seconds of all ended children: fields 16 and 17 of /proc/self/stat, in hundredths. */
function childCpu() {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

function residentMegabytes(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1000
}

function timed(work) {
  const started = performance.now()
  work()
  return performance.now() - started
}

function median(rounds, measure) {
  return percentile(Array.from({ length: rounds }, measure), 0.5)
}
