// What runs a tool: the chain from the tool through runtimes to the primitive, with the signer of each
// element.
import type { LoadSummary, ShowAnswer } from 'ryekit'
import { call, isFailure } from '../connection.ts'
import { Foreign, Go, useLinks, Waiting } from '../parts/basics.tsx'
import { useAnswer, useAsked, usePage } from '../state.tsx'
import { useOwners } from './verdict.tsx'

type Link = NonNullable<LoadSummary['chain']>[number]

export function Chain({ item }: { item: ShowAnswer }) {
  const { item_id, space, trust } = item
  const input = { item_id: `tool:${item_id}@${space}`, view: 'summary' as const }
  const isLoaded = trust.status === 'verified'
  const { answer, isWaiting } = useAnswer('load', isLoaded ? input : undefined)
  const summary = answer as LoadSummary | undefined
  const says = item.metadata.executor_id
  return (
    <section class="card">
      <h2>What runs it</h2>
      {summary?.problem && (
        <p class="notice">
          <Foreign text={summary.problem} />
        </p>
      )}
      {summary?.chain ? (
        <ol class="chain">
          {summary.chain.map(link => (
            <Element key={link.item_id} link={link} />
          ))}
        </ol>
      ) : isLoaded && isWaiting ? (
        <Waiting lines={4} />
      ) : (
        <p class="faint">
          {typeof says === 'string' ? <Foreign text={says} /> : 'nothing: it is a primitive'}
        </p>
      )}
    </section>
  )
}

function Element({ link }: { link: Link }) {
  const { project } = usePage()
  const links = useLinks()
  const ownerOf = useOwners()
  const ref = `tool:${link.item_id}@${link.space}`
  const { answer } = useAsked(
    signal => call('show', project, { item_id: ref }, signal),
    [ref, project],
    ['items', 'trust'],
  )
  const signer = answer && !isFailure(answer) ? answer.trust.signer : undefined
  return (
    <li>
      <Go to={links.item({ type: 'tool', space: link.space, id: link.item_id })}>
        <span class="chain-id">{link.item_id}</span>
        <span class="faint small">
          {link.space} ·{' '}
          {signer === undefined ? (
            '…'
          ) : signer === 'system' ? (
            'this package'
          ) : signer === null ? (
            'unsigned'
          ) : (
            <Foreign text={ownerOf(signer)} />
          )}
        </span>
      </Go>
    </li>
  )
}
