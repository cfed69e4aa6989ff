// The summary of a project, for as long as it holds: however many pages ask, and however often they are opened, everything is looked at
// once, and after a change what was touched. One that nobody waits for any more is left.
import type { Library } from '../../workspace/index.ts'
import { countStatuses, statusesIn } from './count-statuses.ts'
import { lookAgain } from './look-again.ts'
import { changesOf } from './project-changes.ts'
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
  readonly swept: Promise<Swept>
  readonly leaving: AbortController
  waiting: number
  /** Something in it could not be read, and may be by now. */
  isPassing: boolean
}

export function keepSummary(
  library: Library,
  projectPath: string,
  summarize: (signal: AbortSignal) => Promise<Swept>,
): KeptSummary {
  let last: Made | undefined
  let statusOf: StatusOf | undefined
  /** From the one before, where it is known what was changed since; otherwise everything is looked at. */
  const sweep = async (before: Made | undefined, keys: object, signal: AbortSignal): Promise<Swept> => {
    const swept = await before?.swept.catch(() => undefined)
    signal.throwIfAborted()
    const changes = await changesOf(library, projectPath)
    const workspace = await library.open(projectPath)
    const touched = before && changes.touchedSince(before.items)
    const isComparable = swept && touched && before.keys === keys && workspace.trust.keys === keys
    const statuses = isComparable && lookAgain(workspace, swept.statuses, touched)
    return statuses ? countStatuses(statuses) : summarize(signal)
  }
  const make = (items: number, keys: object): Made => {
    const leaving = new AbortController()
    const swept = sweep(last, keys, leaving.signal)
    const made: Made = { items, keys, swept, leaving, waiting: 0, isPassing: false }
    swept.then(
      one => {
        statusOf = statusesIn(one)
        made.isPassing = one.summary.trust.malformed !== 0
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

async function wait(made: Made, signal: AbortSignal): Promise<Swept> {
  const leave = () => {
    made.waiting -= 1
    if (made.waiting === 0) made.leaving.abort()
  }
  made.waiting += 1
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await made.swept
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
