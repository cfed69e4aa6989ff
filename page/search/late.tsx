// Hits of the shared library. They arrive later than those of this machine, and must not move what someone
// already reads.
import { useEffect, useState } from 'preact/hooks'
import type { Failure } from 'ryekit'
import type { TypedAnswer } from '../connection.ts'
import { type Asked, useAsked } from '../state.tsx'

/** After this pause, nobody is typing any more. */
export const REST_AFTER_MS = 400

/** How many hits there are to list. */
export function listedOf({ total, weaker = 0 }: TypedAnswer): number {
  return total - weaker
}

/** Hits that came after the others, and are listed when someone asks for them. */
export interface Late {
  readonly isComing: boolean
  /** How many there are; 0 while they are coming, or when the shared library does not answer. */
  readonly count: number
  readonly failure: string | undefined
  take(): void
}

/** When typing pauses, searches once more and waits for the shared library. */
export function useLate(
  { answer, isWaiting }: Asked<TypedAnswer>,
  key: string,
  ask: (signal: AbortSignal) => Promise<TypedAnswer | Failure>,
  onTaken: (answer: TypedAnswer) => void,
): Late {
  const isLate = answer?.late === true && !isWaiting
  const [rested, setRested] = useState<string>()
  useEffect(() => {
    if (!isLate) return
    const timer = setTimeout(() => setRested(key), REST_AFTER_MS)
    return () => clearTimeout(timer)
  }, [key, isLate])
  const isAsked = isLate && rested === key
  const all = useAsked(isAsked ? ask : undefined, ['late', key], ['items', 'trust'])
  const came = isAsked && !all.isWaiting ? all.answer : undefined
  const count = came && answer ? Math.max(0, listedOf(came) - listedOf(answer)) : 0
  const take = () => came && onTaken(came)
  // With nothing shown, nothing can move.
  const isWelcome = count > 0 && answer?.results.length === 0
  useEffect(() => {
    if (isWelcome) take()
  }, [isWelcome])
  return { isComing: isLate && came === undefined, count, failure: came?.warning, take }
}

/** Shown beside the number of hits. */
export function Shared({ late: { isComing, count, failure, take } }: { late: Late }) {
  if (count > 0)
    return (
      <>
        {' · '}
        <button type="button" class="link" onClick={take}>
          {count} more from the shared library
        </button>
      </>
    )
  return (
    <span class="faint" title={failure}>
      {isComing ? ' · asking the shared library …' : failure && ' · the shared library does not answer'}
    </span>
  )
}
