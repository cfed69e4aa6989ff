// Markdown as data: blocks and spans that a component turns into elements. Nothing in it becomes markup: tags
// are text, pictures become their description, and a link leads to the web or nowhere. Every pattern is
// linear in the length of its line.

import { removeSignature } from './signature.ts'

export type Span =
  | { readonly kind: 'text' | 'code' | 'tag'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly spans: readonly Span[] }
  | { readonly kind: 'link'; readonly spans: readonly Span[]; readonly address: string }
  /** A link that cannot be followed: to a file, a script, or anything else that is not the web. */
  | { readonly kind: 'mention'; readonly spans: readonly Span[]; readonly address: string }

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly spans: readonly Span[] }
  | { readonly kind: 'paragraph'; readonly spans: readonly Span[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Block[])[] }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'table'; readonly head: Row; readonly rows: readonly Row[] }
  | { readonly kind: 'rule' }

type Row = readonly (readonly Span[])[]

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+-]*)/
const HEADING = /^ {0,3}(#{1,6})(?:\s+(.*))?$/
const RULE = /^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/
const ITEM = /^( {0,12})([-*+]|\d{1,9}[.)])\s+(.*)$/
const QUOTE = /^ {0,3}> ?(.*)$/
const TABLE_LINE = /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*\|?\s*$/
/** The steps of a directive are XML, whatever Markdown marks they contain. */
const STEPS = /^<process[\s>]/
/** Deeper lists and quotes are read as plain text. */
const DEEPEST = 8

export function readMarkdown(text: string): Block[] {
  return readBlocks(text.replaceAll('\r\n', '\n').split('\n'), 0)
}

/** Removes the start that only machines read: the signature line and the front matter. */
export function bodyOf(text: string): string {
  const unsigned = removeSignature(text.trimStart()).trimStart()
  if (!/^---[ \t]*\r?\n/.test(unsigned)) return unsigned
  // Same rule as the parser's: a line that merely starts like the end marker belongs to the front matter. So
  // only what the parser takes for front matter is left out.
  const end = /\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(unsigned)
  return end ? unsigned.slice(end.index + end[0].length) : unsigned
}

function readBlocks(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at]!
    if (line.trim() === '') {
      at += 1
      continue
    }
    const [block, next] = readBlock(lines, at, depth)
    blocks.push(block)
    at = next
  }
  return blocks
}

