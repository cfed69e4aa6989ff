// What ran: receipts, figures over time, and whether the log is whole.
import type { OneRun, Run, RunList } from 'ryekit'
import { Empty, Go, Sorry, Time, useLinks, Waiting } from '../parts/basics.tsx'
import { Scroller } from '../parts/scroller.tsx'
import { Switch } from '../parts/switch.tsx'
import { countByDay, type Day, measureTools, type ToolFigures } from '../run/figures.ts'
import { useAnswer, useParams } from '../state.tsx'

const DAYS = 30

export function RunsPage() {
  const [params, change] = useParams()
  const { receipt, item, outcome } = params
  const list = useAnswer(
    'runs',
    { limit: 1000, ...(item && { item_id: item }), ...(outcome === 'success' && { outcome }) },
    ['runs'],
  )
  const one = useAnswer('runs', receipt ? { receipt } : undefined, ['runs'])
  const answer = list.answer as RunList | undefined
  if (list.failure) return <Sorry failure={list.failure} />
  if (!answer) return <Waiting lines={8} />
  const shown = outcome === 'failed' ? answer.runs.filter(run => run.outcome !== 'success') : answer.runs
  return (
    <>
      <header class="page-head">
        <h1>Runs</h1>
        <p class={answer.intact ? 'trust trust-verified' : 'trust trust-tampered'}>
          {answer.intact
            ? '✓ the log is whole: each receipt follows from the one before'
            : '✕ the log was changed: it does not follow from its beginning'}
        </p>
      </header>
      {receipt && one.failure && <Sorry failure={one.failure} />}
      {receipt && one.answer && (
        <Receipt run={(one.answer as OneRun).run} onClose={() => change({ receipt: '' })} />
      )}
      {answer.total === 0 ? (
        <Empty title={item ? `${item} has not run here` : 'Nothing has run here yet'}>
          <p>Each run of a tool leaves a receipt: what ran, who signed it, how it ended.</p>
        </Empty>
      ) : (
        <div class="runs">
          <section class="card wide">
            <h2>The last {DAYS} days</h2>
            <Days days={countByDay(answer.runs, new Date(), DAYS)} />
          </section>
          <section class="card wide">
            <h2>By tool</h2>
            <Tools figures={measureTools(answer.runs)} />
          </section>
          <section class="wide">
            <div class="results-head">
              <h2>
                {item ? `Receipts of ${item}` : 'Receipts'} <span class="faint">{shown.length}</span>
              </h2>
              <Switch
                label="Outcome"
                words={['', 'success', 'failed']}
                chosen={outcome ?? ''}
                onChoose={word => change({ outcome: word })}
              />
            </div>
            <Receipts runs={shown.slice(0, 200)} />
          </section>
        </div>
      )}
    </>
  )
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
          <span class="faint">{run.duration_ms} ms</span>
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
  const facts: [string, string][] = [
    ['time', new Date(run.time).toLocaleString()],
    ['outcome', run.outcome],
    ['took', `${run.duration_ms} ms`],
    ['isolation', run.isolation],
    ['signer', run.signer ?? 'none'],
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
            <dd class="path">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Bars of one day each; the same numbers are in the table behind them. */
function Days({ days }: { days: readonly Day[] }) {
  const most = Math.max(1, ...days.map(day => day.done + day.failed))
  const width = 100 / days.length
  const total = days.reduce((sum, day) => sum + day.done + day.failed, 0)
  const failed = days.reduce((sum, day) => sum + day.failed, 0)
  return (
    <figure class="chart">
      <svg
        viewBox="0 0 100 24"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${total} runs in ${days.length} days, ${failed} failed, at most ${most} a day`}
      >
        {days.map((day, index) => {
          const [done, bad] = [(day.done / most) * 23, (day.failed / most) * 23]
          return (
            <g key={day.date}>
              <title>{`${day.date}: ${day.done} done, ${day.failed} failed`}</title>
              <rect x={index * width} y="0" width={width} height="24" fill="transparent" />
              <rect
                class="chart-done"
                x={index * width + width * 0.15}
                y={24 - done}
                width={width * 0.7}
                height={done}
              />
              <rect
                class="chart-failed"
                x={index * width + width * 0.15}
                y={24 - done - bad}
                width={width * 0.7}
                height={bad}
              />
            </g>
          )
        })}
      </svg>
      <figcaption class="faint small">
        <span>{days[0]!.date}</span>
        <span>
          {total} runs, {failed} failed
        </span>
        <span>today</span>
      </figcaption>
    </figure>
  )
}

function Tools({ figures }: { figures: readonly ToolFigures[] }) {
  const links = useLinks()
  const slowest = Math.max(1, ...figures.map(tool => tool.median))
  return (
    <Scroller class="table-frame" label="Figures by tool">
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">tool</th>
            <th scope="col">runs</th>
            <th scope="col">failed</th>
            <th scope="col">median</th>
            <th scope="col">slowest</th>
          </tr>
        </thead>
        <tbody>
          {figures.slice(0, 20).map(tool => (
            <tr key={tool.id}>
              <td>
                <Go to={links.page('runs', { item: tool.id })}>{tool.id}</Go>
              </td>
              <td>{tool.runs}</td>
              <td class={tool.failed > 0 ? 'warn' : undefined}>{tool.failed}</td>
              <td>
                <span class="meter" style={{ '--part': String(tool.median / slowest) }}>
                  {tool.median} ms
                </span>
              </td>
              <td>{tool.slowest} ms</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}
