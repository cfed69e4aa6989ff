// One item: what it says, who vouches for it, what runs it, and what it shadows.
import { useState } from 'preact/hooks'
import type { ShowAnswer } from 'ryekit'
import { itemOf, refOf } from '../address.ts'
import { Chain } from '../item/chain.tsx'
import { Facts, leadOf, Parameters, Permissions } from '../item/facts.tsx'
import { Files, whyNotShown } from '../item/files.tsx'
import { Shadows } from '../item/shadows.tsx'
import { VerdictCard } from '../item/verdict.tsx'
import { Empty, Foreign, Go, Missing, Name, Trust, Type, useLinks, Waiting } from '../parts/basics.tsx'
import { Document } from '../parts/document.tsx'
import { Source } from '../parts/source.tsx'
import { Switch } from '../parts/switch.tsx'
import { isHelper } from '../review/compare-needs.ts'
import { isDecided } from '../review/decision.tsx'
import { whyNotRun } from '../run/runnable.ts'
import { useAnswer, useHere, useParams } from '../state.tsx'
import { escapeHidden } from '../text/hidden.ts'

export function ItemPage() {
  const name = itemOf(useHere())
  const { answer, failure } = useAnswer('show', name && { item_id: refOf(name), content: true })
  if (!name) return <Missing title="No item is named" />
  if (failure) return <Missing title={name.id} failure={failure} />
  if (!answer || answer.item_id !== name.id || answer.item_type !== name.type) return <Waiting lines={8} />
  return <Item item={answer} />
}

function Item({ item }: { item: ShowAnswer }) {
  const links = useLinks()
  const { item_type: type, item_id: id, space, trust, shadowed_by, unused } = item
  const description = leadOf(item)
  const whyNot = whyNotRun(item)
  const isTool = type === 'tool' && !isHelper(id)
  return (
    <article class="item">
      <header class="item-head">
        <div class="item-line">
          <Type type={type} /> <Trust status={trust.status} /> <span class="space">{space}</span>
          {shadowed_by && <span class="pill">shadowed by the one in the {shadowed_by} space</span>}
        </div>
        <h1>
          <Name text={id} />
        </h1>
        {description && (
          <p class="lead">
            <Foreign text={description} />
          </p>
        )}
        {unused && (
          <p class="notice">
            <Foreign text={unused} />
          </p>
        )}
        {type === 'tool' && whyNot && <p class="faint">{whyNot}</p>}
        <div class="actions">
          {!whyNot && trust.status === 'verified' && (
            <Go to={links.page('run', { item: `${type}:${id}@${space}` })} class="button button-main">
              {type === 'tool' ? 'Run …' : 'Fill in …'}
            </Go>
          )}
          {!isDecided(trust) && space !== 'system' && space !== 'shared' && (
            <Go
              to={links.page('review', { item: `${type}:${id}@${space}` })}
              class={trust.status === 'verified' ? 'button' : 'button button-main'}
            >
              Review …
            </Go>
          )}
          {isTool && !whyNot && (
            <Go to={links.page('runs', { item: id })} class="button">
              Runs
            </Go>
          )}
        </div>
      </header>
      <div class="item-body">
        <VerdictCard item={item} />
        <div class="item-main">
          <Content item={item} />
        </div>
        <div class="item-side">
          {item.issues.length > 0 && (
            <section class="card">
              <h2>Problems</h2>
              <ul class="plain">
                {item.issues.map(issue => (
                  <li key={issue}>
                    <Foreign text={issue} />
                  </li>
                ))}
              </ul>
            </section>
          )}
          <Parameters item={item} />
          {isTool && <Permissions item={item} />}
          <Facts item={item} />
          {/* The chain loads late, so it comes last and pushes nothing away. */}
          {isTool && <Chain item={item} />}
        </div>
      </div>
      <Shadows item={item} />
    </article>
  )
}

/** Prose is first shown as a document, code as source. A skill has other files beside its text. */
function Content({ item }: { item: ShowAnswer }) {
  const [params, change] = useParams()
  const files = item.content?.files ?? []
  const named = files.find(({ path }) => path === params.file)
  const file = named ?? files[0]
  const [view, setView] = useState<'document' | 'source'>('document')
  if (!file) return <Empty title="It has no text" />
  const extension = file.path.includes('.') ? file.path.slice(file.path.lastIndexOf('.') + 1) : ''
  const isProse = extension === 'md'
  return (
    <>
      {files.length > 1 && (
        <Files files={files} chosen={file} onChoose={({ path }) => change({ file: path })} />
      )}
      {params.file && !named && (
        <p class="notice" role="status">
          It has no file <Foreign text={params.file} />: this is <Foreign text={file.path} />.
        </p>
      )}
      {isProse && file.text !== undefined && (
        <Switch label="View" words={['document', 'source']} chosen={view} onChoose={setView} />
      )}
      {file.text === undefined ? (
        <Empty title={escapeHidden(file.path)}>
          <p>{whyNotShown(file)}</p>
        </Empty>
      ) : isProse && view === 'document' ? (
        <Document text={file.text} />
      ) : (
        <Source text={file.text} language={extension} label={`source of ${file.path}`} />
      )}
    </>
  )
}
