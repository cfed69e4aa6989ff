import { expect, it } from 'vitest'
import { runProgram } from '../../src/surfaces/cli/run-program.ts'

it('ends a program that takes longer than it may', async () => {
  const call = { command: 'sleep', args: ['600'], directory: '/', timeoutMs: 50 }
  expect(await runProgram(call, process.env)).toEqual({
    status: null,
    output: '',
    errors: 'it took longer than 0.05 s and was ended',
  })
})
