// Makes the answer for an agent, whose context is small: what a call needs, within a size. Ids, types and
// scores are always whole. The remaining room goes to texts by their usefulness: first enough of the
// parameters and description of each result to choose one; then, for the best results only, all parameters,
// whole descriptions and a preview. An agent that takes another one asks for its summary.
import type { BriefVerdict, FullResult, SearchAnswer, SearchResult } from './answer.ts'
import { cutAtWord } from './cut-at-word.ts'

type Text = 'description' | 'parameters' | 'preview'

/**
 * Bytes of an answer as JSON: with nothing found, with one result, and for each further one. The goals are
 * 400, 450, and 3500 for ten; the difference leaves room for a surface to say that development mode is on.
 */
const EMPTY_BYTES = 380
const ONE_BYTES = 432
const NEXT_BYTES = 338
/** The caller knows its question, so it is cut. In characters, and in bytes with the quotes. */
const MAX_QUERY = 32
const MAX_QUERY_BYTES = 36
const MIN_QUERY_BYTES = 12
const MAX_REASON = 60
/** Bytes per result that are kept for descriptions, before titles and reasons get any. */
const RESERVED = 40
/** Bytes that a warning always gets. */
const MIN_WARNING = 90
/** A text cut shorter than this is not worth its room. */
const MIN_TEXT = 24
const MIN_LENGTH: Readonly<Record<Text, number>> = { description: MIN_TEXT, parameters: 4, preview: 60 }

/** How many results are described in full. */
const BEST = 3

/** How many characters of a text a round allows: for the best results, and for the others. */
type Round = readonly [name: Text, ofBest: number, ofOthers: number]

const CHOOSING: readonly Round[] = [
  ['parameters', 60, 40],
  ['description', 60, 48],
]
const KNOWING: readonly Round[] = [
  ['parameters', 240, 0],
  ['description', 120, 0],
  ['preview', 160, 0],
]

export function briefAnswer(
  answer: Omit<SearchAnswer, 'results'>,
  results: readonly FullResult[],
): SearchAnswer {
  const most = results.length === 0 ? EMPTY_BYTES : ONE_BYTES + NEXT_BYTES * (results.length - 1)
  const { hint, warning, query, ...others } = answer
  const withQuery = (bytes: number) => ({ ...others, query: cutQuery(query, bytes) })
  const roomBeside = (rest: object) => most - bytesOf({ results: [], ...rest })
  const all = roomBeside(withQuery(MAX_QUERY_BYTES))
  const warns = warning ? MIN_WARNING : 0
  const reserved = results.length * RESERVED + warns + (hint ? bytesOf({ hint }) : 0)
  const { results: bare, bytes } = trim(results.map(withoutTexts), all - reserved)
  const over = Math.max(0, bytes + warns - all)
  const rest = withQuery(Math.max(MIN_QUERY_BYTES, MAX_QUERY_BYTES - over))
  let room = roomBeside(rest) - bytes
  const warned = warning && cutToBytes(warning, Math.max(room, MIN_WARNING) - bytesOf(',"warning":'))
  if (warned) room -= bytesOf({ warning: warned }) - 1
  const texts = results.map((): Record<Text, string> => ({ description: '', parameters: '', preview: '' }))
  const give = ([name, ofBest, ofOthers]: Round, shares: boolean) => {
    results.forEach((result, at) => {
      const had = texts[at]![name]
      // Room that later results need is not given to the first ones.
      const share = shares ? Math.max(room, 0) / (results.length - at) : room
      // Parameters say what a tool does at least as well as a preview.
      if (name === 'preview' && result.parameters) return
      const length = at < BEST ? ofBest : ofOthers
      const text = fitText(result[name] ?? '', name, { length, room: share + textBytes(name, had) })
      if (text.length <= had.length) return
      room -= textBytes(name, text) - textBytes(name, had)
      texts[at]![name] = text
    })
  }
  // The hint comes before the texts: what to do next is worth more than details of hits that do not fit.
  const fitting = hint && cutToBytes(hint, room - ',"hint":'.length)
  if (fitting) room -= bytesOf({ hint: fitting }) - 1
  for (const round of CHOOSING) give(round, true)
  for (const round of KNOWING) give(round, false)
  return {
    ...{ results: bare.map((result, at) => withTexts(result, texts[at]!)), ...rest },
    ...(warned && { warning: warned }),
    ...(fitting && { hint: fitting }),
  }
}

/** Members in their documented order; texts that are always present are empty. */
function withoutTexts(result: FullResult): SearchResult {
  const { id, name, title, category, score, type, source, trust, shadows, shadowed_by, partial } = result
  const { package: bundle, copies } = result
  return {
    ...{ id, name, description: '', category, score, type, source, preview: '' },
    ...(isOtherName(title, name) && { title: cutAtWord(title, MAX_REASON) }),
    ...((trust.status !== 'verified' || trust.rolled_back_from) && { trust: briefVerdict(trust) }),
    ...(shadows && { shadows }),
    ...(shadowed_by && { shadowed_by }),
    ...(partial && { partial }),
    ...(copies && { copies }),
    ...(bundle && { package: bundle }),
  }
}

