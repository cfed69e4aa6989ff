// A user's own judged questions: a JSONL file in which each line has a question and the item, or the items,
// that answer it. A file that would measure something other than intended is rejected with the line.
import { realpathSync } from 'node:fs'
import { AppError, isRecord, quoteText, systemErrorCode } from '../../base/index.ts'
import { readFile } from '../../files/index.ts'

export interface OwnQuestion {
  readonly question: string
  /** References of items, any of which answers the question. */
  readonly ids: readonly string[]
  readonly line: number
}

const MOST_BYTES = 64_000_000
const MOST_LINES = 100_000
const HINT =
  'a line is a question and the id of the item that answers it: `{"question": "undo a release", "id": "ops/rollback"}`; several are `"ids": [...]`'

export function readOwnQuestions(path: string): OwnQuestion[] {
  const lines = readText(path).split('\n')
  const questions = lines.flatMap((text, index) =>
    text.trim() === '' ? [] : [readLine(text, index + 1, path)],
  )
  if (questions.length === 0) throw invalid(`\`${path}\`: expected a question, got an empty file`)
  if (questions.length > MOST_LINES)
    throw invalid(`\`${path}\`: expected at most ${MOST_LINES} questions, got ${questions.length}`)
  return questions
}

function readLine(text: string, line: number, path: string): OwnQuestion {
  const fail = (problem: string) => invalid(`\`${path}\`, line ${line}: ${problem}`)
  let record: unknown
  try {
    record = JSON.parse(line === 1 ? text.replace(/^\uFEFF/, '') : text)
  } catch {
    throw fail(`expected JSON, got ${quoteText(text.trim(), 60)}`)
  }
  if (!isRecord(record)) throw fail('expected an object with `question` and `id`')
  const { question, id, ids = id } = record
  if (typeof question !== 'string' || question.trim() === '')
    throw fail('expected `question` to be text that is not blank')
  if (id !== undefined && record.ids !== undefined) throw fail('expected `id` or `ids`, got both')
  const list: unknown[] = Array.isArray(ids) ? ids : [ids]
  if (list.length === 0 || !list.every(one => typeof one === 'string' && one !== ''))
    throw fail('expected `id` to be the id of an item, or `ids` to be a list of them')
  // Checked above.
  return { question, ids: list as string[], line }
}

function readText(path: string): string {
  try {
    // A link is followed, as for other judged sets.
    const read = readFile(realpathSync(path), { maxBytes: MOST_BYTES })
    if (read) return read.bytes.toString('utf8')
  } catch (cause) {
    if (cause instanceof AppError) throw invalid(cause.message, cause)
    throw invalid(`cannot read \`${path}\`: ${systemErrorCode(cause) ?? String(cause)}`, cause)
  }
  throw invalid(`expected a file \`${path}\``)
}

function invalid(message: string, cause?: unknown): AppError {
  return new AppError('INVALID_INPUT', message, { hint: HINT, ...(cause !== undefined && { cause }) })
}