function readBlock(lines: readonly string[], at: number, depth: number): [Block, number] {
  const line = lines[at]!
  const fence = FENCE.exec(line)
  if (fence) return readFence(lines, at, fence)
  const heading = HEADING.exec(line)
  if (heading) {
    const title = (heading[2] ?? '').replace(/\s#+\s*$/, '')
    return [{ kind: 'heading', level: heading[1]!.length, spans: readSpans(title) }, at + 1]
  }
  const steps = STEPS.test(line) ? lines.indexOf('</process>', at) : -1
  if (steps !== -1)
    return [{ kind: 'code', language: 'xml', text: lines.slice(at, steps + 1).join('\n') }, steps + 1]
  if (RULE.test(line)) return [{ kind: 'rule' }, at + 1]
  if (line.includes('|') && TABLE_LINE.test(lines[at + 1] ?? '')) return readTable(lines, at)
  if (depth < DEEPEST) {
    if (QUOTE.test(line)) return readQuote(lines, at, depth)
    if (ITEM.test(line)) return readList(lines, at, depth)
  }
  return readParagraph(lines, at)
}

function readFence(
  lines: readonly string[],
  at: number,
  [, marks, language]: RegExpExecArray,
): [Block, number] {
  const close = new RegExp(`^ {0,3}${marks![0]}{${Math.min(marks!.length, 100)},}\\s*$`)
  let end = at + 1
  while (end < lines.length && !close.test(lines[end]!)) end += 1
  return [{ kind: 'code', language: language ?? '', text: lines.slice(at + 1, end).join('\n') }, end + 1]
}

function readTable(lines: readonly string[], at: number): [Block, number] {
  let end = at + 2
  while (end < lines.length && lines[end]!.includes('|') && lines[end]!.trim() !== '') end += 1
  const cells = (line: string): Row =>
    line
      .trim()
      .replace(/^\|/, '')
      .replace(/\|$/, '')
      .split('|')
      .map(cell => readSpans(cell.trim()))
  return [{ kind: 'table', head: cells(lines[at]!), rows: lines.slice(at + 2, end).map(cells) }, end]
}

function readQuote(lines: readonly string[], at: number, depth: number): [Block, number] {
  const quoted: string[] = []
  let end = at
  for (let found = QUOTE.exec(lines[end]!); found; found = QUOTE.exec(lines[end] ?? '')) {
    quoted.push(found[1]!)
    end += 1
  }
  return [{ kind: 'quote', blocks: readBlocks(quoted, depth + 1) }, end]
}

function readList(lines: readonly string[], at: number, depth: number): [Block, number] {
  const [, indent, mark] = ITEM.exec(lines[at]!)!
  const ordered = /\d/.test(mark!)
  const items: string[][] = []
  let end = at
  while (end < lines.length) {
    const line = lines[end]!
    const found = ITEM.exec(line)
    const isItem = found && found[1]!.length <= indent!.length + 1 && /\d/.test(found[2]!) === ordered
    const isInside = line.trim() === '' ? isIndented(lines[end + 1], indent!) : isIndented(line, indent!)
    if (isItem) items.push([found[3]!])
    else if (isInside) items.at(-1)!.push(line.slice(Math.min(indent!.length + 2, leading(line))))
    else if (
      line.trim() === '' &&
      ITEM.test(lines[end + 1] ?? '') &&
      leading(lines[end + 1]!) <= indent!.length + 1
    ) {
      end += 1
      continue
    } else break
    end += 1
  }
  return [{ kind: 'list', ordered, items: items.map(item => readBlocks(item, depth + 1)) }, end]
}

function isIndented(line: string | undefined, indent: string): boolean {
  return line !== undefined && line.trim() !== '' && leading(line) > indent.length + 1
}

function leading(line: string): number {
  return line.length - line.trimStart().length
}

function readParagraph(lines: readonly string[], at: number): [Block, number] {
  let end = at + 1
  while (end < lines.length && lines[end]!.trim() !== '' && !startsBlock(lines[end]!)) end += 1
  return [{ kind: 'paragraph', spans: readSpans(lines.slice(at, end).join('\n')) }, end]
}

function startsBlock(line: string): boolean {
  return FENCE.test(line) || HEADING.test(line) || QUOTE.test(line) || ITEM.test(line) || RULE.test(line)
}

/** How far the end of a span is searched for. */
const LONGEST_SPAN = 2000
const WEB = /^(?:https?:\/\/|mailto:)[^\s\u0000-\u001f]+$/i

export function readSpans(text: string, depth = 0): Span[] {
  const spans: Span[] = []
  let plain = ''
  const flush = () => {
    if (plain !== '') spans.push({ kind: 'text', text: plain })
    plain = ''
  }
  let at = 0
  while (at < text.length) {
    const found = depth > DEEPEST ? undefined : readSpan(text, at, depth)
    if (found) {
      flush()
      spans.push(found.span)
      at = found.end
    } else {
      // A backslash makes the mark after it plain text.
      if (text[at] === '\\' && /[\\`*_{}[\]()#+.!|<>-]/.test(text[at + 1] ?? '')) at += 1
      plain += text[at]
      at += 1
    }
  }
  flush()
  return spans
}

interface Found {
  readonly span: Span
  readonly end: number
}

function readSpan(text: string, at: number, depth: number): Found | undefined {
  switch (text[at]) {
    case '`':
      return readCode(text, at)
    case '*':
    case '_':
      return readEmphasis(text, at, depth)
    case '!':
      return text[at + 1] === '[' ? readLink(text, at + 1, depth, true) : undefined
    case '[':
      return readLink(text, at, depth, false)
    case '<':
      return readTag(text, at)
    default:
      return undefined
  }
}

function readCode(text: string, at: number): Found | undefined {
  let marks = 0
  while (text[at + marks] === '`') marks += 1
  const mark = '`'.repeat(marks)
  const end = text.slice(0, at + LONGEST_SPAN).indexOf(mark, at + marks)
  if (end === -1) return undefined
  return { span: { kind: 'code', text: text.slice(at + marks, end).trim() }, end: end + marks }
}

function readEmphasis(text: string, at: number, depth: number): Found | undefined {
  const mark = text[at]!
  const isStrong = text[at + 1] === mark
  const marks = isStrong ? mark + mark : mark
  const isWordBefore = /\w/.test(text[at - 1] ?? '')
  if ((mark === '_' && isWordBefore) || /\s/.test(text[at + marks.length] ?? ' ')) return undefined
  const end = text.slice(0, at + LONGEST_SPAN).indexOf(marks, at + marks.length + 1)
  if (end === -1 || /\s/.test(text[end - 1]!)) return undefined
  if (mark === '_' && /\w/.test(text[end + marks.length] ?? '')) return undefined
  const spans = readSpans(text.slice(at + marks.length, end), depth + 1)
  return { span: { kind: isStrong ? 'strong' : 'emphasis', spans }, end: end + marks.length }
}

/** A picture becomes its description: nothing is loaded. */
function readLink(text: string, at: number, depth: number, isPicture: boolean): Found | undefined {
  const window = text.slice(0, at + LONGEST_SPAN)
  const middle = window.indexOf('](', at)
  const end = middle === -1 ? -1 : endOfAddress(window, middle + 2)
  if (end === -1 || window.slice(at + 1, middle).includes('\n\n')) return undefined
  const label = text.slice(at + 1, middle)
  if (label.includes('[') && !isPicture) return undefined
  const address =
    text
      .slice(middle + 2, end)
      .trim()
      .split(/\s/, 1)[0] ?? ''
  const spans = readSpans(isPicture ? `picture: ${label}` : label, depth + 1)
  const kind = !isPicture && WEB.test(address) ? 'link' : 'mention'
  return { span: { kind, spans, address }, end: end + 1 }
}

const DEEPEST_PAIR = 32

/** An address may contain parentheses, in pairs. */
function endOfAddress(text: string, at: number): number {
  let open = 0
  for (let index = at; index < text.length; index++) {
    if (text[index] === '(') open += 1
    if (text[index] === ')') open -= 1
    if (open < 0) return index
    if (open > DEEPEST_PAIR) return -1
  }
  return -1
}

/** `<https://...>` is a link; a tag or a comment is shown as written. */
function readTag(text: string, at: number): Found | undefined {
  const isComment = text.startsWith('<!--', at)
  const window = text.slice(0, at + LONGEST_SPAN)
  const close = isComment ? '-->' : '>'
  const end = window.indexOf(close, at)
  if (end === -1) return undefined
  const inside = text.slice(at + 1, end)
  const stop = end + close.length
  if (WEB.test(inside))
    return { span: { kind: 'link', spans: [{ kind: 'text', text: inside }], address: inside }, end: stop }
  if (!isComment && !/^\/?[A-Za-z][^<]*$/.test(inside)) return undefined
  return { span: { kind: 'tag', text: text.slice(at, stop) }, end: stop }
}
