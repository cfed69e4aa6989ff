// Where items came from and, when a person asks, what is newer there.
import { useEffect, useState } from 'preact/hooks'
import type { Failure, OutdatedAnswer } from 'ryekit'
import type { LockedSources } from '../../src/surfaces/ui/summary-types.ts'
import { call, isFailure, lockedSources } from '../connection.ts'
import { useAsked, usePage } from '../state.tsx'
import { countOf } from '../text/count.ts'
import { Foreign, Sorry, Waiting } from './basics.tsx'

const SECONDS = 20

type State = OutdatedAnswer['sources'][number]
type Locked = LockedSources['sources'][number]

export function Sources() {
  const { project } = usePage()
  const { answer, failure } = useAsked(
    signal => lockedSources(project, signal),
    ['sources', project],
    ['sources'],
  )
  if (failure) return <Sorry failure={failure} />
  if (!answer) return <Waiting lines={2} />
  if (answer.sources.length === 0)
    return (
      <p class="faint">
        None. <code>rye add SOURCE</code> takes items of a folder, a repository or a package, and locks them.
      </p>
    )
  return <Locks key={JSON.stringify(answer)} sources={answer.sources} />
}

function Locks({ sources }: { sources: readonly Locked[] }) {
  const { project } = usePage()
  const [asking, setAsking] = useState<AbortController>()
  const [states, setStates] = useState<ReadonlyMap<string, State>>(new Map())
  const [failure, setFailure] = useState<Failure>()
  useEffect(() => () => asking?.abort(), [asking])
  const look = async () => {
    const leaving = new AbortController()
    setAsking(leaving)
    setFailure(undefined)
    const found = new Map<string, State>()
    for (const to of new Set(sources.map(({ space }) => space))) {
      const answer = await call('outdated', project, { to, timeout: SECONDS }, leaving.signal).catch(
        () => undefined,
      )
      if (leaving.signal.aborted || !answer) return
      if (isFailure(answer)) setFailure(answer)
      else for (const state of answer.sources) found.set(`${to} ${state.source} ${state.ref ?? ''}`, state)
    }
    setStates(found)
    setAsking(undefined)
  }
  return (
    <>
      {failure && <Sorry failure={failure} />}
      <ul class="rows">
        {sources.map(one => (
          <Row
            key={`${one.space} ${one.source} ${one.ref ?? ''}`}
            locked={one}
            state={states.get(`${one.space} ${one.source} ${one.ref ?? ''}`)}
          />
        ))}
      </ul>
      <p class="row-action">
        <button type="button" class="button" disabled={asking !== undefined} onClick={() => void look()}>
          {asking ? 'Asking …' : 'Look for newer'}
        </button>
        <span class="faint small" role="status">
          {asking ? 'The sources are being asked.' : 'Asks the sources over the network; nothing is taken.'}
        </span>
      </p>
    </>
  )
}

const SAYS = {
  current: { mark: '✓', word: 'current', colour: 'verified' },
  outdated: { mark: '!', word: 'outdated', colour: 'untrusted' },
  unknown: { mark: '?', word: 'not reached', colour: 'unsigned' },
} as const

function Row({ locked, state }: { locked: Locked; state: State | undefined }) {
  const { source, ref, resolved, items, space } = locked
  const says = state && SAYS[state.state]
  return (
    <li>
      {says ? (
        <span class={`trust trust-${says.colour}`}>
          <span aria-hidden="true">{says.mark}</span> {says.word}
        </span>
      ) : (
        <span class="space">{space}</span>
      )}
      <span class="row-text">
        <Foreign text={ref === undefined ? source : `${source}#${ref}`} />{' '}
        <code class="faint">{shorten(resolved)}</code>
        {state?.newest && state.state === 'outdated' && (
          <>
            {' '}
            → <code>{shorten(state.newest)}</code> <code class="fix">rye update</code>
          </>
        )}
        {state?.error && (
          <span class="faint">
            {' '}
            <Foreign text={state.error} />
          </span>
        )}
      </span>
      <span class="faint">{countOf(items, 'item')}</span>
    </li>
  )
}

/** The start of a commit or a digest is enough to tell two apart. */
function shorten(resolved: string): string {
  return resolved.length > 24 ? `${resolved.slice(0, 20)}…` : resolved
}
