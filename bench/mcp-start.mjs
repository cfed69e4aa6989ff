// How long a start takes, as a ratio to a bare `node -e 0` in the same run; and memory at rest. Both start in
// the same clean environment, since a variable that slows every start of Node would flatter the ratio. Rounds
// alternate, so that other work on the machine affects all of them alike. Wall-clock time is what a client
// waits; CPU time beside it shows how much of that was ours.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeWordsOnly, writeLibrary } from './library.mjs'
import { atMost, figure, round } from './table.mjs'

const ROUNDS = 21
/** A library of realistic size: a search in it finds more than it shows. */
const ITEMS = 1000
const QUESTION = 'how do I deploy the cluster release'
const PROGRAM = fileURLToPath(new URL('../dist/rye.cjs', import.meta.url))
const TICK_MS = 10

export async function measureStart() {
  const root = mkdtempSync(join(tmpdir(), 'rye-start-'))
  const project = join(root, 'project')
  writeLibrary(project, ITEMS)
  // Files written just now would be checked twice.
  await delay(3000)
  const env = { PATH: process.env.PATH, HOME: root, USER_SPACE: root, XDG_CACHE_HOME: join(root, 'cache') }
  const place = { cwd: project, env }
  const words = { cwd: project, env: { ...env, USER_SPACE: makeWordsOnly(root) } }
  const starts = {
    bare: () => run(['-e', '0'], place),
    version: () => run([PROGRAM, '--version'], place),
    mcp: () => firstAnswer(place),
    search: () => run([PROGRAM, 'search', QUESTION, '--json'], place),
    words: () => run([PROGRAM, 'search', QUESTION, '--json'], words),
  }
  try {
    // One run for the index and the compiled code, one for the machine's caches.
    for (const start of [...Object.values(starts), ...Object.values(starts)]) await start()
    const rounds = Object.fromEntries(Object.keys(starts).map(name => [name, []]))
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, start] of Object.entries(starts)) rounds[name].push(await start())
    }
    const wall = name => median(rounds[name].map(({ ms }) => ms))
    const cpu = name => rounds[name].reduce((sum, { cpuMs }) => sum + cpuMs, 0) / ROUNDS
    const ratio = (label, name, most) => [
      atMost(label, wall(name) / wall('bare'), most, 'x that'),
      figure(`${label}, CPU`, `${round(cpu(name) / cpu('bare'))} x that`),
    ]
    return [
      figure('node -e 0', `${round(wall('bare'))} ms, ${round(cpu('bare'))} ms CPU`),
      ...ratio('rye --version', 'version', 1.5),
      ...ratio('rye mcp to its first answer', 'mcp', 3),
      ...ratio(`cold rye search, indexed project of ${ITEMS} items`, 'search', 3),
      ...ratio('the same, meaning off', 'words', 3),
      atMost('memory of rye mcp at rest', await restingMemory(place), 120, 'MB'),
    ]
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1]
}

function run(words, place) {
  const ticks = childTicks()
  const since = performance.now()
  const { status, stderr } = spawnSync(process.execPath, words, { ...place, encoding: 'utf8' })
  if (status !== 0) throw new Error(`node ${words.join(' ')} failed: ${stderr}`)
  return { ms: performance.now() - since, cpuMs: (childTicks() - ticks) * TICK_MS }
}

/** CPU time of child processes that have ended. */
function childTicks() {
  const fields = statOf('self')
  return fields[13] + fields[14]
}

/**
 * The numbers of /proc/PID/stat after the name: 11 and 12 are user and system time, the next two those of
 * children.
 */
function statOf(pid) {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').map(Number)
}

async function startServer(place) {
  const child = spawn(process.execPath, [PROGRAM, 'mcp'], {
    ...place,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const clientInfo = { name: 'bench', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  await new Promise(resolve => child.stdout.once('data', resolve))
  return child
}

async function firstAnswer(place) {
  const since = performance.now()
  const child = await startServer(place)
  const ms = performance.now() - since
  const fields = statOf(child.pid)
  await end(child)
  return { ms, cpuMs: (fields[11] + fields[12]) * TICK_MS }
}

async function restingMemory(place) {
  const child = await startServer(place)
  child.stdin.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'search', arguments: { query: 'deploy' } } })}\n`,
  )
  await new Promise(resolve => child.stdout.once('data', resolve))
  await delay(2000)
  const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1])
  await end(child)
  return kilobytes / 1024
}

function end(child) {
  const ended = new Promise(resolve => child.once('exit', resolve))
  child.stdin.end()
  return ended
}
