// The same item in several spaces: which one is used, and how any two of them differ.
import { useState } from 'preact/hooks'
import type { ShowAnswer } from 'ryekit'
import { Go, useLinks } from '../parts/basics.tsx'
import { Diff } from '../parts/diff.tsx'
import { useAnswer } from '../state.tsx'

const SPACES = ['project', 'user', 'system']

export function Shadows({ item }: { item: ShowAnswer }) {
  const { item_type: type, item_id: id } = item
  const { answer } = useAnswer('list', { pattern: id, ...(type !== 'config' && { item_type: type }) }, [
    'items',
  ])
  const spaces = SPACES.filter(space =>
    answer?.items.some(other => other.item_id === id && other.item_type === type && other.space === space),
  )
  const others = spaces.filter(space => space !== item.space)
  const [other, setOther] = useState<string>()
  const links = useLinks()
  if (others.length === 0) return null
  return (
    <section class="card">
      <h2>In several spaces</h2>
      <ol class="plain shadows">
        {spaces.map((space, index) => (
          <li key={space}>
            {space === item.space ? (
              <strong>{space}</strong>
            ) : (
              <Go to={links.item({ type, space, id })}>{space}</Go>
            )}{' '}
            <span class="faint">{index === 0 ? 'is used' : `shadowed by ${spaces[0]}`}</span>{' '}
            {space !== item.space && (
              <button
                type="button"
                class="button button-small"
                aria-expanded={other === space}
                onClick={() => setOther(other === space ? undefined : space)}
              >
                compare
              </button>
            )}
          </li>
        ))}
      </ol>
      {other && <Comparison item={item} other={other} />}
    </section>
  )
}

function Comparison({ item, other }: { item: ShowAnswer; other: string }) {
  const { answer } = useAnswer('show', {
    item_id: `${item.item_type}:${item.item_id}@${other}`,
    content: true,
  })
  const theirs = answer?.content?.files[0]?.text
  const ours = item.content?.files[0]?.text
  if (theirs === undefined || ours === undefined) return <p class="faint">…</p>
  return <Diff left={{ title: other, text: theirs }} right={{ title: item.space, text: ours }} />
}
