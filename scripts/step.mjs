// Runs the steps of a script and shows progress: their names, a sign of life, and how long each took. When a
// step fails, its output is shown and the script exits with its status.
import { spawn } from 'node:child_process'

const terminal = process.stderr.isTTY === true

/** When each running step began. */
const running = new Map()
let beat

/** Runs a command to completion and resolves to its output. Ends the process if the command fails. */
export async function step(title, command, args, options = {}) {
  const started = Date.now()
  running.set(title, started)
  if (terminal) showRunning()
  else process.stderr.write(`· ${title} ...\n`)
  beat ??= setInterval(showRunning, terminal ? 1000 : 15_000)
  const { status, output } = await run(command, args, options)
  running.delete(title)
  const isDone = status === 0
  const line = `${isDone ? '✓' : '✗'} ${title} (${secondsSince(started)})${isDone ? '' : `, exit status ${status}`}\n`
  process.stderr.write(terminal ? `\r\u001b[2K${line}` : line)
  if (!isDone) {
    process.stderr.write(`${output}\n`)
    process.exit(typeof status === 'number' && status > 0 ? status : 1)
  }
  if (running.size === 0) beat = clearInterval(beat)
  else if (terminal) showRunning()
  return output
}

function showRunning() {
  const shown = [...running].map(([title, started]) => `${title} ... ${secondsSince(started)}`)
  process.stderr.write(terminal ? `\r\u001b[2K· ${shown.join(', ')}` : `· ${shown.join(', ')}\n`)
}

function secondsSince(started) {
  return `${((Date.now() - started) / 1000).toFixed(0)} s`
}

/** Runs a command with its output going straight to the terminal; resolves to its exit status. */
export function runVisibly(command, args, options = {}) {
  return new Promise(resolve => {
    const child = spawn(command, args, { stdio: 'inherit', ...options })
    child.on('error', error => {
      process.stderr.write(`${command}: ${error.message}\n`)
      resolve(127)
    })
    child.on('close', (status, signal) => resolve(status ?? (signal ? 1 : 0)))
  })
}

function run(command, args, options) {
  return new Promise(resolve => {
    const chunks = []
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
    child.stdout.on('data', chunk => chunks.push(chunk))
    child.stderr.on('data', chunk => chunks.push(chunk))
    child.on('error', error => resolve({ status: 127, output: `${command}: ${error.message}` }))
    child.on('close', (status, signal) =>
      resolve({ status: status ?? signal, output: Buffer.concat(chunks).toString('utf8').trimEnd() }),
    )
  })
}
