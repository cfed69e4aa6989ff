// Runs one item: fill in its parameters, try it, then run it, watch it and cancel it.
import { Fragment } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ExecuteAnswer, Failure, Progress, ShowAnswer } from 'ryekit'
import { isFailure } from '../connection.ts'
import { leadOf } from '../item/facts.tsx'
import {
  Foreign,
  Go,
  Missing,
  Name,
  printDuration,
  Sorry,
  Type,
  useLinks,
  Waiting,
} from '../parts/basics.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Document } from '../parts/document.tsx'
import { Source } from '../parts/source.tsx'
import { Form } from '../run/form.tsx'
import { whyNotRun } from '../run/runnable.ts'
import { readForm, readSchema, schemaOf, type Values } from '../run/schema.ts'
import { splitData } from '../run/split-data.ts'
import { useWork } from '../run/use-work.ts'
import { useAnswer, usePage, useParams } from '../state.tsx'
import { countOf } from '../text/count.ts'

export function RunPage() {
  const [params] = useParams()
  const { answer, failure } = useAnswer('show', params.item ? { item_id: params.item } : undefined)
  if (!params.item) return <Missing title="No item is named" />
  if (failure) return <Missing title={params.item} failure={failure} />
  if (!answer) return <Waiting lines={6} />
  const whyNot = whyNotRun(answer)
  if (whyNot === undefined) return <RunForm key={params.item} item={answer} />
  return (
    <>
      <Head item={answer} />
      <p class="notice" role="status">
        {whyNot}
      </p>
    </>
  )
}

function RunForm({ item }: { item: ShowAnswer }) {
  const { item_type: type, item_id: id, space } = item
  const fields = readSchema(schemaOf(item.metadata))
  const [values, setValues] = useState<Values>({})
  const [isTried, setTried] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const { parameters, faults } = readForm(fields, values)
  const { work, isRunning, hasPassed, isOfOthers, start, cancel } = useWork({
    ref: `${type}:${id}@${space}`,
    state: JSON.stringify(item.trust),
    parameters: faults.size === 0 ? parameters : undefined,
  })
  const begin = (isDry: boolean) => {
    setTried(true)
    setAsking(false)
    void start(isDry)
  }
  return (
    <>
      <Head item={item} />
      <div class="run">
        <form
          class="card"
          noValidate
          onSubmit={event => {
            event.preventDefault()
            begin(true)
          }}
        >
          <h2>Parameters</h2>
          {fields.length === 0 && <p class="faint">It takes none.</p>}
          <Form fields={fields} values={values} faults={isTried ? faults : NONE} onChange={setValues} />
          <Decide isRunning={isRunning} hasPassed={hasPassed} onRun={() => setAsking(true)} />
        </form>
        <section class="card outcome" aria-live="polite" aria-label="Outcome">
          <h2>{work === undefined ? 'Outcome' : work.isDry ? 'Dry run' : 'Run'}</h2>
          {work === undefined && (
            <p class="faint">A dry run checks signatures and parameters, and starts nothing.</p>
          )}
          {isOfOthers && <p class="notice">It had other parameters than those that are filled in now.</p>}
          {isRunning && <Working progress={work?.progress} onCancel={cancel} />}
          {work?.answer && <Outcome answer={work.answer} id={id} />}
          {work && <Output lines={work.output} isOpen={isRunning} />}
        </section>
      </div>
      {isAsking && hasPassed && (
        <Confirm
          title={`Run ${id}?`}
          action="Run it"
          onCancel={() => setAsking(false)}
          onConfirm={() => begin(false)}
        >
          <p>In the project, with these parameters:</p>
          <Source text={JSON.stringify(parameters, null, 2)} language="json" label="parameters" />
        </Confirm>
      )}
    </>
  )
}

