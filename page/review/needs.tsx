// The permissions of an item, as a table.
import type { ShowAnswer } from 'ryekit'
import { Foreign } from '../parts/basics.tsx'
import { Scroller } from '../parts/scroller.tsx'
import { compareNeeds, isHelper, type NeedRow } from './compare-needs.ts'
import { lastRead } from './last-read.ts'

/** What the item may do, beside what it could do when it was signed. Unchanged rows are folded away. */
export function Needs({ item }: { item: ShowAnswer }) {
  const { content, metadata } = item
  const rows = compareNeeds(lastRead(item), {
    ...(content?.needs && { needs: content.needs }),
    metadata,
  })
  if (rows.length === 0 || isHelper(item.item_id)) return null
  const isCompared = rows.some(row => row.before !== undefined)
  const changed = rows.filter(row => row.isChanged)
  const same = isCompared ? rows.filter(row => !row.isChanged) : []
  return (
    <section class="card needs">
      <h2>
        What it may do{' '}
        {isCompared && (
          <span class={changed.length > 0 ? 'warn' : 'faint'}>
            {changed.length === 0 ? 'as when it was signed' : `${changed.length} changed`}
          </span>
        )}
      </h2>
      {isCompared ? (
        changed.length > 0 && <NeedsTable rows={changed} isCompared />
      ) : (
        <NeedsTable rows={rows} isCompared={false} />
      )}
      {same.length > 0 && (
        <details>
          <summary>What is the same</summary>
          <NeedsTable rows={same} isCompared={false} />
        </details>
      )}
    </section>
  )
}

function NeedsTable({ rows, isCompared }: { rows: readonly NeedRow[]; isCompared: boolean }) {
  const cell = isCompared ? 'needs-cell needs-changed' : 'needs-cell'
  return (
    <Scroller class="table-frame" label="Permissions">
      <table class="needs-table">
        <thead>
          <tr>
            <th scope="col">kind</th>
            {isCompared && <th scope="col">signed</th>}
            <th scope="col">now</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, before, now }) => (
            <tr key={name}>
              <th scope="row" class={cell}>
                {name}
              </th>
              {isCompared && (
                <td class={cell}>
                  <Foreign text={before ?? ''} />
                </td>
              )}
              <td class={cell}>
                <Foreign text={now} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}
