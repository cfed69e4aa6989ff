// Sweeps in a thread: real threads that run a few lines of code.
import { MessageChannel, Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '../../../src/base/index.ts'
import { answerSweeps } from '../../../src/surfaces/ui/answer-sweeps.ts'
import { type SweepThreads, sweepInThreads } from '../../../src/surfaces/ui/sweep-thread.ts'
import type { Sweeper } from '../../../src/surfaces/ui/sweeper.ts'
import { until } from '../../fixtures/patience.ts'

const NEVER = new AbortController().signal
/** Project 0 is answered, 1 is refused, 2 is a fault, 3 ends the thread, 4 is answered once it is cancelled. */
const PROGRAM = `
const { parentPort, threadId } = require('node:worker_threads')
let waiting
parentPort.on('message', request => {
  if (request === 'end') return parentPort.close()
  const { id, kind, project, cancel } = request
  if (cancel !== undefined) return parentPort.postMessage({ id: waiting, answer: { cancelled: cancel } })
  if (project === 0) parentPort.postMessage({ id, answer: { kind, threadId } })
  if (project === 1) parentPort.postMessage({ id, failure: { code: 'CONFIG_INVALID', message: 'no', hint: 'fix it' } })
  if (project === 2) parentPort.postMessage({ id, fault: 'at line 3' })
  if (project === 3) process.exit(1)
  if (project === 4) waiting = id
})`

let sweeper: SweepThreads
const started: Worker[] = []
function open(): SweepThreads {
  sweeper = sweepInThreads(() => {
    const worker = new Worker(PROGRAM, { eval: true })
    started.push(worker)
    return worker
  })
  return sweeper
}
afterEach(async () => {
  await sweeper.close()
  started.length = 0
})

const SWEPT = {
  summary: { counts: [], trust: {}, beside: {}, open: 0, waiting: [], servers_waiting: [] },
  statuses: new Map(),
}

describe('a sweep', () => {
  it('is answered by one thread, however many are asked for at once', async () => {
    const { summary, references, doctor } = open()
    const answers = await Promise.all([summary(0, NEVER), references(0, NEVER), doctor(0, NEVER)])
    expect(answers).toMatchObject([{ kind: 'summary' }, { kind: 'references' }, { kind: 'doctor' }])
    expect(started).toHaveLength(1)
  })

  it('that is refused keeps its code and hint', async () => {
    const refused = open().doctor(1, NEVER)
    await expect(refused).rejects.toBeInstanceOf(AppError)
    await expect(refused).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: 'no', hint: 'fix it' })
  })

  it('that is a fault of ours is one here', async () => {
    const broken = open().summary(2, NEVER)
    await expect(broken).rejects.not.toBeInstanceOf(AppError)
    await expect(broken).rejects.toThrow('at line 3')
  })

  it('fails with its thread, and the next one has another', async () => {
    const { summary } = open()
    await expect(summary(3, NEVER)).rejects.toThrow('ended')
    expect(await summary(0, NEVER)).toMatchObject({ kind: 'summary' })
    expect(started).toHaveLength(2)
  })

  it('that nobody waits for any more is cancelled there', async () => {
    const leaving = new AbortController()
    const asked = open().references(4, leaving.signal)
    leaving.abort()
    expect(await asked).toEqual({ cancelled: 0 })
  })
})

it('a thread that has nothing to do ends', async () => {
  const { summary } = open()
  await summary(0, NEVER)
  let isOver = false
  started[0]!.once('exit', () => {
    isOver = true
  })
  await until(async () => isOver)
  expect(await summary(0, NEVER)).toMatchObject({ kind: 'summary' })
  expect(started).toHaveLength(2)
})

describe('the other end', () => {
  function connect(library: Partial<Sweeper>) {
    const { port1, port2 } = new MessageChannel()
    const replies: object[] = []
    port1.on('message', reply => replies.push(reply))
    const ended = answerSweeps(port2, library as Sweeper)
    return { port: port1, replies, ended, close: () => port1.close() }
  }

  it('answers, refuses, and says what broke', async () => {
    const { port, replies, close } = connect({
      summary: async () => SWEPT,
      references: async () => {
        throw new AppError('CONFIG_INVALID', 'no', { hint: { agent: 'a', person: 'p' } })
      },
      doctor: async () => {
        throw new TypeError('broke')
      },
    })
    const kinds = ['summary', 'references', 'doctor'] as const
    for (const [id, kind] of kinds.entries()) {
      port.postMessage({ id, kind, project: 0 })
      await until(async () => replies.length === id + 1)
    }
    expect(replies).toEqual([
      { id: 0, answer: SWEPT },
      { id: 1, failure: { code: 'CONFIG_INVALID', message: 'no', hint: 'p' } },
      { id: 2, fault: expect.stringContaining('broke') },
    ])
    close()
  })

  it('stops what is cancelled, and at the end everything', async () => {
    const stopped: number[] = []
    const { port, ended, close } = connect({
      references: (project, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            stopped.push(project)
            reject(signal.reason)
          })
        }),
    })
    for (const id of [0, 1, 2]) port.postMessage({ id, kind: 'references', project: id })
    port.postMessage({ cancel: 1 })
    await until(async () => stopped.length === 1)
    port.postMessage('end')
    await ended
    expect(stopped).toEqual([1, 0, 2])
    close()
  })
})
