// Runs a schema's `pattern` where it can be stopped: in a thread of its own, with 100 ms of work for each match. A pattern
// comes from a tool's author, so one with nested repetition must cost that call, not the server. Work is what counts, not
// the clock: on a busy machine an honest pattern may wait for its turn far longer than that.
import { Worker } from 'node:worker_threads'
import { AppError } from '../../base/index.ts'
import type { PlanContext } from '../../plan/index.ts'

const DEADLINE_MS = 100
const PATIENCE_MS = 5000
const IDLE_MS = 10_000

const THREAD = `
const { parentPort } = require('node:worker_threads')
parentPort.on('message', ({ pattern, text }) => {
  try { parentPort.postMessage({ matches: new RegExp(pattern, 'u').test(text) }) }
  catch (error) { parentPort.postMessage({ invalid: String(error.message) }) }
})
parentPort.postMessage('ready')`

type Reply = { readonly matches: boolean } | { readonly invalid: string }

export interface PatternGuard {
  readonly matches: PlanContext['matchesPattern']
  close(): Promise<void>
}

/** Matches wait their turn: one thread serves all, and only the one that hangs is lost. */
export function createPatternGuard(): PatternGuard {
  let thread: Promise<Worker> | undefined
  let last: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined

  const stop = async () => {
    const running = thread
    thread = undefined
    clearTimeout(idle)
    await (await running)?.terminate()
  }
  const match = async (pattern: string, text: string): Promise<boolean> => {
    clearTimeout(idle)
    thread ??= startThread()
    const reply = await ask(await thread, pattern, text)
    if (reply === 'timeout') {
      await stop()
      throw new AppError('PARAMETERS_INVALID', `the pattern \`${pattern}\` took over ${DEADLINE_MS} ms`, {
        hint: 'the tool’s schema has a pattern that backtracks; simplify it',
      })
    }
    idle = setTimeout(stop, IDLE_MS)
    idle.unref()
    if ('matches' in reply) return reply.matches
    throw new AppError('PARAMETERS_INVALID', `the pattern \`${pattern}\` is invalid: ${reply.invalid}`)
  }
  return {
    matches(pattern, text) {
      const result = last.then(() => match(pattern, text))
      last = result.catch(() => {})
      return result
    },
    close: stop,
  }
}

async function startThread(): Promise<Worker> {
  const worker = new Worker(THREAD, { eval: true, env: {}, execArgv: [] })
  await new Promise(resolve => worker.once('message', resolve))
  worker.unref()
  return worker
}

function ask(worker: Worker, pattern: string, text: string): Promise<Reply | 'timeout'> {
  return new Promise(resolve => {
    const finish = (reply: Reply | 'timeout') => {
      clearTimeout(timer)
      worker.off('message', finish)
      resolve(reply)
    }
    const workSince = startClock()
    const look = () => {
      const { worked, passed } = workSince()
      if (worked >= DEADLINE_MS || passed >= PATIENCE_MS) finish('timeout')
      else timer = setTimeout(look, Math.max(10, DEADLINE_MS - worked))
    }
    let timer = setTimeout(look, DEADLINE_MS)
    worker.once('message', finish)
    worker.postMessage({ pattern, text })
  })
}

/** Milliseconds that have passed, and that this process has worked outside of its main thread: in the thread that matches. */
function startClock(): () => { worked: number; passed: number } {
  const [begun, cpu, loop] = [performance.now(), process.cpuUsage(), performance.eventLoopUtilization()]
  return () => {
    const { user, system } = process.cpuUsage(cpu)
    const main = performance.eventLoopUtilization(performance.eventLoopUtilization(), loop).active
    return { worked: (user + system) / 1000 - main, passed: performance.now() - begun }
  }
}
