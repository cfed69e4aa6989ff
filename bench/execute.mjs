// Running tools: a warm function through MCP, a script, the cost of isolation, and whether a thousand calls
// leak.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, PROGRAM } from './mcp-peer.mjs'
import { atMost, figure, percentile, round } from './table.mjs'

const FUNCTION = `"""Answer at once."""
__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python/function"
__category__ = ""
__tool_description__ = "Answer at once"


def execute(params, project_path):
    return {"success": True}
`

const SCRIPT = `#!/usr/bin/env bash
# __version__ = "1.0.0"
# __tool_type__ = "bash"
# __executor_id__ = "rye/core/runtimes/bash/bash"
# __category__ = ""
# __tool_description__ = "Answer at once"
echo '{"success": true}'
`

/**
 * What the bundled tools took when they were written in Python, as ratios to `node -e 0` in one run: `ls`,
 * and `bash` with `true`.
 */
const BEFORE = { warm: [0.47, 4.4], first: [17, 27] }

/** The same tools, with hosts named in their permissions. */
const HOSTS = '{"permissions": {"network": ["api.example.com"]}}'
const SCRIPT_WITH_HOSTS = SCRIPT.replace('echo', `# CONFIG = ${HOSTS}\necho`)
const FUNCTION_WITH_HOSTS = `CONFIG = ${HOSTS}\n${FUNCTION}`

export async function measureExecution() {
  const root = mkdtempSync(join(tmpdir(), 'rye-bench-'))
  const project = join(root, 'project')
  const userSpace = join(root, 'user')
  mkdirSync(join(project, '.ai', 'tools'), { recursive: true })
  mkdirSync(userSpace)
  writeFileSync(join(project, '.ai/tools/warm.py'), FUNCTION)
  writeFileSync(join(project, '.ai/tools/script.sh'), SCRIPT)
  writeFileSync(join(project, '.ai/tools/warm-hosts.py'), FUNCTION_WITH_HOSTS)
  writeFileSync(join(project, '.ai/tools/script-hosts.sh'), SCRIPT_WITH_HOSTS)
  // One environment for everything compared: an extra variable can make an interpreter start slower.
  const env = { PATH: process.env.PATH, USER_SPACE: userSpace, HOME: userSpace }
  for (const args of [
    ['keys', 'generate'],
    ['sign', '*'],
  ]) {
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
      cwd: project,
      env,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(stderr)
  }
  // Two user spaces with the same key: one lets rye choose the sandbox, the other switches it off.
  const unsandboxed = join(root, 'unsandboxed')
  cpSync(userSpace, unsandboxed, { recursive: true })
  writeFileSync(join(unsandboxed, '.ai/config/rye.toml'), '[execute]\nisolation = "process-group"\n')
  const python = realPython()
  const script = join(project, '.ai/tools/script.sh')
  const isolated = await connect({ project, userSpace })
  const plain = await connect({ project, userSpace: unsandboxed })
  try {
    for (const [peer, isolation] of [
      [isolated, 'bubblewrap'],
      [plain, 'process-group'],
    ]) {
      const answer = await peer.call('execute', { item_id: 'script', trace: true })
      if (answer.isolation !== isolation) throw new Error(`expected ${isolation}, got ${answer.isolation}`)
    }
    const call = (peer, item_id, parameters) => () => execute(peer, item_id, parameters)
    const [bare, warm, warmHosts] = await p50(100, [
      () => spawnSync(python, ['-c', 'pass'], { env }),
      call(isolated, 'warm'),
      call(isolated, 'warm-hosts'),
    ])
    const bundled = (item_id, parameters) => call(isolated, item_id, parameters)
    const [spawned, grouped, sandboxed, withHosts, node, listing, command] = await p50(100, [
      () => spawnSync('/bin/bash', [script], { input: '{}', env }),
      call(plain, 'script'),
      call(isolated, 'script'),
      call(isolated, 'script-hosts'),
      () => spawnSync(process.execPath, ['-e', '0'], { env }),
      bundled('rye/file-system/ls', {}),
      bundled('rye/bash', { command: 'true' }),
    ])
    const first = await p50(10, [
      () => firstCall({ project, userSpace }, 'rye/file-system/ls', {}),
      () => firstCall({ project, userSpace }, 'rye/bash', { command: 'true' }),
    ])
    // A fresh server holds next to nothing, so let its heap grow to working size first.
    await leastMemory(isolated, 1000)
    const working = await leastMemory(isolated, 500)
    await leastMemory(isolated, 1000)
    const grown = (await leastMemory(isolated, 500)) - working
    return [
      figure('bare python3 -c pass', `${round(bare)} ms`),
      atMost('warm Python function through MCP, p50', warm / bare, 0.2, 'x that'),
      figure('  in milliseconds', `${round(warm)} ms`),
      atMost('  the same with hosts', warmHosts / warm, 1.3, 'x that'),
      figure('bare bash script', `${round(spawned)} ms`),
      atMost('script tool through MCP, process group, over that', grouped - spawned, 10, 'ms'),
      figure('script tool through MCP, bubblewrap, over that', `${round(sandboxed - spawned)} ms`),
      atMost('what isolation adds', sandboxed - grouped, 25, 'ms'),
      figure('bare node -e 0', `${round(node)} ms`),
      atMost('what naming hosts adds to a script', (withHosts - sandboxed) / node, 2, 'x that'),
      ...bundledFigures({ node, warm: [listing, command], first }),
      figure('memory after 1 000 calls more', `${round(grown)} MB more`, '<= 20 MB', grown <= 20),
    ]
  } finally {
    await Promise.all([isolated.close(), plain.close()])
    rmSync(root, { recursive: true, force: true })
  }
}

async function execute(peer, item_id, parameters = {}) {
  const { status } = await peer.call('execute', { item_id, parameters })
  if (status !== 'success') throw new Error(`expected success, got ${status}`)
}

/** Each call waits for the one before, so these are the times an agent waits. */
function bundledFigures({ node, warm, first }) {
  return ['rye/file-system/ls', 'rye/bash with `true`'].flatMap((name, at) => [
    atMost(`${name} through MCP, p50`, warm[at] / node, BEFORE.warm[at], 'x that'),
    figure(
      '  with the start of server and worker',
      `${round(first[at] / node)} x that`,
      `was ${BEFORE.first[at]}`,
    ),
  ])
}

/** The first call to a new server, including the start of the server and of its worker. */
async function firstCall(place, item_id, parameters) {
  const peer = await connect(place)
  try {
    await execute(peer, item_id, parameters)
  } finally {
    await peer.close()
  }
}

/** The real interpreter, as the yardstick: a version manager's shim would flatter us. */
function realPython() {
  return spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).stdout.trim()
}

/** Medians of several works run in turn, so that a disturbance on the machine affects all of them. */
async function p50(rounds, works) {
  const times = works.map(() => [])
  for (const work of works) await work()
  for (let i = 0; i < rounds; i++) {
    for (const [at, work] of works.entries()) {
      const started = performance.now()
      await work()
      times[at].push(performance.now() - started)
    }
  }
  return times.map(list => percentile(list, 0.5))
}

/**
 * The least memory seen over so many calls. A single look includes what the collector has not yet freed: 20
 * MB more or less.
 */
async function leastMemory(peer, calls) {
  let least = Infinity
  for (let i = 0; i < calls; i++) {
    await peer.call('execute', { item_id: 'warm' })
    least = Math.min(least, resident(peer.pid))
  }
  return least
}

function resident(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1000
}
