// Things that a reader might overlook, shown beside the text before it is signed.
import { useMemo } from 'preact/hooks'
import type { ShowAnswer } from 'ryekit'
import { Foreign } from '../parts/basics.tsx'
import { useAnswer } from '../state.tsx'
import { countOf } from '../text/count.ts'
import { showHidden } from '../text/hidden.ts'
import { isHelper } from './compare-needs.ts'

const MOST = 12

export function Noticed({ item }: { item: ShowAnswer }) {
  const files = item.content?.files
  const hidden = useMemo(
    () => (files ?? []).flatMap(({ text }) => showHidden(text ?? '').flatMap(part => part.hidden ?? [])),
    [files],
  )
  const { item_type, item_id, space } = item
  const { answer: review } = useAnswer('review', { item_id: `${item_type}:${item_id}@${space}` }, [
    ...['items', 'trust', 'sources'],
  ])
  const { findings: found = [], commands = [], hosts = [] } = review?.review ?? {}
  const findings = found.slice(0, MOST).map(({ path, line, message }) => `${path}:${line}: ${message}`)
  const names = [...new Set(hidden)]
  const faults = item.content?.needs?.faults ?? []
  return (
    <section class="card">
      <h2>To know before you sign</h2>
      <ul class="plain">
        <li class={names.length > 0 ? 'warn' : undefined}>
          {names.length === 0
            ? 'No invisible characters.'
            : `${countOf(hidden.length, 'invisible character')}, marked below: ${names.slice(0, 5).join(', ')}.`}
        </li>
        {[...new Set([...faults, ...item.issues, ...findings])].map(issue => (
          <li key={issue} class="warn">
            <Foreign text={issue} />
          </li>
        ))}
        {found.length > MOST && <li class="warn">and {found.length - MOST} more of that kind</li>}
        {commands.length > 0 && (
          <li>
            It tells its reader to run <Foreign text={commands.slice(0, MOST).join(', ')} />.
          </li>
        )}
        {hosts.length > 0 && (
          <li>
            It names <Foreign text={hosts.slice(0, MOST).join(', ')} />.
          </li>
        )}
        {isHelper(item_id) && <li>Tools beside it use it: it runs with them, and may do what they may.</li>}
        {item.shadowed_by && <li>It is not used: the {item.shadowed_by} space has one of the same name.</li>}
        {item.shadows.length > 0 && (
          <li class="warn">It takes the place of the one in the {item.shadows[0]!.space} space.</li>
        )}
      </ul>
    </section>
  )
}