function Head({ item }: { item: ShowAnswer }) {
  const links = useLinks()
  const { item_type: type, item_id: id, space } = item
  return (
    <header class="item-head">
      <div class="item-line">
        <Type type={type} /> <span class="space">{space}</span>
      </div>
      <h1>
        Run{' '}
        <Go to={links.item({ type, space, id })}>
          <Name text={id} />
        </Go>
      </h1>
      {leadOf(item) && (
        <p class="lead">
          <Foreign text={leadOf(item)} />
        </p>
      )}
    </header>
  )
}

/** The item is tried first: submitting the form does that. */
function Decide({
  isRunning,
  hasPassed,
  onRun,
}: {
  isRunning: boolean
  hasPassed: boolean
  onRun: () => void
}) {
  const { about } = usePage()
  return (
    <div class="decide">
      <button type="submit" class={`button ${hasPassed ? '' : 'button-main'}`} disabled={isRunning}>
        Try without running
      </button>
      {about.read_only ? (
        <p class="faint">Running is off: the page was started with --read-only.</p>
      ) : (
        <button
          type="button"
          class={`button ${hasPassed ? 'button-main' : ''}`}
          disabled={isRunning || !hasPassed}
          title={hasPassed ? undefined : 'try it first'}
          onClick={onRun}
        >
          Run …
        </button>
      )}
    </div>
  )
}

function Working({ progress, onCancel }: { progress: Progress | undefined; onCancel: () => void }) {
  return (
    <>
      <p role="status">
        <Foreign text={progress?.message ?? 'working …'} />
      </p>
      <progress
        {...(progress?.total ? { value: progress.done, max: progress.total } : {})}
        aria-label="progress"
      />
      <p>
        <button type="button" class="button" onClick={onCancel}>
          Cancel
        </button>
      </p>
    </>
  )
}

/** The output of the tool, scrolled to its newest line. */
function Output({ lines, isOpen }: { lines: readonly string[]; isOpen: boolean }) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => frame.current?.scrollTo(0, frame.current.scrollHeight), [lines])
  if (lines.length === 0) return null
  return (
    <details class="output" open={isOpen}>
      <summary class="output-title">
        Output <span class="faint">{countOf(lines.length, 'line')}</span>
      </summary>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <div ref={frame} class="output-lines" role="group" aria-label="Output" aria-live="off" tabIndex={0}>
        {lines.map((line, index) => (
          <div key={index} class="output-line">
            {line === '' ? '\u00a0' : <Foreign text={line} />}
          </div>
        ))}
      </div>
    </details>
  )
}

const NONE: ReadonlyMap<string, string> = new Map()

function Outcome({ answer, id }: { answer: ExecuteAnswer | Failure; id: string }) {
  const links = useLinks()
  const receipt = 'receipt' in answer ? answer.receipt : undefined
  const isCancelled = isFailure(answer) && answer.code === 'EXECUTION_CANCELLED'
  return (
    <>
      {isFailure(answer) ? (
        <Sorry failure={answer} />
      ) : (
        <p class="trust trust-verified">
          ✓ {answer.status === 'validation_passed' ? 'it would run' : 'done'}
        </p>
      )}
      {'warning' in answer && answer.warning && (
        <p class="notice">
          <Foreign text={answer.warning} />
        </p>
      )}
      {'plan' in answer && <Source text={answer.plan} language="yaml" label="plan" />}
      {'your_directions' in answer && <Document text={answer.your_directions} />}
      {'data' in answer &&
        splitData(answer.data).map(({ name, text, language }) => (
          <Fragment key={name}>
            {name !== '' && <h3 class="small">{name}</h3>}
            <Source text={text} language={language} label={name || 'data'} />
          </Fragment>
        ))}
      {'duration_ms' in answer && (
        <p class="faint">
          {printDuration(answer.duration_ms ?? 0)}
          {'isolation' in answer && answer.isolation ? ` · isolation: ${answer.isolation}` : ''}
        </p>
      )}
      {isCancelled && (
        <p>
          <Go to={links.page('runs', { item: id })}>Its receipt is among the runs</Go>
        </p>
      )}
      {receipt && (
        <p>
          <Go to={links.page('runs', { receipt })}>Receipt {receipt.slice(0, 12)}</Go>
        </p>
      )}
    </>
  )
}
