import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { barrierArguments } from '../../../src/execute/process/start-barrier.ts'

const LIMITS = { memoryBytes: 512 * 1024 * 1024, processes: 4_096, fileBytes: 1024 * 1024 }
const COMMAND = ['sh', '-c', 'printf "%s|" "$@" "$PS4"', 'sh', 'a b', '$HOME', '', '"']
const VARIABLES = { PS4: "it's $(id)\n" }

/** The barrier as a plain process. `answer` is what the server tells it; null if the server is dead. */
async function pass(answer: string | null): Promise<{ output: string; code: number }> {
  const [shell, ...args] = barrierArguments(5, { limits: LIMITS, variables: VARIABLES })
  const child = spawn(shell!, [...args, ...COMMAND], {
    stdio: ['pipe', 'pipe', 'inherit', 'pipe', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout?.on('data', chunk => {
    output += chunk
  })
  const closed = once(child, 'close')
  // The types allow only five streams.
  const barrier = (child.stdio as unknown as NodeJS.ReadWriteStream[])[5]!
  await once(barrier, 'data')
  expect(output).toBe('')
  if (answer !== null) barrier.write(answer)
  barrier.end()
  const [code] = await closed
  return { output, code }
}

describe('the start barrier of a sandbox', () => {
  it('becomes the command, with its arguments as they are, when it is answered', async () => {
    expect(await pass('\n')).toEqual({ output: `a b|$HOME||"|${VARIABLES.PS4}|`, code: 0 })
  })

  it('exits without running it when the other side is gone', async () => {
    const { output, code } = await pass(null)
    expect(output).toBe('')
    expect(code).not.toBe(0)
  })
})
