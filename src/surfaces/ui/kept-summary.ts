// Keeps the summary of a project while it is valid. However many pages ask, and however often they are
// opened, everything is judged once; after a change, only what was touched. A summary that nobody waits for
// any more is cancelled.
import type { Library } from '../../workspace/index.ts'
import { countStatuses, statusesIn } from './count-statuses.ts'
import { lookAgain } from './look-again.ts'
import { changesOf } from './project-changes.ts'
import type { JudgedItems, StatusOf } from './summary-types.ts'

export interface KeptSummary {
  read(signal: AbortSignal): Promise<JudgedItems>
  /** The verdicts of the last finished summary, which may be slightly out of date. */
  readonly statusOf: StatusOf | undefined
}

interface Made {
  /**
   * The version of the items it is valid for. Verdicts are also valid only while `keys` is the same object.
   */
  readonly items: number
  readonly keys: object
  readonly judged: Promise<JudgedItems>
  readonly leaving: AbortController
  waiting: number
  /** Something in it could not be read, but may be readable by now. */
  isPassing: boolean
}

export function keepSummary(
  library: Library,
  projectPath: string,
  summarize: (signal: AbortSignal) => Promise<JudgedItems>,
): KeptSummary {
  let last: Made | undefined
  let statusOf: StatusOf | undefined
  /** Starts from the summary before, when it is known what has changed since; otherwise judges everything. */
  const judge = async (before: Made | undefined, keys: object, signal: AbortSignal): Promise<JudgedItems> => {
    const judged = await before?.judged.catch(() => undefined)
    signal.throwIfAborted()
    const changes = await changesOf(library, projectPath)
    const workspace = await library.open(projectPath)
    const touched = before && changes.touchedSince(before.items)
    const isComparable = judged && touched && before.keys === keys && workspace.trust.keys === keys
    const statuses = isComparable && lookAgain(workspace, judged.statuses, touched)
    return statuses ? countStatuses(statuses) : summarize(signal)
  }
  const make = (items: number, keys: object): Made => {
    const leaving = new AbortController()
    const judged = judge(last, keys, leaving.signal)
    const made: Made = { items, keys, judged, leaving, waiting: 0, isPassing: false }
    judged.then(
      one => {
        statusOf = statusesIn(one)
        const { trust, beside } = one.summary
        made.isPassing = trust.malformed !== 0 || beside.malformed !== 0
      },
      () => {
        if (last === made) last = undefined
      },
    )
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
      const holds =
        last?.items === items && last.keys === keys && !last.leaving.signal.aborted && !last.isPassing
      const made = holds ? last! : make(items, keys)
      last = made
      return wait(made, signal)
    },
  }
}

async function wait(made: Made, signal: AbortSignal): Promise<JudgedItems> {
  const leave = () => {
    made.waiting -= 1
    if (made.waiting === 0) made.leaving.abort()
  }
  made.waiting += 1
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await made.judged
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
