// Removes parts of a text, in one pass however many they are.

export interface Span {
  readonly start: number
  readonly end: number
}

const LINE_END = /[ \t]*[,;]?[ \t]*(?:\/\/[^\n]*)?(?:\n|$)/y

/**
 * When nothing else is on its lines, a span is removed together with the line end and a comment after it. Of
 * overlapping spans, only the first is removed.
 */
export function withoutSpans(text: string, spans: readonly Span[]): string {
  let kept = ''
  let at = 0
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue
    let from = start
    while (from > at && (text[from - 1] === ' ' || text[from - 1] === '\t')) from--
    LINE_END.lastIndex = end
    const isWhole = (from === 0 || text[from - 1] === '\n') && LINE_END.test(text)
    kept += text.slice(at, isWhole ? from : start)
    at = isWhole ? LINE_END.lastIndex : end
  }
  return kept + text.slice(at)
}
