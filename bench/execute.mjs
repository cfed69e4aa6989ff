// Running tools: a warm function through MCP, a script, what isolation adds, and whether a thousand calls leak.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

export async function measureExecution() {
  const root = mkdtempSync(join(tmpdir(), 'rye-bench-'))
  const project = join(root, 'project')
  const userSpace = join(root, 'user')
  mkdirSync(join(project, '.ai', 'tools'), { recursive: true })
  mkdirSync(userSpace)
  writeFileSync(join(project, '.ai/tools/warm.py'), FUNCTION)
  writeFileSync(join(project, '.ai/tools/script.sh'), SCRIPT)
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
  const python = realPython()
  const open = () => connect({ project, userSpace })
  try {
    const bare = await p50(30, () => spawnSync(python, ['-c', 'pass']))
    const spawned = await p50(30, () =>
      spawnSync('/bin/bash', [join(project, '.ai/tools/script.sh')], { input: '{}' }),
    )
    const isolated = await measureServer(await open())
    writeFileSync(join(userSpace, '.ai/config/rye.toml'), '[execute]\nisolation = "process-group"\n')
    const plain = await measureServer(await open())
    return [
      figure('bare python3 -c pass', `${round(bare)} ms`),
      atMost('warm Python function through MCP, p50', isolated.warm / bare, 0.2, 'x that'),
      figure('  in milliseconds', `${round(isolated.warm)} ms`),
      figure('bare bash script', `${round(spawned)} ms`),
      atMost('script tool through MCP, process group, over that', plain.script - spawned, 10, 'ms'),
      atMost('what bubblewrap adds to it', isolated.script - plain.script, 25, 'ms'),
      figure(
        'memory after 1 000 calls',
        `${round(isolated.grown)} MB more`,
        '<= 20 MB',
        isolated.grown <= 20,
      ),
    ]
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function measureServer(peer) {
  const call = item_id => peer.call('execute', { item_id })
  try {
    const warm = await p50(200, () => call('warm'))
    const script = await p50(100, () => call('script'))
    const before = resident(peer.pid)
    for (let i = 0; i < 1000; i++) await call('warm')
    return { warm, script, grown: resident(peer.pid) - before }
  } finally {
    await peer.close()
  }
}

/** A version manager's shim would flatter us: the interpreter itself is the yardstick. */
function realPython() {
  return spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).stdout.trim()
}

async function p50(rounds, work) {
  const times = []
  await work()
  for (let i = 0; i < rounds; i++) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return percentile(times, 0.5)
}

function resident(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1000
}
