// The items that wait for a decision, as a list beside the current one.
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Waiting } from '../../src/surfaces/ui/summary-types.ts'
import { Foreign, Trust, Type } from '../parts/basics.tsx'

export function Queue({
  entries,
  chosen,
  onChoose,
}: {
  entries: readonly Waiting[]
  chosen: Waiting | undefined
  onChoose: (entry: Waiting) => void
}) {
  const list = useRef<HTMLOListElement>(null)
  const at = chosen ? entries.indexOf(chosen) : -1
  // Scrolls only the list, so that the page stays where the reader is.
  useLayoutEffect(() => {
    const [frame, row] = [list.current, list.current?.children[at] as HTMLElement | undefined]
    if (!frame || !row) return
    const [outer, inner] = [frame.getBoundingClientRect(), row.getBoundingClientRect()]
    if (inner.top < outer.top || inner.bottom > outer.bottom) frame.scrollTop += inner.top - outer.top
    if (inner.left < outer.left || inner.right > outer.right) frame.scrollLeft += inner.left - outer.left
  }, [at])
  return (
    <nav class="queue" aria-label="To review">
      <ol ref={list}>
        {entries.map(one => (
          <li key={`${one.item_type}:${one.item_id}@${one.space}`}>
            <button
              type="button"
              aria-current={one === chosen ? 'true' : undefined}
              onClick={() => onChoose(one)}
            >
              <Trust status={one.status} />
              <span class="queue-id">
                <Foreign text={one.item_id} />
              </span>
              <Type type={one.item_type} />
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}
