// Where a person decides what an agent may use: each item as it is beside what was signed of it, with nothing hidden.
import { useEffect, useState } from 'preact/hooks'
import type { Failure, ShowAnswer } from 'ryekit'
import type { Summary } from '../../src/surfaces/ui/summary-types.ts'
import { call, isFailure } from '../connection.ts'
import { type File, whyNotShown } from '../item/files.tsx'
import { VerdictCard } from '../item/verdict.tsx'
import { Empty, Go, Name, Sorry, Trust, Type, useLinks, Waiting } from '../parts/basics.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Diff } from '../parts/diff.tsx'
import { isOffer, Offer } from '../parts/offer.tsx'
import { Source } from '../parts/source.tsx'
import { Needs } from '../review/needs.tsx'
import { Noticed } from '../review/noticed.tsx'
import { Queue } from '../review/queue.tsx'
import { useAnswer, usePage, useParams, useSummary } from '../state.tsx'

/** More buttons than this are of no use to anybody. */
const MOST_LISTED = 100

export function ReviewPage() {
  const [params, change] = useParams()
  const { answer, failure } = useSummary()
  const links = useLinks()
  const offers = useOffers(answer !== undefined)
  const [signed, setSigned] = useState('')
  if (failure) return <Sorry failure={failure} />
  if (!answer) return <Waiting lines={6} />
  const { trust, waiting: queue } = answer
  const total = Object.values(trust).reduce((sum, count) => sum + count, 0) - (trust.verified ?? 0)
  const named = queue.find(one => nameOf(one) === params.item)
  // What comes after the part of the queue that is listed is shown by its name.
  const unlisted = !named && total > queue.length ? readName(params.item) : undefined
  // The first is shown where none is named, and is left like any other.
  const listed = unlisted ? undefined : (named ?? queue[0])
  const entry = unlisted ?? listed
  const at = listed ? queue.indexOf(listed) : -1
  const first = Math.max(0, Math.min(at - 20, queue.length - MOST_LISTED))
  // In the order of the queue, from its beginning: what was left stays behind.
  const next = () => {
    change({ item: nameOf(queue[(at + 1) % queue.length]!) })
    scrollTo(0, 0)
    document.getElementById('content')?.focus({ preventScroll: true })
  }
  if (!entry || total === 0)
    return (
      <>
        <h1>Review</h1>
        <Empty title="Nothing waits for you">
          {signed && <p role="status">{signed} is signed.</p>}
          <p>Items that are new, changed, or signed by somebody you do not trust come here.</p>
          <p>
            <Go to={links.page('search')}>Look at what agents may use</Go>
          </p>
        </Empty>
        {offers}
      </>
    )
  return (
    <>
      <header class="page-head">
        <h1>Review</h1>
        <p class="faint" role="status">
          {at === -1 ? total : `${at + 1} of ${total}`}
          {signed && ` · ${signed} is signed`}
        </p>
      </header>
      <div class="review">
        <Queue
          entries={queue.slice(first, first + MOST_LISTED)}
          chosen={listed}
          onChoose={one => change({ item: nameOf(one) })}
        />
        <Decision
          key={nameOf(entry)}
          entry={entry}
          onNext={next}
          onSigned={() => {
            setSigned(entry.item_id)
            next()
          }}
        />
      </div>
      {offers}
    </>
  )
}

/** Keys that the project offers: of them, too, a person decides. */
function useOffers(isWanted: boolean) {
  const { answer } = useAnswer('doctor', isWanted ? {} : undefined, ['trust', 'sources'])
  const offers = (answer?.checks ?? []).filter(isOffer)
  if (offers.length === 0) return null
  return (
    <section class="card" aria-label="Offered keys">
      <ul class="rows">
        {offers.map(check => (
          <li key={check.message}>
            <Offer check={check} />
          </li>
        ))}
      </ul>
    </section>
  )
}

type Entry = Omit<Summary['waiting'][number], 'status'>

function nameOf({ item_type, item_id, space }: Entry): string {
  return `${item_type}:${item_id}@${space}`
}

function readName(name = ''): Entry | undefined {
  const [, item_type, item_id, space] = /^(\w+):(.+)@(\w+)$/.exec(name) ?? []
  return item_type && item_id && space ? { item_type, item_id, space } : undefined
}

interface DecisionProps {
  readonly entry: Entry
  readonly onNext: () => void
  readonly onSigned: () => void
}

