// Runs one step of a script and shows that it is going on: its name, a dot of life, how long it took.
// On failure the step's own output is shown and the script ends with its status.
import { spawn } from 'node:child_process'

const terminal = process.stderr.isTTY === true

/** Runs a command to its end. Resolves to its output; ends the process when it fails. */
export async function step(title, command, args, options = {}) {
  const started = Date.now()
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(0)} s`
  const show = text => process.stderr.write(terminal ? `\r\u001b[2K${text}` : `${text}\n`)
  show(`· ${title} ...`)
  const beat = setInterval(() => show(`· ${title} ... ${seconds()}`), terminal ? 1000 : 15_000)
  const { status, output } = await run(command, args, options)
  clearInterval(beat)
  if (status === 0) {
    show(`✓ ${title} (${seconds()})${terminal ? '\n' : ''}`)
    return output
  }
  show(`✗ ${title} (${seconds()}), exit status ${status}${terminal ? '\n' : ''}`)
  process.stderr.write(`${output}\n`)
  process.exit(typeof status === 'number' && status > 0 ? status : 1)
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
