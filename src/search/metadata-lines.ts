// Leaves the metadata of a tool out of its text: constants at the margin, in code or in comment lines, with all the lines that
// their values take. Nothing is parsed: brackets are counted outside of strings and comments, which is enough for literals.

/** `__version__ = `, `export const CONFIG_SCHEMA = `, `# CONFIG_SCHEMA = `. A shell variable (`CONFIG=x`) is none of them. */
const ASSIGNMENT =
  /^(?:(?:export\s+)?(?:const|let|var)\s+|(?:#|\/\/)\s?)?(?:__\w{1,40}__|CONFIG_SCHEMA|ENV_CONFIG|CONFIG_RESOLVE|CONFIG|tags|keywords)(?:\s*:[^={}]{1,200})?(?:\s*=\s|\s=|=$|=(?=[[{(]))(?!=)/
const COMMENT_MARK = /^\s*(?:#|\/\/) ?/
/** A value that goes on. */
const OPEN_END = /[=+\\]\s*$/
/** No value of an honest tool is longer; what follows is text again. */
const MOST_LINES = 1000

export function withoutMetadata(lines: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at < lines.length; at++) {
    if (ASSIGNMENT.test(lines[at]!.slice(0, 300))) at = lastLineOf(lines, at)
    else kept.push(lines[at]!)
  }
  return kept
}

/** The line on which the value that begins on line `first` ends. */
function lastLineOf(lines: readonly string[], first: number): number {
  const isComment = COMMENT_MARK.test(lines[first]!)
  let state: State = { depth: 0, quote: '' }
  for (let at = first; at < Math.min(lines.length, first + MOST_LINES); at++) {
    const line = lines[at]!
    // A value in comments ends with them, whatever is open.
    if (isComment && at > first && !COMMENT_MARK.test(line)) return at - 1
    state = readLine(isComment ? line.replace(COMMENT_MARK, '') : line, state)
    if (state.depth <= 0 && state.quote === '' && !OPEN_END.test(line)) return at
  }
  return first
}

interface State {
  readonly depth: number
  /** The mark that ends a string of several lines; empty outside of one. */
  readonly quote: string
}

function readLine(line: string, { depth, quote }: State): State {
  for (let at = 0; at < line.length; at++) {
    if (quote !== '') {
      if (line[at] === '\\') at++
      else if (line.startsWith(quote, at)) {
        at += quote.length - 1
        quote = ''
      }
      continue
    }
    const character = line[at]!
    if (character === '#' || line.startsWith('//', at)) break
    if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character)) depth--
    else if ('"\'`'.includes(character)) {
      quote = line.startsWith(character.repeat(3), at) ? character.repeat(3) : character
      at += quote.length - 1
    }
  }
  // Only these go on behind the end of a line.
  return { depth, quote: quote.length === 3 || quote === '`' ? quote : '' }
}
