// Parses any Python text to top-level statements: in one go when it is valid, otherwise statement by
// statement, so that a broken function does not hide the constants beside it. The parser recurses and is slow
// on hostile text. Too much nesting, too much work and a stack overflow all end here as diagnostics.
import type { StmtNode } from 'py-ast'
import { type Diagnostic, lazy } from '../../base/index.ts'
import { type Line, normalizePython, readLayout } from './layout.ts'
import { withoutBlocks } from './outline.ts'
import { createSource, type PythonSource } from './source.ts'

export interface PythonStatement {
  readonly node: StmtNode
  readonly source: PythonSource
}

export interface PythonModule {
  readonly statements: readonly PythonStatement[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface PythonOptions {
  /** Leave out the bodies of functions and classes, and so the mistakes in them. */
  readonly outline?: boolean | undefined
}

type Parse = (text: string) => { body: StmtNode[] }

export const loadPyAst = lazy(() => import('py-ast'))

// CPython's own limits.
const MOST_BRACKETS = 200
const MOST_INDENTS = 100
// Characters given to the parser per pass; about half a second.
const MOST_WORK = 400_000
// The least that a statement costs, since a broken one creates an error with its stack.
const LEAST_WORK = 100

/** What is known about a text before it is parsed. */
export interface PythonShape {
  /** With plain line ends. */
  readonly text: string
  readonly lines: readonly Line[]
  /** Whether the parser can be given all of it at once. */
  readonly isBounded: boolean
  readonly diagnostics: readonly Diagnostic[]
}

export function readShape(text: string): PythonShape {
  const clean = normalizePython(text)
  const lines = readLayout(clean)
  // A line costs about as much as five characters.
  const isBounded =
    clean.length + 5 * lines.length <= MOST_WORK && findTooDeep(lines, 0, lines.length) === undefined
  return { text: clean, lines, isBounded, diagnostics: checkEncoding(clean) }
}

/** Never throws; every refusal is a diagnostic with its position. */
export async function parsePython(shape: PythonShape, options: PythonOptions = {}): Promise<PythonModule> {
  const { parse } = await loadPyAst()
  const { text, lines, diagnostics: encoding } = shape
  if (shape.isBounded) {
    const outline = options.outline ? parseStretch(parse, withoutBlocks(text, lines), 1) : undefined
    const whole = outline && 'statements' in outline ? outline : parseStretch(parse, text, 1)
    if ('statements' in whole) return { statements: whole.statements, diagnostics: encoding }
    // One mistake in the context of the whole file says more than its consequences for each statement.
    if (whole.failure.code === 'python-syntax') {
      const { statements } = parseByStatement(parse, text, lines)
      return { statements, diagnostics: [...encoding, whole.failure] }
    }
  }
  const { statements, diagnostics } = parseByStatement(parse, text, lines)
  return { statements, diagnostics: [...encoding, ...diagnostics] }
}

type Stretch = { readonly statements: PythonStatement[] } | { readonly failure: Diagnostic }

function parseStretch(parse: Parse, text: string, firstLine: number): Stretch {
  const source = createSource(text, firstLine)
  const nul = text.indexOf('\0')
  if (nul >= 0) {
    const line = text.slice(0, nul).split('\n').length
    return {
      failure: problem('python-syntax', 'source cannot contain a null byte', source.position(line, 0)),
    }
  }
  try {
    return { statements: parse(text).body.map(node => ({ node, source })) }
  } catch (thrown) {
    return { failure: describeFailure(thrown, source) }
  }
}

function describeFailure(thrown: unknown, source: PythonSource): Diagnostic {
  if (thrown instanceof RangeError && thrown.message.includes('call stack')) {
    return problem(
      'python-too-deep',
      'expected less nesting than the parser can follow',
      source.position(1, 0),
    )
  }
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  // The parser puts the place at the end of every message, but in fields of only some errors.
  const place = /^(.*?) at line (\d+)(?:, column (\d+))?$/su.exec(text.slice(-200))
  const what = (place?.[1] ?? text).slice(0, 150)
  const message = what.charAt(0).toLowerCase() + what.slice(1)
  return problem('python-syntax', message, source.position(Number(place?.[2] ?? 1), Number(place?.[3] ?? 0)))
}

function parseByStatement(parse: Parse, text: string, lines: readonly Line[]): PythonModule {
  const statements: PythonStatement[] = []
  const diagnostics: Diagnostic[] = []
  // Pushed one by one, since a line may hold more statements than a call can take arguments.
  const keep = (found: readonly PythonStatement[]) => {
    for (const statement of found) statements.push(statement)
  }
  let work = MOST_WORK
  let index = 0
  while (index < lines.length) {
    if (!beginsStatement(text, lines[index]!)) {
      index++
      continue
    }
    const end = endOfStatement(text, lines, index)
    const from = lines[index]!.start
    const upTo = lines[end.line]?.start ?? text.length
    const cost = Math.max(LEAST_WORK, upTo - from)
    if (work < LEAST_WORK) {
      diagnostics.push(problem('python-too-large', 'the rest of the file is too large to read', at(index)))
      break
    }
    const deep = findTooDeep(lines, index, end.line)
    let failure: Diagnostic | undefined
    if (deep !== undefined) failure = problem('python-too-deep', 'too many levels of nesting', at(deep))
    else if (!end.closed) failure = problem('python-syntax', 'a bracket is never closed', at(index))
    else if (cost > work)
      failure = problem('python-too-large', 'the statement is too large to read', at(index))
    else {
      const stretch = parseStretch(parse, text.slice(from, upTo), index + 1)
      if ('statements' in stretch) keep(stretch.statements)
      else {
        failure = stretch.failure
        // Stray indented lines may follow a statement that is valid by itself.
        const own = lines[endOfLogicalLine(lines, index)]?.start ?? text.length
        const alone = own < upTo ? parseStretch(parse, text.slice(from, own), index + 1) : stretch
        if ('statements' in alone) keep(alone.statements)
      }
    }
    if (failure !== undefined && diagnostics.length < 20) diagnostics.push(failure)
    // A skipped statement costs nothing, unless it never closes: then it was scanned to the end of the file.
    const passedOver = failure?.code === 'python-too-large' || failure?.code === 'python-too-deep'
    if (!passedOver || !end.closed) work -= cost
    // After an open bracket only a line that begins a new statement is certain.
    index = end.closed ? end.line : index + 1
  }
  return { statements, diagnostics }
}

function at(lineIndex: number) {
  return { line: lineIndex + 1, column: 1 }
}

const CLAUSE = /(?:else|elif|except|finally)\b/y

function beginsStatement(text: string, line: Line): boolean {
  return line.indent === 0 && !line.continued && !/[)\]}]/.test(text[line.start]!)
}