function withTexts(result: SearchResult, { description, parameters, preview }: Record<Text, string>) {
  const { id, name, category, score, type, source, preview: _, description: __, ...rest } = result
  return {
    ...{ id, name, description, category, score, type, source, preview },
    ...(parameters && { parameters }),
    ...rest,
  }
}

/** What is dropped if even that is too much, in this order and from the last result first. */
const TRIMS: readonly ((result: SearchResult) => SearchResult)[] = [
  ({ title: _, ...rest }) => rest,
  result => withTrust(result, ({ reason: _, ...rest }) => rest),
  result => withTrust(result, ({ signer: _, ...rest }) => rest),
  result =>
    withTrust(result, ({ rolled_back_from: from, ...rest }) => ({
      ...rest,
      ...(from && { rolled_back_from: { timestamp: from.timestamp } }),
    })),
]

interface Trimmed {
  readonly results: readonly SearchResult[]
  /** The size of all results as JSON, with the commas between them. */
  readonly bytes: number
}

function trim(results: readonly SearchResult[], most: number): Trimmed {
  const kept = [...results]
  const sizes = kept.map(bytesOf)
  let bytes = sizes.reduce((sum, size) => sum + size, Math.max(0, kept.length - 1))
  for (const shorten of TRIMS) {
    for (let at = kept.length - 1; at >= 0 && bytes > most; at--) {
      const short = shorten(kept[at]!)
      const size = bytesOf(short)
      bytes -= sizes[at]! - size
      sizes[at] = size
      kept[at] = short
    }
  }
  return { results: kept, bytes }
}

function withTrust(result: SearchResult, shorten: (trust: BriefVerdict) => BriefVerdict): SearchResult {
  // The verdict of a brief result is a brief one.
  return result.trust ? { ...result, trust: shorten(result.trust as BriefVerdict) } : result
}

/** A title that differs only in case, spaces or punctuation says no more than the name. */
function isOtherName(title: string, name: string): boolean {
  if (title === name) return false
  const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return letters(title) !== letters(name)
}

function briefVerdict({ status, signer, reason, rolled_back_from }: FullResult['trust']): BriefVerdict {
  return {
    status,
    ...(signer !== null && { signer }),
    ...(reason !== undefined && { reason: cutAtWord(reason, MAX_REASON) }),
    ...(rolled_back_from && { rolled_back_from }),
  }
}

interface Bounds {
  readonly length: number
  /** In bytes, with what the member itself costs. */
  readonly room: number
}

function fitText(text: string, name: Text, { length, room }: Bounds): string {
  const cut = name === 'parameters' ? cutParameters : cutAtWord
  for (let most = Math.min(length, text.length); most > 0; most = Math.floor(most * 0.9)) {
    const piece = cut(text, most)
    if (textBytes(name, piece) > room) continue
    return piece.length < MIN_LENGTH[name] && piece.length < text.length ? '' : piece
  }
  return ''
}

/** Cuts after a parameter, or after the name of the first: without any, the tool would seem to take none. */
function cutParameters(line: string, most: number): string {
  if (line.length <= most) return line
  for (let end = line.lastIndexOf(', ', most - 3); end > 0; end = line.lastIndexOf(', ', end - 1)) {
    const whole = line.slice(0, end)
    if (!whole.replaceAll(QUOTED, '').includes('"')) return `${whole}, …`
  }
  const named = `${line.slice(0, line.indexOf(': '))}: …`
  return named.length <= most ? named : ''
}

/** A quoted default or choice, which may hold a comma. */
const QUOTED = /"(?:[^"\\]|\\.)*"/g

/** The bytes that a text adds to the answer. Empty texts are there already, except parameters. */
function textBytes(name: Text, text: string): number {
  if (name !== 'parameters') return bytesOf(text) - 2
  return text === '' ? 0 : bytesOf({ parameters: text }) - 1
}

function cutQuery(query: string, bytes: number): string {
  let cut = cutAtWord(query, MAX_QUERY)
  for (let most = MAX_QUERY; bytesOf(cut) > bytes; most--) cut = cutAtWord(query, most)
  return cut
}

function cutToBytes(text: string, most: number): string {
  for (let length = Math.min(text.length, most); length >= MIN_TEXT; length = Math.floor(length * 0.9)) {
    const cut = cutAtWord(text, length)
    if (bytesOf(cut) <= most) return cut
  }
  return ''
}

/** Characters that are one byte each in JSON. */
const PLAIN = /^[ !#-[\]-~]*$/

function bytesOf(value: unknown): number {
  if (typeof value === 'string' && PLAIN.test(value)) return value.length + 2
  return Buffer.byteLength(JSON.stringify(value))
}
