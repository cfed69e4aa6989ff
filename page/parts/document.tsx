// Renders the Markdown of an item as elements. Text stays text: see `text/markdown.ts`.
import { useMemo } from 'preact/hooks'
import { type Block, bodyOf, readMarkdown, type Span } from '../text/markdown.ts'
import { Foreign } from './basics.tsx'
import { Scroller } from './scroller.tsx'
import { Source } from './source.tsx'

const MOST_ROWS = 100
const MOST_COLUMNS = 50
/** Longer prose belongs in an editor. */
const LONGEST = 250_000

export function Document({ text }: { text: string }) {
  const body = useMemo(() => bodyOf(text), [text])
  const blocks = useMemo(() => readMarkdown(body.slice(0, LONGEST)), [body])
  return (
    <div class="document">
      {blocks.map(renderBlock)}
      {body.length > LONGEST && (
        <p class="notice">{body.length - LONGEST} more characters are in the source.</p>
      )}
    </div>
  )
}

function renderBlock(block: Block, key: number) {
  switch (block.kind) {
    case 'heading': {
      // One level down, since the page has a first heading of its own.
      const Tag = `h${Math.min(block.level + 1, 6)}` as 'h2'
      return <Tag key={key}>{block.spans.map(renderSpan)}</Tag>
    }
    case 'paragraph':
      return <p key={key}>{block.spans.map(renderSpan)}</p>
    case 'code':
      return <Source key={key} text={block.text} language={block.language} label={`code ${block.language}`} />
    case 'quote':
      return <blockquote key={key}>{block.blocks.map(renderBlock)}</blockquote>
    case 'list': {
      const items = block.items.map((item, index) => <li key={index}>{item.map(renderBlock)}</li>)
      return block.ordered ? <ol key={key}>{items}</ol> : <ul key={key}>{items}</ul>
    }
    case 'rule':
      return <hr key={key} />
    case 'table':
      return <TableBlock key={key} table={block} />
  }
}

function TableBlock({ table }: { table: Extract<Block, { kind: 'table' }> }) {
  const head = table.head.slice(0, MOST_COLUMNS)
  const more = table.rows.length - MOST_ROWS
  const wider = table.head.length - MOST_COLUMNS
  return (
    <Scroller class="table-frame" label="table">
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index} scope="col">
                {cell.map(renderSpan)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.slice(0, MOST_ROWS).map((row, index) => (
            <tr key={index}>
              {row.slice(0, head.length).map((cell, at) => (
                <td key={at}>{cell.map(renderSpan)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p class="faint">{more} more rows are in the source.</p>}
      {wider > 0 && <p class="faint">{wider} more columns are in the source.</p>}
    </Scroller>
  )
}

function renderSpan(span: Span, key: number) {
  switch (span.kind) {
    case 'text':
      return <Foreign key={key} text={span.text} />
    case 'code':
      return (
        <code key={key}>
          <Foreign text={span.text} />
        </code>
      )
    case 'tag':
      return (
        <span key={key} class="tag-text">
          <Foreign text={span.text} />
        </span>
      )
    case 'strong':
      return <strong key={key}>{span.spans.map(renderSpan)}</strong>
    case 'emphasis':
      return <em key={key}>{span.spans.map(renderSpan)}</em>
    case 'link':
      return (
        <a key={key} href={span.address} target="_blank" rel="noreferrer noopener" title={span.address}>
          {span.spans.map(renderSpan)}
        </a>
      )
    case 'mention':
      return (
        <span key={key} class="mention" title={span.address}>
          {span.spans.map(renderSpan)}
        </span>
      )
  }
}
