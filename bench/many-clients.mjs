// Many agents on one project: stdio servers and HTTP clients with mixed work at once. Counts failures that
// the input did not cause, and reports how long each kind of call took.
// node bench/many-clients.mjs [SECONDS] [STDIO] [HTTP]
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const [seconds = 20, stdio = 32, http = 8] = process.argv.slice(2).map(Number)
const ITEMS = 200
const PROGRAM = fileURLToPath(new URL('../dist/rye.cjs', import.meta.url))

const root = mkdtempSync(join(tmpdir(), 'rye-many-'))
const project = join(root, 'project')
const env = { PATH: process.env.PATH, HOME: root, USER_SPACE: root, XDG_CACHE_HOME: join(root, 'cache') }
const times = new Map()
const faults = []
let endpoint = { child: undefined, url: undefined, token: undefined }

try {
  await prepare()
  endpoint = await startHttp()
  // One at a time: this measures work, not forty simultaneous starts on few cores.
  const clients = []
  for (let n = 0; n < stdio + http; n++) clients.push(await (n < stdio ? connectStdio(n) : connectHttp(n)))
  const deadline = performance.now() + seconds * 1000
  const counts = await Promise.all(clients.map(({ client, n }) => work(client, n, deadline)))
  await Promise.all(clients.map(({ client }) => client.close()))
  report(counts.reduce((sum, count) => sum + count, 0))
} finally {
  endpoint.child?.kill('SIGTERM')
  rmSync(root, { recursive: true, force: true, maxRetries: 5 })
}
process.exitCode = faults.length > 0 ? 1 : 0

async function prepare() {
  mkdirSync(join(project, '.ai', 'knowledge', 'shared'), { recursive: true })
  mkdirSync(join(project, '.ai', 'tools'), { recursive: true })
  for (let n = 0; n < ITEMS; n++)
    writeKnowledge(`shared/k${n}`, `about number ${n} and the deployment of service ${n % 17}`)
  for (let n = 0; n < stdio + http; n++) writeKnowledge(`own/o${n}`, `owned by client ${n}`)
  const facts = {
    version: '1.0.0',
    tool_type: 'bash',
    executor_id: 'rye/core/runtimes/bash/bash',
    category: '',
    tool_description: 'Answers with its parameters',
  }
  const head = Object.entries(facts).map(([name, value]) => `# __${name}__ = ${JSON.stringify(value)}\n`)
  writeFileSync(join(project, '.ai', 'tools', 'echo.sh'), `#!/bin/bash\n${head.join('')}cat\n`)
  await rye(['keys', 'generate'])
  await rye(['sign', '*', '--type', 'knowledge'])
  await rye(['sign', 'echo', '--type', 'tool'])
  await rye(['index'])
}

function writeKnowledge(id, text) {
  const file = join(project, '.ai', 'knowledge', `${id}.md`)
  mkdirSync(join(file, '..'), { recursive: true })
  const name = id.split('/').at(-1)
  writeFileSync(
    file,
    `---\nid: ${name}\ntitle: ${name}\nentry_type: reference\nversion: 1.0.0\n---\n\n${text}\n`,
  )
}

function rye(words) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...words], {
      cwd: project,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let log = ''
    child.stderr.on('data', chunk => {
      log += chunk
    })
    child.on('close', status =>
      status === 0 ? resolve() : reject(new Error(`rye ${words.join(' ')}: ${log}`)),
    )
  })
}

async function startHttp() {
  const child = spawn(process.execPath, [PROGRAM, 'mcp', '--http', '--port', '0'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', chunk => {
    log += chunk
  })
  while (!/listening: .*\n/.test(log)) await delay(20)
  return { child, url: new URL(/listening: (.*)/.exec(log)[1]), token: /token: (.*)/.exec(log)[1] }
}

async function connectStdio(n) {
  const client = new Client({ name: `stdio-${n}`, version: '1' }, { versionNegotiation: era(n) })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, 'mcp'],
      cwd: project,
      env,
      stderr: 'ignore',
    }),
    { timeout: 120_000 },
  )
  return { client, n }
}

async function connectHttp(n) {
  const client = new Client({ name: `http-${n}`, version: '1' }, { versionNegotiation: era(n) })
  const requestInit = { headers: { authorization: `Bearer ${endpoint.token}` } }
  await client.connect(new StreamableHTTPClientTransport(endpoint.url, { requestInit }), { timeout: 120_000 })
  return { client, n }
}

function era(n) {
  return n % 2 === 0 ? { mode: 'legacy' } : { mode: { pin: '2026-07-28' } }
}

async function work(client, n, deadline) {
  const random = seeded(n + 1)
  let count = 0
  while (performance.now() < deadline) {
    const [name, args, isRight] = choose(random, n)
    const started = performance.now()
    try {
      const result = await client.callTool(
        { name, arguments: { ...args, project_path: project } },
        { timeout: 120_000 },
      )
      if (!isRight(result.structuredContent))
        faults.push(`${name} ${JSON.stringify(args)}: ${result.content[0].text.slice(0, 300)}`)
    } catch (thrown) {
      const reason = [thrown.message, thrown.cause?.code, thrown.cause?.message].filter(Boolean).join(': ')
      faults.push(`${name} ${JSON.stringify(args)}: ${reason}`)
    }
    if (!times.has(name)) times.set(name, [])
    times.get(name).push(performance.now() - started)
    count += 1
  }
  return count
}

/** A call, and a check of its answer. */
function choose(random, n) {
  const pick = random()
  const item = Math.floor(random() * ITEMS)
  if (pick < 0.5)
    return ['search', { query: `deployment of service ${item % 17}` }, answer => answer.total > 0]
  if (pick < 0.7)
    return ['load', { item_id: `shared/k${item}` }, answer => answer.content?.includes(`number ${item} `)]
  if (pick < 0.8) return ['execute', { item_id: 'echo', parameters: { n } }, answer => answer.data?.n === n]
  if (pick < 0.9) return ['load', { item_id: 'no/such/item' }, answer => answer.code === 'ITEM_NOT_FOUND']
  return ['sign', { item_id: `own/o${n}`, item_type: 'knowledge' }, answer => answer.status === 'signed']
}

function seeded(seed) {
  let state = seed * 2_654_435_761
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

function report(calls) {
  console.log(
    `${stdio} stdio servers and ${http} HTTP clients, ${seconds} s: ${calls} calls, ${faults.length} faults`,
  )
  for (const [name, list] of times) {
    list.sort((a, b) => a - b)
    const at = share =>
      list[Math.min(list.length - 1, Math.floor(list.length * share))].toFixed(0).padStart(6)
    console.log(
      `${name.padEnd(8)} ${String(list.length).padStart(6)} calls   p50 ${at(0.5)} ms   p99 ${at(0.99)} ms`,
    )
  }
  for (const fault of faults.slice(0, 10)) console.log(`fault: ${fault}`)
}
