// The readable text of an HTML page: blocks on lines of their own, headings and lists marked, links with their targets.
// One pass over the text and no nesting: a hostile page costs what a plain one of its length costs.
import { readEntities } from './_entities.ts'

export interface ReadPage {
  readonly title: string
  readonly text: string
}

export function readHtml(html: string, url: string): ReadPage {
  const page = new Page(url)
  for (const token of eachToken(html)) {
    if (token.kind === 'text') page.addText(readEntities(token.value))
    else if (token.kind === 'open') page.open(token.value, token.source)
    else page.close(token.value)
  }
  return { title: page.title(), text: page.text() }
}

interface Token {
  readonly kind: 'text' | 'open' | 'close'
  readonly value: string
  /** Of a tag, what stands between its name and its end. */
  readonly source: string
}

const TAG = /<([/!?]?)([A-Za-z][A-Za-z0-9-]{0,40})/y
const RAW = new Set(['script', 'style'])

function* eachToken(text: string): Generator<Token> {
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('<', at)
    const start = found === -1 ? text.length : found
    if (start > at) yield { kind: 'text', value: text.slice(at, start), source: '' }
    at = start
    if (start === text.length) return
    if (text.startsWith('<!--', start)) {
      at = endOf(text, '-->', start + 4)
      continue
    }
    TAG.lastIndex = start
    const [whole, mark, name] = TAG.exec(text) ?? []
    if (whole === undefined) {
      yield { kind: 'text', value: '<', source: '' }
      at = start + 1
      continue
    }
    const inside = start + whole.length
    at = endOf(text, '>', inside)
    const tag = name!.toLowerCase()
    yield { kind: mark === '/' ? 'close' : 'open', value: tag, source: text.slice(inside, at - 1) }
    if (mark === '' && RAW.has(tag)) at = endOfRaw(text, tag, at)
  }
}

/** The place after the mark; the end of the text when it does not come. */
function endOf(text: string, mark: string, start: number): number {
  const found = text.indexOf(mark, start)
  return found === -1 ? text.length : found + mark.length
}

/** The place of the end tag of a script or style; case does not matter. */
function endOfRaw(text: string, name: string, start: number): number {
  const end = new RegExp(`</${name}`, 'gi')
  end.lastIndex = start
  return end.exec(text)?.index ?? text.length
}

const SILENT = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head', 'iframe', 'object'])
const BLOCKS = new Set(
  (
    'p div section article header footer main nav aside ul ol table tr blockquote form figure figcaption ' +
    'dl dt dd hr br address details summary pre h1 h2 h3 h4 h5 h6'
  ).split(' '),
)
const LINK = /\bhref\s{0,20}=\s{0,20}(?:"([^"]{0,4000})"|'([^']{0,4000})'|([^\s"'>]{1,4000}))/i
const MOST_ATTRIBUTES = 8000

class Page {
  readonly #url: string
  readonly #title: string[] = []
  readonly #pieces: string[] = ['\n']
  readonly #links: string[] = []
  #silent = ''
  #inTitle = false
  #preformatted = 0

  constructor(url: string) {
    this.#url = url
  }

  open(tag: string, source: string): void {
    if (tag === 'title') this.#inTitle = true
    else if (tag === 'body') this.#silent = ''
    else if (SILENT.has(tag)) this.#silent ||= source.endsWith('/') ? '' : tag
    else if (tag === 'a') this.#links.push(targetOf(source))
    else if (tag === 'td' || tag === 'th') this.#add(this.#isAtLineStart() ? '' : ' | ')
    else {
      if (tag === 'pre') this.#preformatted += 1
      this.#add(markOf(tag))
    }
  }

  close(tag: string): void {
    if (tag === 'title') this.#inTitle = false
    else if (tag === this.#silent) this.#silent = ''
    else if (tag === 'a') {
      const target = this.#links.pop()
      if (target) this.#add(` (${joinUrl(this.#url, target)})`)
    } else if (BLOCKS.has(tag)) {
      if (tag === 'pre') this.#preformatted = Math.max(0, this.#preformatted - 1)
      this.#add('\n')
    }
  }

  addText(text: string): void {
    if (this.#inTitle) this.#title.push(text)
    else if (this.#preformatted > 0) this.#add(text)
    else {
      const words = text.trim().replaceAll(/\s+/g, ' ')
      const last = this.#pieces.at(-1)!
      const before = /^\s/.test(text) && !last.endsWith(' ') && !last.endsWith('\n') ? ' ' : ''
      const after = /\s$/.test(text) && words !== '' ? ' ' : ''
      this.#add(before + words + after)
    }
  }

  title(): string {
    return this.#title.join('').trim().replaceAll(/\s+/g, ' ')
  }

  /** Without what is blank, but for one line between two. */
  text(): string {
    const lines = this.#pieces
      .join('')
      .split('\n')
      .map(line => line.trimEnd())
    const kept = lines.filter((line, at) => (line !== '' && line !== '-') || (lines[at - 1] ?? '') !== '')
    return kept.join('\n').trim()
  }

  #add(piece: string): void {
    if (piece !== '' && this.#silent === '') this.#pieces.push(piece)
  }

  #isAtLineStart(): boolean {
    return this.#pieces.at(-1)!.endsWith('\n')
  }
}

function markOf(tag: string): string {
  if (tag === 'li') return '\n- '
  const level = /^h([1-6])$/.exec(tag)?.[1]
  if (level !== undefined) return `\n\n${'#'.repeat(Number(level))} `
  return BLOCKS.has(tag) ? '\n' : ''
}

function targetOf(source: string): string {
  const [, ...values] = LINK.exec(source.slice(0, MOST_ATTRIBUTES)) ?? []
  const target = readEntities(values.find(value => value) ?? '')
  return target.startsWith('#') || target.startsWith('javascript:') ? '' : target
}

/** The whole address of a link, or the link as it stands when it is none. */
function joinUrl(base: string, target: string): string {
  return URL.canParse(target, base) ? new URL(target, base).href : target
}
