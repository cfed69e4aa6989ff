// What a reviewer looks for in a text before trusting it: signs that something is fetched and run, or hidden
// from the reader. Each has the line where it was found. They are signs, not proof: an installer may be
// honest, and a clever attack shows none of them.
import { LineMap } from '../../base/index.ts'
import { findHiddenText } from '../../trust/index.ts'
import { findDownloads } from './downloads.ts'
import { FINDING_CODES, type FindingCode, SIGNS } from './signs.ts'

export interface Finding {
  readonly code: FindingCode
  readonly path: string
  readonly line: number
  /** What it is, and the shortened text of the place. */
  readonly message: string
}

/** Base64 of 150 bytes or more; a digest or a key is shorter. */
const ENCODED = /[A-Za-z0-9+/]{200,}={0,2}/g
const HEX = /(?:\\x[0-9a-f]{2}){40,}/gi
const MOST_SHOWN = 120

/** Worst first, then in the order of the lines. */
export function findSigns(path: string, text: string): Finding[] {
  const lines = new LineMap(text)
  const at = (code: FindingCode, offset: number, says: string, place: string): Finding => {
    const shown = place.replaceAll(/\s+/g, ' ').slice(0, MOST_SHOWN)
    return { code, path, line: lines.position(offset).line, message: `${says}: ${shown}` }
  }
  // A command may continue after a line that ends with a backslash.
  const joined = text.replaceAll(/\\\r?\n/g, ending => ' '.repeat(ending.length))
  const signs = SIGNS.flatMap(({ code, pattern, says }) =>
    Array.from(oneInLine(joined, pattern), found =>
      at(code, startOf(found), says, restOfLine(joined, found)),
    ),
  )
  const encoded = [...text.matchAll(ENCODED), ...text.matchAll(HEX)]
    .filter(([run]) => isMixed(run))
    .map(found =>
      at('encoded-text', found.index, `${found[0].length} encoded characters`, found[0].slice(0, 40)),
    )
  const hidden = findHiddenText(Buffer.from(text)).map(
    ({ message, line = 1 }): Finding => ({ code: 'hidden-text', path, line, message }),
  )
  const run = findDownloads(joined).map(({ offset, says, place }) => at('fetch-and-run', offset, says, place))
  return worstFirst(withoutRepeats([...run, ...signs, ...encoded, ...hidden]))
}

export function worstFirst(findings: readonly Finding[]): Finding[] {
  const rank = ({ code }: Finding) => FINDING_CODES.indexOf(code)
  const byPath = (a: Finding, b: Finding) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line)
  return [...findings].sort((a, b) => rank(a) - rank(b) || byPath(a, b))
}

/** Yields only the first match in each line. */
function* oneInLine(text: string, pattern: RegExp): Generator<RegExpExecArray> {
  const form = new RegExp(pattern)
  for (let found = form.exec(text); found; found = form.exec(text)) {
    yield found
    const end = text.indexOf('\n', startOf(found) + 1)
    if (end === -1) return
    form.lastIndex = Math.max(end, found.index + 1)
  }
}

/** A match may begin with the line feed before it. */
function startOf({ index, 0: text }: RegExpExecArray): number {
  return index + (text.length - text.trimStart().length)
}

/**
 * A pattern ends where it is recognised. The reader also wants to see what is installed, for example, so the
 * place goes on to the end of the line, or of code within it.
 */
function restOfLine(text: string, found: RegExpExecArray): string {
  const end = found.index + found[0].length
  const rest = text.slice(end, end + MOST_SHOWN)
  return text.slice(startOf(found), end) + rest.slice(0, /[\n`]|$/.exec(rest)!.index)
}

/** Excludes rulers made of one letter, and long paths, which have no mix of digits and capitals. */
function isMixed(run: string): boolean {
  return new Set(run).size >= 16 && /\d/.test(run) && /[A-Z]/.test(run) && /[a-z]/.test(run)
}

/** Two patterns may match at one place. */
function withoutRepeats(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map(finding => [`${finding.code}:${finding.line}`, finding])).values()]
}