/** The line after a statement, including its block, its clauses and, for decorators, what they decorate. */
function endOfStatement(
  text: string,
  lines: readonly Line[],
  first: number,
): { line: number; closed: boolean } {
  let depth = Math.max(0, lines[first]!.balance)
  let decorator = text[lines[first]!.start] === '@'
  let index = first + 1
  for (; index < lines.length; index++) {
    const line = lines[index]!
    if (depth === 0 && line.indent === 0 && !line.continued) {
      CLAUSE.lastIndex = line.start
      if (!decorator && !CLAUSE.test(text)) return { line: index, closed: true }
      decorator = text[line.start] === '@'
    }
    depth = Math.max(0, depth + line.balance)
  }
  return { line: index, closed: depth === 0 }
}

function endOfLogicalLine(lines: readonly Line[], first: number): number {
  let depth = Math.max(0, lines[first]!.balance)
  let index = first + 1
  while (index < lines.length && (depth > 0 || lines[index]!.continued)) {
    depth = Math.max(0, depth + lines[index++]!.balance)
  }
  return index
}

/** The first line that nests deeper than Python itself allows. */
function findTooDeep(lines: readonly Line[], from: number, to: number): number | undefined {
  let depth = 0
  const indents = [0]
  for (let index = from; index < to; index++) {
    const line = lines[index]!
    if (depth + line.peak > MOST_BRACKETS) return index
    if (depth === 0 && line.indent >= 0 && !line.continued) {
      while (indents.length > 1 && indents.at(-1)! > line.indent) indents.pop()
      if (line.indent > indents.at(-1)! && indents.push(line.indent) > MOST_INDENTS) return index
    }
    depth = Math.max(0, depth + line.balance)
  }
  return undefined
}

const ENCODING = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/
const UTF8 = /^(?:utf-?8(?:-sig)?|us-ascii|ascii)$/i

/** Warns when Python would read the file differently: everything here is read as UTF-8. */
function checkEncoding(text: string): Diagnostic[] {
  const lines = text.slice(0, 1000).split('\n', 2)
  for (const [index, line] of lines.entries()) {
    const encoding = ENCODING.exec(line)?.[1]
    if (encoding === undefined || UTF8.test(encoding.replaceAll('_', '-'))) continue
    if (!/[^\0-\x7f]/.test(text)) continue
    const message = `expected UTF-8, the file declares \`${encoding}\``
    return [{ severity: 'warning', code: 'python-encoding', message, ...at(index) }]
  }
  return []
}

function problem(code: string, message: string, place: { line: number; column: number }): Diagnostic {
  return { severity: 'error', code, message, line: place.line, column: place.column }
}
