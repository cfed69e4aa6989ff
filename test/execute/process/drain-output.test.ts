// A busy process learns of a child's exit before it has read the child's output, and all its timers fire
// late.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { captureProcess } from '../../../src/execute/process/capture-process.ts'
import { drainOutput } from '../../../src/execute/process/drain-output.ts'
import { ProcessTable } from '../../../src/execute/process/spawn.ts'

/** Blocks the event loop, as a long computation of another call does. */
function block(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** Blocks the event loop until the process has ended, which the loop does not know yet. */
function blockUntilEnded(pid: number): void {
  while (!/^\d+ \(.*\) Z /s.test(readFileSync(`/proc/${pid}/stat`, 'latin1')));
}

/** A table whose children have ended, unread, by the time their handle is returned. */
class BusyTable extends ProcessTable {
  override async start(request: Parameters<ProcessTable['start']>[0]) {
    const child = await super.start(request)
    blockUntilEnded(child.pid)
    // Once more, after the wait has begun: its time is up before the pipes are polled.
    setImmediate(block, 300)
    return { ...child, exited: Promise.resolve({ code: 0, signal: null }) }
  }
}

const BOUNDS = { stdin: '', timeoutMs: 10_000, outputBytes: 1_000_000 }
const shell = (script: string) => ({ command: '/bin/sh', args: ['-c', script], cwd: '/', env: {} })

it.each([
  ['a word', 'echo word; echo aside >&2', 'word\n', 'aside\n'],
  // All of it fits into a pipe, or else the process could not end.
  ['more than one poll brings', 'yes | head -c 200000 | tr -d "\\n"', 'y'.repeat(100_000), ''],
  ['nothing', ':', '', ''],
])('reads %s of a process that ended before anything was read', async (_name, script, stdout, stderr) => {
  const output = await captureProcess(new BusyTable(), shell(script), BOUNDS)
  expect(output.stdout.text).toBe(stdout)
  expect(output.stderr.text).toBe(stderr)
})

it('stops waiting for a stream that is held open and silent', async () => {
  const child = spawn('/bin/sh', ['-c', 'echo word; sleep 30'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const heard: string[] = []
  child.stdout.on('data', chunk => heard.push(String(chunk)))
  await once(child.stdout, 'data')
  await drainOutput([child.stdout], 20)
  expect(heard.join('')).toBe('word\n')
  expect(child.stdout.closed).toBe(false)
  child.kill('SIGKILL')
})

it('does not wait for ever for one that goes on', async () => {
  const child = spawn('/bin/sh', ['-c', 'while :; do echo word; done'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  child.stdout.resume()
  await drainOutput([child.stdout], 20)
  expect(child.exitCode).toBeNull()
  child.kill('SIGKILL')
})

it('is done at once with streams that have closed', async () => {
  const child = spawn('/bin/true', [], { stdio: ['ignore', 'pipe', 'ignore'] })
  child.stdout.resume()
  await once(child, 'close')
  await expect(drainOutput([child.stdout], 3_600_000)).resolves.toBeUndefined()
})
