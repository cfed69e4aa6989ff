// The built command in a real terminal, made by Python's pty. Presses keys, and waits for what is shown.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished } from 'vitest'
import { PYTHON } from '../execute/hand-made-plan.ts'
import { PATIENCE_MS } from '../fixtures/patience.ts'
import { type Place, PROGRAM } from './run-rye.ts'

const IN_TERMINAL = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'

export interface TerminalSession {
  /** What was printed since the last call that waited. */
  until(pattern: RegExp): Promise<string>
  press(key: string): void
  status(): Promise<number | null>
}

export function startInTerminal(
  place: Place,
  words: readonly string[],
  env: Record<string, string> = {},
): TerminalSession {
  let seen = ''
  let wake = () => {}
  const child: ChildProcess = spawn(PYTHON, ['-c', IN_TERMINAL, process.execPath, PROGRAM, ...words], {
    cwd: place.project,
    env: { ...place.environment, ...env, NO_COLOR: '1', TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdout!.on('data', chunk => {
    seen += chunk
    wake()
  })
  const exited = once(child, 'exit')
  return {
    async until(pattern) {
      const late = setTimeout(() => wake(), PATIENCE_MS)
      const deadline = performance.now() + PATIENCE_MS
      while (!pattern.test(seen) && performance.now() < deadline) {
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
      clearTimeout(late)
      expect(seen).toMatch(pattern)
      const text = seen
      seen = ''
      return text
    },
    press: key => void child.stdin!.write(key),
    status: async () => (await exited)[0],
  }
}
