// Source text with line numbers and colours, and with invisible characters shown.
import { useMemo, useState } from 'preact/hooks'
import { countOf } from '../text/count.ts'
import { escapeHidden, showHidden } from '../text/hidden.ts'
import { highlight, splitPieces } from '../text/highlight.ts'
import { shortenSignature } from '../text/signature.ts'
import { Foreign } from './basics.tsx'
import { Scroller } from './scroller.tsx'

const FIRST_LINES = 1500
const MOST_PARTS = 4000

export function Source({ text, language, label }: { text: string; language: string; label: string }) {
  const [isWhole, setWhole] = useState(false)
  const lines = useMemo(() => {
    const shortened = shortenSignature(text)
    // Too many invisible characters to mark each one: see `Foreign`.
    const isCrowded = showHidden(shortened).length > MOST_PARTS
    return splitPieces(highlight(isCrowded ? escapeHidden(shortened) : shortened, isCrowded ? '' : language))
  }, [text, language])
  const shown = isWhole ? lines : lines.slice(0, FIRST_LINES)
  return (
    <div class="source-frame">
      <Scroller class="source" label={label}>
        <pre>
          {shown.map((pieces, index) => (
            <code key={index} class="line">
              {pieces.map((piece, at) => (
                <span key={at} class={piece.kind === 'plain' ? undefined : `code-${piece.kind}`}>
                  <Foreign text={piece.text} />
                </span>
              ))}
              {'\n'}
            </code>
          ))}
        </pre>
      </Scroller>
      {shown.length < lines.length && (
        <button type="button" class="button" onClick={() => setWhole(true)}>
          Show {countOf(lines.length - shown.length, 'more line')}
        </button>
      )}
    </div>
  )
}
