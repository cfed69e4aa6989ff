// One item to decide on: what it says, what is new in it, and the question whether to sign it.
import { useEffect, useState } from 'preact/hooks'
import type { Failure, ShowAnswer } from 'ryekit'
import { call, isFailure } from '../connection.ts'
import { type File, whyNotShown } from '../item/files.tsx'
import { VerdictCard } from '../item/verdict.tsx'
import { Go, Name, Sorry, Trust, Type, useLinks, Waiting } from '../parts/basics.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Diff } from '../parts/diff.tsx'
import { Source } from '../parts/source.tsx'
import { useAnswer, usePage } from '../state.tsx'
import { type Entry, entryName } from './entry.ts'
import { lastRead } from './last-read.ts'
import { Needs } from './needs.tsx'
import { Noticed } from './noticed.tsx'

interface DecisionProps {
  readonly entry: Entry
  /** Undefined when nothing else waits. */
  readonly onNext: (() => void) | undefined
  readonly onSigned: () => void
}

export function Decision({ entry, onNext, onSigned }: DecisionProps) {
  const { about, project } = usePage()
  const { item_id: id, space } = entry
  const { answer: item, failure } = useAnswer('show', { item_id: entryName(entry), content: true })
  const [isAsking, setAsking] = useState(false)
  const [refusal, setRefusal] = useState<Failure>()
  // Closes the question when the item changes: nobody has read the new content.
  useEffect(() => setAsking(false), [item?.content?.digest])
  if (failure) return <Gone name={entryName(entry)} failure={failure} onNext={onNext} />
  if (!item) return <Waiting lines={8} />
  if (isDecided(item.trust)) return <Settled item={item} onNext={onNext} />
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
      <Head item={item} />
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
        {onNext && (
          <button type="button" class="button" onClick={onNext}>
            Leave it, next
          </button>
        )}
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

/** An item signed by an agent is undecided, since no person has read it yet. */
export function isDecided({ status, by_agent }: ShowAnswer['trust']): boolean {
  return status === 'verified' && !by_agent
}

function Head({ item }: { item: ShowAnswer }) {
  const links = useLinks()
  const { item_type: type, item_id: id, space, trust } = item
  return (
    <header class="item-head">
      <div class="item-line">
        <Type type={type} /> <Trust status={trust.status} /> <span class="space">{space}</span>
      </div>
      <h2>
        <Go to={links.item({ type, space, id })}>
          <Name text={id} />
        </Go>
      </h2>
    </header>
  )
}

/** A bookmarked address may name an item that someone has signed meanwhile. */
function Settled({ item, onNext }: { item: ShowAnswer; onNext: DecisionProps['onNext'] }) {
  return (
    <article class="decision">
      <Head item={item} />
      <p role="status">It needs no review: nothing has changed since it was signed.</p>
      <VerdictCard item={item} />
      {onNext && <Onward onNext={onNext} />}
    </article>
  )
}

/** A bookmarked address may name an item that is gone, or never existed. */
export function Gone({
  name,
  failure,
  onNext,
}: {
  name: string
  failure: Failure
  onNext: DecisionProps['onNext']
}) {
  return (
    <article class="decision">
      <header class="item-head">
        <h2>
          <Name text={name} />
        </h2>
      </header>
      <Sorry failure={failure} />
      {onNext && <Onward onNext={onNext} />}
    </article>
  )
}

function Onward({ onNext }: { onNext: () => void }) {
  return (
    <div class="decide">
      <button type="button" class="button" onClick={onNext}>
        To what waits for review
      </button>
    </div>
  )
}

/** File by file, compared with what a person last signed; the whole text when that is not known. */
function Changes({ item }: { item: ShowAnswer }) {
  const { files = [] } = item.content ?? {}
  const signed = lastRead(item)
  const removed = Object.keys(signed?.files ?? {}).filter(path => !files.some(file => file.path === path))
  // A file can have any name, even `constructor`.
  const before = (path: string) =>
    signed && Object.hasOwn(signed.files, path) ? signed.files[path] : undefined
  const isSame = ({ path, text }: File) => text !== undefined && before(path) === text
  const [same, changed] = [files.filter(isSame), files.filter(file => !isSame(file))]
  const date = signed ? new Date(signed.timestamp).toLocaleDateString() : ''
  return (
    <>
      {!signed && (
        <p class="faint">
          {item.trust.by_agent
            ? 'No person has signed it'
            : 'What was signed before is not known on this machine'}
          , so the whole text is shown.
        </p>
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
