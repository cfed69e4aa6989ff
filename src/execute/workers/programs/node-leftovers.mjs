// Finds what a tool's call leaves running in the worker: threads, timers, children, sockets. Node lists only
// some of them, so the others are tracked from before the first tool runs.
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'

/**
 * Call it before any code of a tool runs. The function that it returns says whether something is still alive.
 */
export function watchLeftovers() {
  const threads = trackThreads()
  const scheduled = trackTimers()
  return () => threads.size > 0 || scheduled.areLeft() || hasChildren() || holdsResources()
}

/** The threads that tools have started and that have not ended. Node does not list them. */
function trackThreads() {
  const running = new Set()
  process.on('worker', thread => {
    running.add(thread)
    thread.once('exit', () => running.delete(thread))
  })
  return running
}

/** Node does not list unreferenced timers either. */
function trackTimers() {
  let made = []
  const areLeft = () => {
    made = made.filter(timer => !timer._destroyed)
    return made.length > 0
  }
  for (const name of ['setTimeout', 'setInterval', 'setImmediate']) {
    const native = timers[name]
    const tracked = (...given) => {
      const timer = native(...given)
      if (made.push(timer) % 10_000 === 0) areLeft()
      return timer
    }
    globalThis[name] = timers[name] = Object.defineProperties(
      tracked,
      Object.getOwnPropertyDescriptors(native),
    )
  }
  syncBuiltinESMExports()
  return { areLeft }
}

/** Only the kernel knows of an unreferenced child. */
function hasChildren() {
  try {
    return readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1') !== ''
  } catch {
    return false
  }
}

function holdsResources() {
  const held = process.getActiveResourcesInfo()
  return held.some(name => /^(?:Timeout|Immediate|ProcessWrap|TCP|TLS|UDP|FSEvent|StatWatcher)/.test(name))
}
