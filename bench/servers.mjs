// Two HTTP servers behind a balancer, many clients, one server killed and restarted every minute: wrong answers, failures, latency.
//   RYE_MINUTES=10 RYE_CLIENTS=64 npm run bench servers
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { startBalancer } from './balancer.mjs'
import { atMost, figure, percentile } from './table.mjs'

const PROGRAM = fileURLToPath(new URL('../dist/rye.cjs', import.meta.url))
const ITEMS = 200
const SEARCH_SHARE = 0.7
/** The pause between two calls of one agent, for thinking. */
const THINKING_MS = 500

export async function measureServers() {
  const minutes = Number(process.env.RYE_MINUTES ?? 1)
  const count = Number(process.env.RYE_CLIENTS ?? 64)
  // At least one server is killed, however short the measurement.
  const killEveryMs = Math.min(60_000, (minutes * 60_000) / 3)
  const root = mkdtempSync(join(tmpdir(), 'rye-servers-'))
  const world = prepare(root)
  const balancer = await startBalancer([])
  const servers = await Promise.all([start(world, balancer.port), start(world, balancer.port)])
  for (const { port } of servers) balancer.replace(undefined, port)
  const url = new URL(`http://127.0.0.1:${balancer.port}/mcp`)
  const totals = { times: [], wrong: 0, failed: 0, again: 0 }
  try {
    await pause(1000)
    const deadline = performance.now() + minutes * 60_000
    const killer = killInTurn(world, balancer, servers, { deadline, killEveryMs })
    await Promise.all(Array.from({ length: count }, (_, n) => work(url, world, n, deadline, totals)))
    const killed = await killer
    const seconds = minutes * 60
    const what = `2 servers, ${count} clients, ${minutes} min, ${killed} kills`
    return [
      atMost(`wrong answers: ${what}`, totals.wrong, 0, ''),
      atMost('calls that failed, after one repetition', totals.failed, 0, ''),
      figure('calls that were repeated', String(totals.again)),
      figure(
        'calls answered',
        `${totals.times.length} (${Math.round(totals.times.length / seconds)} a second)`,
      ),
      figure('p50', `${Math.round(percentile(totals.times, 0.5))} ms`),
      atMost('p99', percentile(totals.times, 0.99), 1000, 'ms'),
    ]
  } finally {
    await balancer.close()
    for (const { child } of servers) child.kill('SIGKILL')
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

function prepare(root) {
  const [project, home] = [join(root, 'project'), join(root, 'home')]
  mkdirSync(join(project, '.ai', 'knowledge'), { recursive: true })
  mkdirSync(home)
  for (let n = 0; n < ITEMS; n++) {
    const text = `---\nid: k${n}\ntitle: Service ${wordOf(n)}\nentry_type: reference\nversion: 1.0.0\n---\n\nhow to deploy the service ${wordOf(n)}\n`
    writeFileSync(join(project, '.ai', 'knowledge', `k${n}.md`), text)
  }
  const env = { PATH: process.env.PATH, HOME: home, USER_SPACE: home, XDG_CACHE_HOME: join(root, 'cache') }
  const rye = words => {
    const ran = spawnSync(process.execPath, [PROGRAM, ...words], { cwd: project, env, encoding: 'utf8' })
    if (ran.status !== 0) throw new Error(`rye ${words.join(' ')}: ${ran.stderr}`)
    return ran.stdout
  }
  rye(['keys', 'generate'])
  rye(['sign', '*', '--type', 'knowledge'])
  rye(['index'])
  const tokens = join(root, 'tokens.toml')
  const limits = ['--rate', '1000000', '--concurrency', '1000', '--queue', '10000']
  const granted = rye(['mcp', 'grant', 'bench', '--tokens', tokens, '--in', project, ...limits, '--json'])
  return { root, project, env, tokens, token: JSON.parse(granted).token }
}

/** A unique word for each number. */
function wordOf(n) {
  return `zeta${String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26))}`
}

async function start({ root, env, tokens }, balancerPort) {
  const flags = [
    '--port',
    '0',
    '--tokens',
    tokens,
    '--allow-host',
    `127.0.0.1:${balancerPort}`,
    '--log',
    'json',
  ]
  const child = spawn(process.execPath, [PROGRAM, 'mcp', '--http', ...flags], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const port = await new Promise((resolve, reject) => {
    let log = ''
    child.stderr.on('data', chunk => {
      if (log === undefined) return
      log += chunk
      const found = /http:\/\/127\.0\.0\.1:(\d+)\/mcp/.exec(log)
      if (!found) return
      // The rest is read, or the server would block, and discarded.
      log = undefined
      resolve(Number(found[1]))
    })
    child.once('exit', () => reject(new Error(`a server ended: ${log}`)))
  })
  return { child, port }
}

async function killInTurn(world, balancer, servers, { deadline, killEveryMs }) {
  let killed = 0
  while (performance.now() + killEveryMs < deadline) {
    await pause(killEveryMs)
    const at = killed % servers.length
    const old = servers[at]
    old.child.removeAllListeners('exit').kill('SIGKILL')
    killed += 1
    servers[at] = await start(world, balancer.port)
    balancer.replace(old.port, servers[at].port)
  }
  return killed
}

async function work(url, { project, token }, n, deadline, totals) {
  const client = new Client(
    { name: `bench-${n}`, version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  for (let turn = n; performance.now() < deadline; turn += 7) {
    const wanted = turn % ITEMS
    const isSearch = Math.random() < SEARCH_SHARE
    const call = isSearch
      ? { name: 'search', arguments: { query: `deploy ${wordOf(wanted)}`, project_path: project } }
      : { name: 'load', arguments: { item_id: `k${wanted}`, project_path: project } }
    const before = performance.now()
    const ask = () => client.callTool(call)
    try {
      const { structuredContent: answer } = await ask().catch(() => {
        totals.again += 1
        return ask()
      })
      totals.times.push(performance.now() - before)
      const right = isSearch
        ? answer.results?.[0]?.id === `k${wanted}`
        : answer.content?.includes(wordOf(wanted))
      if (!right) {
        totals.wrong += 1
        if (totals.wrong < 4) console.error('wrong:', JSON.stringify({ call, answer }).slice(0, 500))
      }
    } catch (thrown) {
      totals.failed += 1
      if (totals.failed < 4) console.error('failed:', thrown.message)
    }
    await pause(THINKING_MS * (0.5 + Math.random()))
  }
  await client.close()
}
