// Where a person decides what agents may use: each item beside what was last signed of it, with nothing
// hidden.
import { useState } from 'preact/hooks'
import { Empty, Go, Sorry, useLinks, Waiting } from '../parts/basics.tsx'
import { Checked, isOffer } from '../parts/checked.tsx'
import { Decision, Gone } from '../review/decision.tsx'
import { type Entry, entryName, nextOf, readName } from '../review/entry.ts'
import { Queue } from '../review/queue.tsx'
import { useAnswer, useParams, useSummary } from '../state.tsx'

/** A longer list of buttons helps nobody. */
const MOST_LISTED = 100

export function ReviewPage() {
  const [params, change] = useParams()
  const { answer, failure } = useSummary()
  const offers = useOffers(answer !== undefined)
  const [signed, setSigned] = useState('')
  if (failure) return <Sorry failure={failure} />
  if (!answer) return <Waiting lines={6} />
  const { open: total, waiting: queue } = answer
  // Without a name in the address, the first item is shown, and can be skipped like any other.
  const name = params.item ?? (queue[0] && entryName(queue[0]))
  if (name === undefined)
    return (
      <>
        <h1>Review</h1>
        <Nothing signed={signed} />
        {offers}
      </>
    )
  const at = queue.findIndex(one => entryName(one) === name)
  const first = Math.max(0, Math.min(at - 20, queue.length - MOST_LISTED))
  const next = nextOf(queue, name)
  const goTo = (one: Entry | undefined) => {
    change({ item: one ? entryName(one) : '' })
    scrollTo(0, 0)
    document.getElementById('content')?.focus({ preventScroll: true })
  }
  const onNext = next && (() => goTo(next))
  // An item beyond the listed part of the queue is still shown by its name. So is one that does not wait for
  // review, with the reason.
  const entry = readName(name)
  return (
    <>
      <header class="page-head">
        <h1>Review</h1>
        <p class="faint" role="status">
          {at === -1 ? `${total} to review` : `${at + 1} of ${total}`}
          {signed && ` · ${signed} is signed`}
        </p>
      </header>
      <div class={queue.length > 0 ? 'review' : undefined}>
        {queue.length > 0 && (
          <Queue
            entries={queue.slice(first, first + MOST_LISTED)}
            chosen={queue[at]}
            onChoose={one => change({ item: entryName(one) })}
          />
        )}
        {entry ? (
          <Decision
            key={name}
            entry={entry}
            onNext={onNext}
            onSigned={() => {
              setSigned(entry.item_id)
              goTo(next)
            }}
          />
        ) : (
          <Gone name={name} failure={NO_NAME} onNext={onNext} />
        )}
      </div>
      {offers}
    </>
  )
}

const NO_NAME = {
  status: 'error',
  code: 'INVALID_INPUT',
  error: 'the address names no item: expected TYPE:ID@SPACE, such as `tool:ops/deploy@project`',
  hint: 'choose one of those that wait, or look for it in the library',
} as const

function Nothing({ signed }: { signed: string }) {
  const links = useLinks()
  return (
    <Empty title="Nothing waits for you">
      {signed && <p role="status">{signed} is signed.</p>}
      <p>Items that are new, changed, or signed by somebody you do not trust come here.</p>
      <p>
        <Go to={links.page('search')}>Look at what agents may use</Go>
      </p>
    </Empty>
  )
}

/** Keys that the project offers; a person decides on these too. */
function useOffers(isWanted: boolean) {
  const { answer } = useAnswer('doctor', isWanted ? {} : undefined, ['trust', 'sources'])
  const offers = (answer?.checks ?? []).filter(isOffer)
  if (offers.length === 0) return null
  return (
    <section class="card" aria-label="Offered keys">
      <ul class="rows">
        {offers.map(check => (
          <li key={check.message}>
            <Checked check={check} />
          </li>
        ))}
      </ul>
    </section>
  )
}
