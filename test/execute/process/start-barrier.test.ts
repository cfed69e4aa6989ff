import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { gateArguments } from '../../../src/execute/process/start-barrier.ts'

const COMMAND = ['printf', '%s|', 'a b', '$HOME', '', '"']

/** The gate as a plain process; what is told to it is the answer of the server, null its death. */
async function pass(answer: string | null): Promise<{ output: string; code: number }> {
  const [shell, ...args] = gateArguments(5)
  const child = spawn(shell!, [...args, ...COMMAND], {
    stdio: ['pipe', 'pipe', 'inherit', 'pipe', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout?.on('data', chunk => {
    output += chunk
  })
  const closed = once(child, 'close')
  // The types know of five streams only.
  const gate = (child.stdio as unknown as NodeJS.ReadWriteStream[])[5]!
  await once(gate, 'data')
  expect(output).toBe('')
  if (answer !== null) gate.write(answer)
  gate.end()
  const [code] = await closed
  return { output, code }
}

describe('the gate of a sandbox', () => {
  it('becomes the command, with its arguments as they are, when it is answered', async () => {
    expect(await pass('\n')).toEqual({ output: 'a b|$HOME||"|', code: 0 })
  })

  it('ends without it when the other side is gone', async () => {
    const { output, code } = await pass(null)
    expect(output).toBe('')
    expect(code).not.toBe(0)
  })

  it.each([
    ['6.18.44-vm', true],
    ['5.14.0', true],
    ['5.13.19-generic', false],
    ['4.19.0', false],
    ['unheard-of', false],
  ])('limits processes where they are counted by sandbox: Linux %s', (kernel, limits) => {
    expect(gateArguments(3, kernel).join(' ').includes('ulimit')).toBe(limits)
  })
})
