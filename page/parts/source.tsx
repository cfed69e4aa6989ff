// Source text with line numbers, coloured, and with nothing hidden in it.
import { useState } from 'preact/hooks'
import { highlight, splitPieces } from '../text/highlight.ts'
import { shortenSignature } from '../text/signature.ts'
import { Foreign } from './basics.tsx'
import { Scroller } from './scroller.tsx'

const FIRST_LINES = 1500

export function Source({ text, language, label }: { text: string; language: string; label: string }) {
  const [isWhole, setWhole] = useState(false)
  const lines = splitPieces(highlight(shortenSignature(text), language))
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
          Show {lines.length - shown.length} more lines
        </button>
      )}
    </div>
  )
}
