// What ran: receipts, figures over time, and whether the log is intact.
import type { Failure, OneRun, Run, RunList } from 'ryekit'
import { printAddress } from '../address.ts'
import { type About, call } from '../connection.ts'
import { useOwners } from '../item/verdict.tsx'
import { Empty, Go, Name, printDuration, Sorry, Time, useLinks, Waiting } from '../parts/basics.tsx'
import { Switch } from '../parts/switch.tsx'
import { Days, FiguresTable } from '../run/charts.tsx'
import { callerOf, countByDay, type Figures, measureBy } from '../run/figures.ts'
import { useAnswer, useAsked, usePage, useParams } from '../state.tsx'

const DAYS = 30
const LIMIT = 1000
const MOST_LISTED = 200

export function RunsPage() {
  const [{ receipt, item }, change] = useParams()
  const list = useAnswer('runs', { limit: LIMIT, ...(item && { item_id: item }) }, ['runs'])
  const one = useAnswer('runs', receipt ? { receipt } : undefined, ['runs'])
  const answer = list.answer as RunList | undefined
  if (list.failure) return <Sorry failure={list.failure} />
  if (!answer) return <Waiting lines={8} />
  return (
    <>
      <header class="page-head">
        <h1>Runs</h1>
        {(answer.total > 0 || !answer.intact) && <LogState isIntact={answer.intact} />}
      </header>
      {receipt && one.failure && <Sorry failure={one.failure} />}
      {receipt && one.answer && (
        <Receipt run={(one.answer as OneRun).run} onClose={() => change({ receipt: '' })} />
      )}
      {answer.total === 0 ? <NoRuns item={item} /> : <RunsOf list={answer} />}
    </>
  )
}

function LogState({ isIntact }: { isIntact: boolean }) {
  return (
    <p class={isIntact ? 'trust trust-verified' : 'trust trust-tampered'}>
      {isIntact
        ? '✓ the log is whole: each receipt follows from the one before'
        : '✕ the log was changed: it does not follow from its beginning'}
    </p>
  )
}

function NoRuns({ item }: { item: string | undefined }) {
  const links = useLinks()
  return (
    <Empty title={item ? `${item} has not run here` : 'Nothing has run here yet'}>
      <p>Each run of a tool leaves a receipt: what ran, who signed it, how it ended.</p>
      <p>
        <Go to={links.page('search', { type: 'tool', trust: 'verified' })}>Choose a tool to run</Go>
      </p>
    </Empty>
  )
}

function RunsOf({ list }: { list: RunList }) {
  const [{ caller }] = useParams()
  const links = useLinks()
  const runs = caller ? list.runs.filter(run => callerOf(run) === caller) : list.runs
  return (
    <div class="runs">
      <section class="card wide">
        <h2>The last {DAYS} days</h2>
        <Days days={countByDay(runs, new Date(), DAYS)} />
        {list.total > LIMIT && (
          <p class="faint small">
            Figures are of the last {LIMIT} of {list.total} runs.
          </p>
        )}
      </section>
      <section class="card wide">
        <h2>By tool</h2>
        <FiguresTable
          of="tool"
          figures={measureBy(runs, run => run.item_id)}
          to={name => links.page('runs', { item: name })}
        />
      </section>
      <section class="card wide">
        <h2>By who called</h2>
        <FiguresTable
          of="caller"
          figures={measureBy(list.runs, callerOf)}
          to={name => links.page('runs', { caller: name })}
        />
      </section>
      <Projects />
      <ReceiptsByOutcome runs={runs} />
    </div>
  )
}

function ReceiptsByOutcome({ runs }: { runs: readonly Run[] }) {
  const [{ item, caller, outcome }, change] = useParams()
  const links = useLinks()
  const shown = outcome ? runs.filter(run => (run.outcome === 'success') === (outcome === 'success')) : runs
  const about = [item, caller].filter(Boolean).join(', ')
  return (
    <section class="wide">
      <div class="results-head">
        <h2>
          {about ? `Receipts of ${about}` : 'Receipts'} <span class="faint">{shown.length}</span>{' '}
          {about && (
            <Go to={links.page('runs')} class="button button-small">
              all
            </Go>
          )}
        </h2>
        <Switch
          label="Outcome"
          words={['', 'success', 'failed']}
          chosen={outcome ?? ''}
          onChoose={word => change({ outcome: word })}
        />
      </div>
      <Receipts runs={shown.slice(0, MOST_LISTED)} />
      {shown.length > MOST_LISTED && (
        <p class="faint small">
          The last {MOST_LISTED} are listed. <code>rye runs --limit 10000</code> lists up to 10 000.
        </p>
      )}
    </section>
  )
}

/** Only shown when the server has several projects. */
function Projects() {
  const { about, versions } = usePage()
  const { projects } = about
  const { answer } = useAsked(
    projects.length > 1 ? signal => measureProjects(projects, signal) : undefined,
    ['projects', versions.runs],
    ['runs'],
  )
  if (!answer) return null
  const position = (name: string) => answer.findIndex(one => one.name === name)
  return (
    <section class="card wide">
      <h2>By project</h2>
      <FiguresTable
        of="project"
        figures={answer}
        to={name => printAddress({ page: 'runs', params: { project: String(position(name)) } })}
      />
    </section>
  )
}

async function measureProjects(
  projects: About['projects'],
  signal: AbortSignal,
): Promise<readonly Figures[] | Failure> {
  const answers = await Promise.all(projects.map((_, index) => call('runs', index, { limit: LIMIT }, signal)))
  return answers.map((answer, index) => {
    const runs = 'runs' in answer ? answer.runs : []
    const { name, path } = projects[index]!
    // Two folders may have the same name.
    const title = projects.some(other => other.name === name && other.path !== path) ? path : name
    return measureBy(runs, () => title)[0] ?? { name: title, runs: 0, failed: 0, median: 0, slowest: 0 }
  })
}

function Receipts({ runs }: { runs: readonly Run[] }) {
  const links = useLinks()
  return (
    <ul class="rows receipts">
      {runs.map(run => (
        <li key={run.receipt}>
          <Outcome outcome={run.outcome} />
          <Go to={links.page('runs', { receipt: run.receipt })} class="row-text">
            {run.item_id}
          </Go>
          <span class="faint">{printDuration(run.duration_ms)}</span>
          <span class="faint">
            <Time at={run.time} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Outcome({ outcome }: { outcome: string }) {
  const isDone = outcome === 'success'
  return (
    <span class={`trust trust-${isDone ? 'verified' : 'tampered'}`}>
      <span aria-hidden="true">{isDone ? '✓' : '✕'}</span>{' '}
      {isDone ? 'done' : outcome.toLowerCase().replaceAll('_', ' ')}
    </span>
  )
}

function Receipt({ run, onClose }: { run: Run; onClose: () => void }) {
  const ownerOf = useOwners()
  const signer = run.signer === 'system' ? 'this package' : run.signer ? ownerOf(run.signer) : 'none'
  const facts: [string, string][] = [
    ['time', new Date(run.time).toLocaleString()],
    ['outcome', run.outcome],
    ['called by', callerOf(run)],
    ['took', printDuration(run.duration_ms)],
    ['isolation', run.isolation],
    ['signer', signer],
    ['chain', run.chain.map(link => link.item_id).join(' → ')],
    ['parameters', `sha256 ${run.parameters}`],
    ['receipt', run.receipt],
    ['follows', run.previous],
  ]
  return (
    <section class="card receipt">
      <h2>
        {run.item_id}{' '}
        <button type="button" class="button button-small" onClick={onClose}>
          close
        </button>
      </h2>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="path">
              <Name text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
