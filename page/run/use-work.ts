// One run of an item, or a trial of one. What is shown belongs to what it was asked with: an answer that comes late, for other parameters
// than those of the form or before the item was changed, counts for nothing.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ExecuteAnswer, Failure, Progress } from 'ryekit'
import { isFailure, run } from '../connection.ts'
import { usePage } from '../state.tsx'

type Parameters = Readonly<Record<string, unknown>>

export interface Work {
  readonly isDry: boolean
  /** What it was asked with, as JSON. */
  readonly asked: string
  /** What the item was then. */
  readonly state: string
  readonly progress?: Progress
  /** The last lines that it wrote. */
  readonly output: readonly string[]
  readonly answer?: ExecuteAnswer | Failure
}

const MOST_LINES = 500

interface Asked {
  readonly ref: string
  /** Other than before where the item is another one. */
  readonly state: string
  /** Those of the form, undefined while something is wrong with them. */
  readonly parameters: Parameters | undefined
}

/** The work ends when the page is left. */
export function useWork({ ref, state, parameters }: Asked) {
  const { project } = usePage()
  const [latest, setLatest] = useState<Work>()
  const current = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => current.current?.abort(), [])
  const filled = parameters && JSON.stringify(parameters)
  // With other parameters, or of another item, what was tried was something else.
  const isOutdated = latest?.isDry === true && (latest.asked !== filled || latest.state !== state)
  // Before anything else can be pressed.
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
    /** Whether exactly what is filled in was tried, and would run. */
    hasPassed: work?.isDry === true && work.answer !== undefined && !isFailure(work.answer),
    /** Whether a run is shown that had other parameters. */
    isOfOthers: work !== undefined && work.asked !== filled,
    start,
    cancel: () => current.current?.abort(),
  }
}
