// How long a client waits for the first answer, as a ratio to a bare `node -e 0` of the same run; and memory at rest.
// CPU time of the process is what counts here: on a machine with other work the clock on the wall says little.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const ROUNDS = Number(process.argv[2] ?? 9)
const PROGRAM = fileURLToPath(new URL('../dist/rye.mjs', import.meta.url))
const TICK_MS = 10

const root = mkdtempSync(join(tmpdir(), 'rye-start-'))
const project = join(root, 'project')
mkdirSync(join(project, '.ai'), { recursive: true })
const env = { ...process.env, HOME: root, USER_SPACE: root, XDG_CACHE_HOME: join(root, 'cache') }

try {
  run(['search', 'deploy'])
  const rows = []
  for (let round = 0; round < ROUNDS; round++) {
    rows.push({
      bare: cpuOf(() => spawnSync(process.execPath, ['-e', '0'])),
      version: cpuOf(() => run(['--version'])),
      search: cpuOf(() => run(['search', 'deploy'])),
      mcp: await firstAnswer(),
    })
  }
  const mean = name => rows.reduce((sum, row) => sum + row[name], 0) / rows.length
  const report = (title, name, goal) => {
    const ratio = mean(name) / mean('bare')
    console.log(
      `${title.padEnd(34)} ${mean(name).toFixed(0).padStart(5)} ms  ${ratio.toFixed(2)} x  (goal ${goal} x)`,
    )
  }
  console.log(`CPU time, mean of ${ROUNDS}`)
  report('node -e 0', 'bare', 1)
  report('rye --version', 'version', 1.5)
  report('rye mcp to its first answer', 'mcp', 3)
  report('cold rye search, indexed project', 'search', 3)
  console.log(`memory of rye mcp at rest           ${(await restingMemory()).toFixed(0)} MB  (goal 120 MB)`)
} finally {
  rmSync(root, { recursive: true, force: true })
}

function run(words) {
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], {
    cwd: project,
    env,
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

async function startServer() {
  const child = spawn(process.execPath, [PROGRAM, 'mcp'], {
    cwd: project,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const clientInfo = { name: 'bench', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  await new Promise(resolve => child.stdout.once('data', resolve))
  return child
}

async function firstAnswer() {
  const child = await startServer()
  const fields = statOf(child.pid)
  await end(child)
  return (fields[11] + fields[12]) * TICK_MS
}

async function restingMemory() {
  const child = await startServer()
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
