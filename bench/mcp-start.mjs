// How long a client waits for the first answer, as a ratio to a bare `node -e 0` of the same run; and memory at rest.
// CPU time of the process is what counts here: on a machine with other work the clock on the wall says little.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { atMost, figure, round } from './table.mjs'

const ROUNDS = 9
const PROGRAM = fileURLToPath(new URL('../dist/rye.cjs', import.meta.url))
const TICK_MS = 10

export async function measureStart() {
  const root = mkdtempSync(join(tmpdir(), 'rye-start-'))
  const project = join(root, 'project')
  mkdirSync(join(project, '.ai'), { recursive: true })
  const env = { ...process.env, HOME: root, USER_SPACE: root, XDG_CACHE_HOME: join(root, 'cache') }
  const place = { cwd: project, env }
  try {
    run(['search', 'deploy'], place)
    const rounds = []
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({
        bare: cpuOf(() => spawnSync(process.execPath, ['-e', '0'])),
        version: cpuOf(() => run(['--version'], place)),
        search: cpuOf(() => run(['search', 'deploy'], place)),
        mcp: await firstAnswer(place),
      })
    }
    const mean = name => rounds.reduce((sum, row) => sum + row[name], 0) / rounds.length
    const bare = mean('bare')
    return [
      figure('node -e 0', `${round(bare)} ms CPU`),
      atMost('rye --version', mean('version') / bare, 1.5, 'x that'),
      atMost('rye mcp to its first answer', mean('mcp') / bare, 3, 'x that'),
      atMost('cold rye search, indexed project', mean('search') / bare, 3, 'x that'),
      atMost('memory of rye mcp at rest', await restingMemory(place), 120, 'MB'),
    ]
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function run(words, place) {
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], {
    ...place,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`rye ${words.join(' ')} failed: ${stderr}`)
}

/** CPU time of the children that ended meanwhile. */
function cpuOf(work) {
  const before = childTicks()
  work()
  return (childTicks() - before) * TICK_MS
}

function childTicks() {
  const fields = statOf('self')
  return fields[13] + fields[14]
}

/** The numbers of /proc/PID/stat after the name: user and system time are 11 and 12, those of children 13 and 14. */
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
  const child = await startServer(place)
  const fields = statOf(child.pid)
  await end(child)
  return (fields[11] + fields[12]) * TICK_MS
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
