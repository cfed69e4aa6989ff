// Where the front matter of a Markdown text is. A file may begin with a rule (`---`) that starts no front matter: there is
// some only if one of its lines is `key: value`, or all of it is `{key: value}`.

export interface MatterBlock {
  /** The opening line. */
  readonly start: number
  readonly yaml: { readonly start: number; readonly end: number }
  /** Where the body begins. */
  readonly end: number
  readonly isClosed: boolean
  /** Blank lines came before it. */
  readonly blankLines: boolean
}

const KEY = /^["']?[\w.-]{1,100}["']?[ \t]*:(?:[ \t]|$)/m

export function splitMatter(text: string, begin = 0): MatterBlock | undefined {
  const start = begin + /^\s*/.exec(text.slice(begin, begin + 1000))![0].length
  if (!isMark(text, start, '---')) return undefined
  const first = nextLine(text, start)
  const closing = findLine(text, first, line => isMark(text, line, '---') || isMark(text, line, '...'))
  const end = closing ?? endOfKeys(text, first)
  const content = text.slice(first, end)
  if (!KEY.test(content) && !(closing !== undefined && isFlow(content))) return undefined
  return {
    start,
    yaml: { start: first, end },
    end: closing === undefined ? end : nextLine(text, closing),
    isClosed: closing !== undefined,
    blankLines: start > begin,
  }
}

/** Whether all keys are in one mapping of flow style. */
function isFlow(content: string): boolean {
  const mapping = content.trim()
  return mapping.startsWith('{') && mapping.endsWith('}') && mapping.includes(':')
}

/** Whether a line is this mark and nothing else; blanks after it do not count. */
export function isMark(text: string, start: number, mark: string): boolean {
  return text.startsWith(mark, start) && text.slice(start, nextLine(text, start)).trimEnd() === mark
}

function nextLine(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end === -1 ? text.length : end + 1
}

function findLine(text: string, from: number, is: (line: number) => boolean): number | undefined {
  for (let line = from; line < text.length; line = nextLine(text, line)) if (is(line)) return line
  return undefined
}

/** Without a closing line: the first line that is neither blank, nor indented, nor a key, nor an element of a list. */
function endOfKeys(text: string, from: number): number {
  const isText = (line: number) => {
    const content = text.slice(line, nextLine(text, line)).trimEnd()
    return content !== '' && !/^[ \t]/.test(content) && !/^- /.test(content) && !KEY.test(content)
  }
  return findLine(text, from, isText) ?? text.length
}
