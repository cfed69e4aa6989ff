// An action as a run: its answer, its failure, and its end.
import { expect, it } from 'vitest'
import { AppError } from '../../../src/base/app-error.ts'
import type { RunOptions } from '../../../src/execute/run-plan.ts'
import { runPlan } from '../../../src/execute/run-plan.ts'
import { createRunner } from '../../../src/execute/runner.ts'
import { makePlan } from '../hand-made-plan.ts'

const invocation = { kind: 'action', action: 'box open', input: { name: 'n' } } as const

async function run(callAction: RunOptions['callAction'], options: RunOptions = {}, timeoutMs = 20_000) {
  const runner = createRunner()
  try {
    const plan = makePlan({ invocation, timeoutMs, secrets: ['hush-hush'] })
    return await runPlan(plan, runner, { ...options, callAction })
  } finally {
    await runner.close()
  }
}

it('answers with what the action answers, without secrets', async () => {
  expect(await run(async ({ action, input }) => ({ action, input, token: 'hush-hush' }))).toMatchObject({
    status: 'success',
    isolation: 'none',
    data: { success: true, action: 'box open', input: { name: 'n' }, token: '[secret]' },
  })
})

it('fails as the action fails, with its details as evidence', async () => {
  const fail = async () => {
    throw new AppError('REMOTE_FAILED', 'it is stuck', { hint: 'oil it', details: { stderr: 'creak' } })
  }
  expect(await run(fail)).toMatchObject({
    status: 'error',
    error: { code: 'REMOTE_FAILED', message: 'it is stuck', hint: 'oil it' },
    data: { success: false, error: 'it is stuck', stderr: 'creak' },
  })
})

it('ends at its time, and when it is cancelled, even if the action goes on', async () => {
  let told: AbortSignal | undefined
  const hang: RunOptions['callAction'] = (_, signal) => {
    told = signal
    return new Promise(() => {})
  }
  expect(await run(hang, {}, 20)).toMatchObject({ status: 'error', error: { code: 'EXECUTION_TIMEOUT' } })
  expect(told!.aborted).toBe(true)
  const cancel = new AbortController()
  const running = run(hang, { signal: cancel.signal })
  setImmediate(() => cancel.abort())
  expect(await running).toMatchObject({ status: 'error', error: { code: 'EXECUTION_CANCELLED' } })
})

it('does not hide a fault of our own', async () => {
  const fault = async () => {
    throw new Error('a bug')
  }
  await expect(run(fault)).rejects.toThrow('a bug')
})
