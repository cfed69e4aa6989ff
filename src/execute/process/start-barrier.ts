// Delays a sandboxed tool until its sandbox is sure to end with us. Bubblewrap asks the kernel to be killed
// with us a millisecond after its start, and process 1 inside asks ten milliseconds later, when everything is
// set up: if we were killed in between, the tool would run on without an owner. So the first program inside
// is a shell that reports on a pipe and becomes the tool when we answer. If we are dead, it reads the end of
// the pipe and exits. Process 1 starts that shell before it asks the kernel, so the shell also waits until an
// orphan of its own has been reaped: process 1 reaps only after it has asked.
import type { Readable, Writable } from 'node:stream'
import { quoteShellWord } from '../../base/index.ts'
import { limitCommands, type ResourceLimits } from './resource-limits.ts'

/**
 * A zombie can be signalled until process 1 has reaped it, which it does once it has nothing else left to do.
 */
const AWAIT_PROCESS_1 = 'orphan=$(: & echo $!); while kill -0 "$orphan" 2>/dev/null; do :; done'

/** A program that runs before the tool, and the descriptor that is open for it alone. */
export interface Preparation {
  readonly descriptor: number
  readonly command: readonly string[]
}

/** What the tool gets when it starts. */
export interface ToolStart {
  readonly limits: ResourceLimits
  readonly preparation?: Preparation | undefined
  /** Variables for the tool, not for the programs before it. */
  readonly variables?: Readonly<Record<string, string>> | undefined
}

/**
 * The arguments before the command inside the sandbox. `descriptor` has one digit: shells need not accept
 * more.
 */
export function barrierArguments(
  descriptor: number,
  { limits, preparation, variables = {} }: ToolStart,
): string[] {
  const script = [
    ...(preparation ? prepareCommands(preparation) : []),
    ...limitCommands(limits),
    AWAIT_PROCESS_1,
    ...Object.entries(variables).map(([name, value]) => `export ${name}=${quoteShellWord(value)}`),
    `echo >&${descriptor} && read -r _ <&${descriptor} && exec "$@" ${descriptor}>&-`,
  ]
  return ['/bin/sh', '-c', script.join('\n'), 'sh']
}

/**
 * Runs before the tool's limits and variables are set: some variables would let the tool act here, while the
 * channel is open.
 */
function prepareCommands({ descriptor, command }: Preparation): string[] {
  return [
    `/usr/bin/env -i NODE_CHANNEL_FD=${descriptor} ${command.map(quoteShellWord).join(' ')} </dev/null >/dev/null || exit 1`,
    `exec ${descriptor}>&-`,
    'unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE',
  ]
}

/**
 * Calls `onReached` when the barrier is reached, then lets the tool start. Neither happens if the sandbox
 * fails before.
 */
export function openBarrier(barrier: Readable & Writable, onReached: () => void): void {
  barrier.once('data', () => {
    onReached()
    barrier.end('\n')
  })
}
