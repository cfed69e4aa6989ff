// Removes parts of a text, in one pass however many they are.

export interface Span {
  readonly start: number
  readonly end: number
}

const LINE_END = /[ \t]*[,;]?[ \t]*(?:\/\/[^\n]*)?(?:\n|$)/y

/**
 * A line with nothing else on it is removed with its line end and a comment after it. Of parts that overlap
 * the first counts.
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
