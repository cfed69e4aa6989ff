// What the shared library has of a search. It answers later than this machine, and what is read already is not moved by it.
import { useEffect, useState } from 'preact/hooks'
import type { Failure } from 'ryekit'
import type { TypedAnswer } from '../connection.ts'
import { type Asked, useAsked } from '../state.tsx'

/** Nobody types any more. */
export const REST_AFTER_MS = 400

/** How many hits there are to list. */
export function listedOf({ total, weaker = 0 }: TypedAnswer): number {
  return total - weaker
}

/** Hits that came after the others, and are listed when somebody asks for them. */
export interface Late {
  readonly isComing: boolean
  /** How many; none as long as they are coming, and where it does not answer. */
  readonly count: number
  readonly failure: string | undefined
  take(): void
}

/** Asks once more, and waits, when the keys rest. */
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
  // Where nothing is shown, nothing moves.
  const isWelcome = count > 0 && answer?.results.length === 0
  useEffect(() => {
    if (isWelcome) take()
  }, [isWelcome])
  return { isComing: isLate && came === undefined, count, failure: came?.warning, take }
}

/** Beside how many there are. */
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