function Decision({ entry, onNext, onSigned }: DecisionProps) {
  const { about, project } = usePage()
  const links = useLinks()
  const { item_type: type, item_id: id, space } = entry
  const { answer: item, failure } = useAnswer('show', { item_id: `${type}:${id}@${space}`, content: true })
  const [isAsking, setAsking] = useState(false)
  const [refusal, setRefusal] = useState<Failure>()
  // What was changed meanwhile was not read.
  useEffect(() => setAsking(false), [item?.content?.digest])
  if (failure) return <Sorry failure={failure} />
  if (!item) return <Waiting lines={8} />
  const sign = async () => {
    setAsking(false)
    const answer = await call('sign', project, {
      item_id: id,
      item_type: item.item_type,
      source: space === 'user' ? 'user' : 'project',
      digest: item.content!.digest,
      take_over: true,
    })
    if (isFailure(answer)) setRefusal(answer)
    else onSigned()
  }
  const canSign = space !== 'system' && !about.read_only
  return (
    <article class="decision">
      <header class="item-head">
        <div class="item-line">
          <Type type={type} /> <Trust status={item.trust.status} /> <span class="space">{space}</span>
        </div>
        <h2>
          <Go to={links.item({ type, space, id })}>
            <Name text={id} />
          </Go>
        </h2>
      </header>
      {refusal && <Sorry failure={refusal} />}
      <div class="decision-facts">
        <VerdictCard item={item} />
        <Noticed item={item} />
      </div>
      <Needs item={item} />
      <Changes item={item} />
      <div class="decide">
        {canSign ? (
          <button type="button" class="button button-main" onClick={() => setAsking(true)}>
            Accept and sign …
          </button>
        ) : (
          <p class="faint">
            {about.read_only
              ? 'Signing is off: the page was started with --read-only.'
              : 'Items of the package are never signed: install it again.'}
          </p>
        )}
        <button type="button" class="button" onClick={onNext}>
          Leave it, next
        </button>
      </div>
      {isAsking && (
        <Confirm
          title={`Sign ${id}?`}
          action="Sign it"
          onCancel={() => setAsking(false)}
          onConfirm={() => void sign()}
        >
          <p>Agents may then use exactly what is shown here, under your name.</p>
          {item.trust.status === 'untrusted' && (
            <p>It bears the signature of somebody else, which yours replaces.</p>
          )}
          <p class="faint small">
            digest <code>{item.content?.digest.slice(0, 16)}…</code>
          </p>
        </Confirm>
      )}
    </article>
  )
}

/** File by file, against what was last signed; where that is not known, the whole text. */
function Changes({ item }: { item: ShowAnswer }) {
  const { files = [], last_signed: signed } = item.content ?? {}
  const removed = Object.keys(signed?.files ?? {}).filter(path => !files.some(file => file.path === path))
  // Files may have any name, also `constructor`.
  const before = (path: string) =>
    signed && Object.hasOwn(signed.files, path) ? signed.files[path] : undefined
  const isSame = ({ path, text }: File) => text !== undefined && before(path) === text
  const [same, changed] = [files.filter(isSame), files.filter(file => !isSame(file))]
  const date = signed ? new Date(signed.timestamp).toLocaleDateString() : ''
  return (
    <>
      {!signed && (
        <p class="faint">What was signed before is not known on this machine, so the whole text is shown.</p>
      )}
      {changed.map(file => {
        const { path, text } = file
        const old = before(path)
        return (
          <section key={path} class="changed-file">
            <h3>
              <Name text={path} />{' '}
              {signed && old === undefined && text !== undefined && (
                <span class="warn">new since it was signed</span>
              )}
            </h3>
            {text === undefined ? (
              <p class="warn">{whyNotShown(file)}</p>
            ) : old === undefined ? (
              <Source
                text={text}
                language={path.slice(path.lastIndexOf('.') + 1)}
                label={`source of ${path}`}
              />
            ) : (
              <Diff left={{ title: `signed ${date}`, text: old }} right={{ title: 'now', text }} />
            )}
          </section>
        )
      })}
      {removed.map(path => (
        <p key={path} class="warn">
          <Name text={path} />: removed since it was signed
        </p>
      ))}
      {same.length > 0 && (
        <details>
          <summary class="faint">
            {same.length === 1
              ? '1 file is as it was signed'
              : `${same.length} files are as they were signed`}
          </summary>
          <ul class="plain">
            {same.map(({ path }) => (
              <li key={path} class="faint">
                <Name text={path} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
