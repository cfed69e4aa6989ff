// Two texts side by side; on narrow screens one below the other.
import { useMemo, useState } from 'preact/hooks'
import { compareLines, compareTexts, type DiffRow, foldSame, type Line } from '../text/compare.ts'
import { shortenSignature } from '../text/signature.ts'
import { Foreign } from './basics.tsx'
import { Scroller } from './scroller.tsx'

export interface Side {
  readonly title: string
  readonly text: string
}

const FIRST_ROWS = 2000

export function Diff({ left, right }: { left: Side; right: Side }) {
  const [isWhole, setWhole] = useState(false)
  const rows = useMemo(
    () => compareTexts(shortenSignature(left.text), shortenSignature(right.text)),
    [left.text, right.text],
  )
  const changes = rows.filter(row => row.kind !== 'same').length
  if (changes === 0)
    return (
      <p class="faint">
        No difference between {left.title} and {right.title}.
      </p>
    )
  return (
    <Scroller
      class="diff"
      label={`${left.title} compared with ${right.title}: ${changes === 1 ? '1 line differs' : `${changes} lines differ`}`}
    >
      <div class="diff-head">
        <span>{left.title}</span>
        <span>{right.title}</span>
      </div>
      {foldSame(isWhole ? rows : rows.slice(0, FIRST_ROWS)).map((part, index) =>
        'skipped' in part ? (
          <Fold key={index} rows={part.skipped} />
        ) : (
          part.map((row, at) => <Row key={`${index}-${at}`} row={row} />)
        ),
      )}
      {!isWhole && rows.length > FIRST_ROWS && (
        <button type="button" class="diff-fold" onClick={() => setWhole(true)}>
          Show {rows.length - FIRST_ROWS} more lines
        </button>
      )}
    </Scroller>
  )
}

function Fold({ rows }: { rows: readonly DiffRow[] }) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen)
    return (
      <>
        {rows.map((row, at) => (
          <Row key={at} row={row} />
        ))}
      </>
    )
  return (
    <button type="button" class="diff-fold" onClick={() => setOpen(true)}>
      {rows.length === 1 ? '1 line that is' : `${rows.length} lines that are`} the same
    </button>
  )
}

function Row({ row }: { row: DiffRow }) {
  const { kind, left, right } = row
  const parts = kind === 'changed' ? compareLines(left!.text, right!.text) : undefined
  return (
    <div class={`diff-row diff-${kind}`}>
      <Cell
        line={left}
        side="left"
        mark={kind === 'same' ? '' : '−'}
        from={parts?.start}
        to={parts?.leftEnd}
      />
      <Cell
        line={right}
        side="right"
        mark={kind === 'same' ? '' : '+'}
        from={parts?.start}
        to={parts?.rightEnd}
      />
    </div>
  )
}

function Cell({
  line,
  side,
  mark,
  from,
  to,
}: {
  line: Line | undefined
  side: string
  mark: string
  from: number | undefined
  to: number | undefined
}) {
  if (!line) return <span class={`diff-cell diff-${side} diff-none`} />
  const { text } = line
  return (
    <span class={`diff-cell diff-${side}`}>
      <span class="diff-number">{line.number}</span>
      <span class="diff-mark">{mark}</span>
      <code>
        {from === undefined || to === undefined ? (
          <Foreign text={text} />
        ) : (
          <>
            <Foreign text={text.slice(0, from)} />
            <mark>
              <Foreign text={text.slice(from, to)} />
            </mark>
            <Foreign text={text.slice(to)} />
          </>
        )}
      </code>
    </span>
  )
}
