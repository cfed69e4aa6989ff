// One run of an item, or a trial run. What is shown belongs to the parameters it was started with: an answer
// is ignored if it comes late, for parameters other than those in the form, or after the item has changed.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ExecuteAnswer, Failure, Progress } from 'ryekit'
import { isFailure, run } from '../connection.ts'
import { usePage } from '../state.tsx'

type Parameters = Readonly<Record<string, unknown>>

export interface Work {
  readonly isDry: boolean
  /** The parameters it was started with, as JSON. */
  readonly asked: string
  /** The state of the item at that time. */
  readonly state: string
  readonly progress?: Progress
  /** The last lines that the tool wrote. */
  readonly output: readonly string[]
  readonly answer?: ExecuteAnswer | Failure
}

const MOST_LINES = 500

interface Asked {
  readonly ref: string
  /** Differs when the item has changed. */
  readonly state: string
  /** The parameters in the form; undefined while something is wrong with them. */
  readonly parameters: Parameters | undefined
}

/** The work is cancelled when the person leaves the page. */
export function useWork({ ref, state, parameters }: Asked) {
  const { project } = usePage()
  const [latest, setLatest] = useState<Work>()
  const current = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => current.current?.abort(), [])
  const filled = parameters && JSON.stringify(parameters)
  // With other parameters, or of a changed item, the trial no longer applies.
  const isOutdated = latest?.isDry === true && (latest.asked !== filled || latest.state !== state)
  // A layout effect, so that it runs before anything else can be pressed.
  useLayoutEffect(() => {
    if (!isOutdated) return
    current.current?.abort()
    current.current = undefined
    setLatest(undefined)
  }, [isOutdated])
  const work = isOutdated ? undefined : latest
  const isRunning = work !== undefined && work.answer === undefined
  const start = async (isDry: boolean) => {
    if (isRunning || !parameters || !filled) return
    const mine = new AbortController()
    current.current?.abort()
    current.current = mine
    const begun: Work = { isDry, asked: filled, state, output: [] }
    setLatest(begun)
    const add = (change: (before: Work) => Partial<Work>) => {
      if (current.current !== mine) return
      setLatest((before = begun) => ({ ...before, ...change(before) }))
    }
    const answer = await run(
      'execute',
      project,
      { item_id: ref, parameters, dry_run: isDry, trace: true },
      {
        signal: mine.signal,
        onProgress: progress => add(() => ({ progress })),
        onOutput: lines => add(({ output }) => ({ output: [...output, ...lines].slice(-MOST_LINES) })),
      },
    )
    add(() => ({ answer }))
  }
  return {
    work,
    isRunning,
    /** Whether exactly the current parameters were tried, and would run. */
    hasPassed: work?.isDry === true && work.answer !== undefined && !isFailure(work.answer),
    /** Whether the run that is shown had other parameters. */
    isOfOthers: work !== undefined && work.asked !== filled,
    start,
    cancel: () => current.current?.abort(),
  }
}
