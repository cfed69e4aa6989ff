// The gate of a sandbox. Bubblewrap asks the kernel to end it with us only a millisecond after it was started, and its
// first process inside asks when all is set up, ten milliseconds later: a server killed in between would leave the tool
// running without an owner. So the program that comes after that says that it is there, and becomes the tool when we
// answer. Of a server that is dead it reads the end of the pipe, and ends. The first process makes the second one before it
// asks: that waits until an orphan of its own is buried, which the first one does only after.
import { release } from 'node:os'
import type { Readable, Writable } from 'node:stream'

/** Threads count too; more than a parallel build needs, less than a fork bomb. */
const MOST_PROCESSES = 4_096

// Shells differ in the letter. A lower limit that was there stays, and the kernel limits nothing for root.
const LIMIT_PROCESSES = `{ ulimit -u ${MOST_PROCESSES} || ulimit -p ${MOST_PROCESSES}; } 2>/dev/null`

/** A zombie can be signalled until process 1 has taken notice of it, as it does when it has nothing else left to do. */
const AWAIT_PROCESS_1 = 'orphan=$(: & echo $!); while kill -0 "$orphan" 2>/dev/null; do :; done'

/** What stands before the command inside the sandbox. `descriptor` has one digit: no shell promises to read more. */
export function gateArguments(descriptor: number, kernel: string = release()): string[] {
  const script = [
    ...(countsPerSandbox(kernel) ? [LIMIT_PROCESSES] : []),
    AWAIT_PROCESS_1,
    `echo >&${descriptor} && read -r _ <&${descriptor} && exec "$@" ${descriptor}>&-`,
  ]
  return ['/bin/sh', '-c', script.join('\n'), 'sh']
}

/** Calls `onReady` when the gate is reached, then opens it; neither happens if the sandbox fails before. */
export function openWhenReached(gate: Readable & Writable, onReady: () => void): void {
  gate.once('data', () => {
    onReady()
    gate.end('\n')
  })
}

/** Since Linux 5.14 processes are counted by user namespace; before, all processes of the user would count. */
function countsPerSandbox(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split('.').map(part => Number.parseInt(part, 10))
  return major > 5 || (major === 5 && minor >= 14)
}
