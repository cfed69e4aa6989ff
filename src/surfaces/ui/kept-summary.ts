// The summary of a project, for as long as it holds: however many pages ask, and however often they are opened, everything is looked at
// once for each change. One that nobody waits for any more is left.
import type { Library } from '../../workspace/index.ts'
import { changesOf } from './project-changes.ts'
import { statusesIn } from './summarize.ts'
import type { StatusOf, Swept } from './summary-types.ts'

export interface KeptSummary {
  read(signal: AbortSignal): Promise<Swept>
  /** The verdicts of the last one that was made, which may be of a moment ago. */
  readonly statusOf: StatusOf | undefined
}

interface Made {
  /** What it holds for: verdicts are good for as long as the keys are the same object. */
  readonly items: number
  readonly keys: object
  readonly summary: Promise<Swept>
  readonly leaving: AbortController
  waiting: number
}

export function keepSummary(
  library: Library,
  projectPath: string,
  summarize: (signal: AbortSignal) => Promise<Swept>,
): KeptSummary {
  let last: Made | undefined
  let statusOf: StatusOf | undefined
  const make = (items: number, keys: object): Made => {
    const leaving = new AbortController()
    const before = last?.summary.catch(() => {}) ?? Promise.resolve()
    const summary = before.then(() => summarize(leaving.signal))
    const made: Made = { items, keys, summary, leaving, waiting: 0 }
    const forget = () => {
      if (last === made) last = undefined
    }
    // A signature from the future becomes good by itself.
    summary.then(swept => {
      statusOf = statusesIn(swept)
      if (swept.summary.trust.malformed !== 0) forget()
    }, forget)
    return made
  }
  return {
    get statusOf() {
      return statusOf
    },
    async read(signal) {
      const { items } = await (await changesOf(library, projectPath)).look()
      const { keys } = (await library.open(projectPath)).trust
      signal.throwIfAborted()
      const holds = last?.items === items && last.keys === keys && !last.leaving.signal.aborted
      const made = holds ? last! : make(items, keys)
      last = made
      return wait(made, signal)
    },
  }
}

async function wait(made: Made, signal: AbortSignal): Promise<Swept> {
  const leave = () => {
    made.waiting -= 1
    if (made.waiting === 0) made.leaving.abort()
  }
  made.waiting += 1
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await made.summary
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
