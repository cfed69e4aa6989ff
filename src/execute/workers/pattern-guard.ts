// Matches the `pattern` of a schema where it can be stopped: in a thread of its own, with 100 ms of CPU time
// for each match. A pattern comes from the author of a tool, so one that backtracks endlessly must cost that
// call only, not the server. CPU time counts rather than elapsed time, because on a busy machine a harmless
// pattern may wait much longer for its turn.
import { Worker } from 'node:worker_threads'
import { AppError } from '../../base/index.ts'
import type { PlanContext } from '../../plan/index.ts'

const CPU_MS = 100
const ELAPSED_MS = 5000
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

/**
 * One thread does all matches, one after the other; a match that hangs ends the thread, and the next starts
 * another.
 */
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
      throw new AppError('PARAMETERS_INVALID', `the pattern \`${pattern}\` took over ${CPU_MS} ms`, {
        hint: "simplify the pattern in the tool's schema: it backtracks",
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
      // An answer that came while this thread was busy still counts.
      if (worked >= CPU_MS || passed >= ELAPSED_MS) setImmediate(finish, 'timeout')
      else timer = setTimeout(look, Math.max(10, CPU_MS - worked))
    }
    let timer = setTimeout(look, CPU_MS)
    worker.once('message', finish)
    worker.postMessage({ pattern, text })
  })
}

/**
 * Elapsed milliseconds, and the CPU time that this process has used outside its main thread: that of the
 * matching thread, and little else.
 */
function startClock(): () => { worked: number; passed: number } {
  const [begun, cpu, loop] = [performance.now(), process.cpuUsage(), performance.eventLoopUtilization()]
  return () => {
    const { user, system } = process.cpuUsage(cpu)
    const main = performance.eventLoopUtilization(performance.eventLoopUtilization(), loop).active
    return { worked: (user + system) / 1000 - main, passed: performance.now() - begun }
  }
}
