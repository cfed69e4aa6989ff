// Runs a program for the person at the terminal, an editor or git: started as their shell would start it,
// with their environment, but never from the folder where they work, which may be a clone. Nothing of the
// library runs here: `execute/` has the doors for tools.
import { spawn } from 'node:child_process'
import type { ProgramCall, ProgramEnd } from '../../actions/index.ts'
import { findOnPath, searchPath } from '../../execute/index.ts'

type Environment = Readonly<Record<string, string | undefined>>

export function runProgram(call: ProgramCall, environment: Environment): Promise<ProgramEnd> {
  const { command, args, directory, atTerminal = false, timeoutMs } = call
  const PATH = searchPath(environment, directory)
  const program = findOnPath(command, PATH)
  if (program === undefined)
    return Promise.resolve({ status: null, output: '', errors: `\`${command}\` is not on the \`PATH\`` })
  // Only our answer may be piped into another program, so the child's output goes to standard error.
  const screen = process.stdout.isTTY ? 'inherit' : 2
  const child = spawn(program, args, {
    cwd: directory,
    env: { ...environment, PATH },
    stdio: atTerminal ? ['inherit', screen, 'inherit'] : ['ignore', 'pipe', 'pipe'],
  })
  let hasTimedOut = false
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          hasTimedOut = true
          child.kill('SIGKILL')
        }, timeoutMs)
  let [output, errors] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', text => {
    output += text
  })
  child.stderr?.setEncoding('utf8').on('data', text => {
    errors += text
  })
  return new Promise<ProgramEnd>(resolve => {
    child.on('error', cause => resolve({ status: null, output, errors: cause.message }))
    child.on('close', status => {
      const said = hasTimedOut ? `it took longer than ${timeoutMs! / 1000} s and was stopped` : errors
      resolve({ status, output, errors: said })
    })
  }).finally(() => clearTimeout(timer))
}
