// A judged set: documents, questions, and which documents answer which question. A set that would measure
// nothing, or something other than intended, is rejected with the file and the line: a result of zero would
// look like a measurement.
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, isRecord, systemErrorCode } from '../../base/index.ts'
import { readFile } from '../../files/index.ts'

export interface JudgedSet {
  readonly corpus: readonly Identified[]
  readonly questions: readonly Identified[]
  /** Question → document → relevance. */
  readonly judgements: ReadonlyMap<string, ReadonlyMap<string, number>>
}

export type Identified = Readonly<Record<string, unknown>> & { readonly id: string }

const MOST_BYTES = 256_000_000
/** Larger numbers would lose precision in sums. */
const MOST_RELEVANT = 1_000_000
const FILES_HINT = 'a judged set holds corpus.jsonl, queries.jsonl and qrels.tsv'
const JUDGEMENT_HINT = 'a line is question, document and relevance, with a tab between them: `q1⇥doc7⇥1`'
/** Names of the last column in a header line. */
const COLUMN_NAMES: ReadonlySet<string> = new Set([
  ...['score', 'rel', 'relevance', 'relevancy', 'label', 'grade', 'gain', 'judgement', 'judgment'],
])

/**
 * Reads a folder with `corpus.jsonl`, `queries.jsonl` and `qrels.tsv`; throws `INVALID_INPUT` naming file and
 * line.
 */
export function readJudgedSet(directory: string): JudgedSet {
  if (!existsSync(directory))
    throw invalid(
      `no file or folder at \`${directory}\``,
      `a file has one question a line, \`{"question": "undo a release", "id": "ops/rollback"}\`; ${FILES_HINT}`,
    )
  const corpus = readRecords(directory, 'corpus.jsonl')
  const questions = readRecords(directory, 'queries.jsonl')
  const judgements = readJudgements(directory)
  const documents = new Set(corpus.map(({ id }) => id))
  const answered = questions.some(({ id }) =>
    [...(judgements.get(id) ?? [])].some(([document, gain]) => gain > 0 && documents.has(document)),
  )
  if (!answered) {
    const hint = `${JUDGEMENT_HINT}; ids are those of queries.jsonl and corpus.jsonl, and 0 means no answer`
    throw invalid('qrels.tsv: expected an answer to at least one of the questions, got none', hint)
  }
  return { corpus, questions, judgements }
}

function readRecords(directory: string, file: string): Identified[] {
  const records = new Map<string, { readonly record: Identified; readonly line: number }>()
  for (const { text, line } of readLines(directory, file)) {
    const record = parseJson(text)
    if (!isIdentified(record)) {
      throw invalid(
        `${file}, line ${line}: expected an object with an id`,
        'as in `{"id": "q1", "text": "..."}`',
      )
    }
    const before = records.get(record.id)
    if (before) {
      const hint = 'rename or remove one of the two'
      throw invalid(`${file}, line ${line}: expected a unique id, got the id of line ${before.line}`, hint)
    }
    records.set(record.id, { record, line })
  }
  return [...records.values()].map(({ record }) => record)
}

function readJudgements(directory: string): Map<string, Map<string, number>> {
  const judgements = new Map<string, Map<string, number>>()
  for (const { text, line } of readLines(directory, 'qrels.tsv')) {
    const [question, document, relevance = ''] = text.split('\t').map(cell => cell.trim())
    if (line === 1 && COLUMN_NAMES.has(relevance.toLowerCase())) continue
    if (!question || !document || relevance === '') {
      throw invalid(`qrels.tsv, line ${line}: expected question, document and relevance`, JUDGEMENT_HINT)
    }
    const gain = Number(relevance)
    if (!(gain >= 0 && gain <= MOST_RELEVANT)) {
      const expected = `expected a relevance from 0 to ${MOST_RELEVANT}, got \`${relevance}\``
      throw invalid(`qrels.tsv, line ${line}: ${expected}`, JUDGEMENT_HINT)
    }
    const judged = judgements.get(question) ?? new Map<string, number>()
    judgements.set(question, judged.set(document, gain))
  }
  return judgements
}

/** All lines that are not blank; there must be one. */
function readLines(directory: string, file: string): { text: string; line: number }[] {
  const lines = readText(directory, file)
    .split('\n')
    .map((text, index) => ({ text, line: index + 1 }))
    .filter(({ text }) => text.trim() !== '')
  if (lines.length === 0) throw invalid(`${file}: expected at least one line, got none`, FILES_HINT)
  return lines
}

function readText(directory: string, file: string): string {
  const path = join(directory, file)
  try {
    // A link is followed, because large sets are often linked to.
    const read = readFile(realpathSync(path), { maxBytes: MOST_BYTES })
    if (read) return read.bytes.toString('utf8')
  } catch (cause) {
    if (cause instanceof AppError) throw invalid(cause.message, FILES_HINT, cause)
    const code = systemErrorCode(cause)
    if (code !== 'ENOENT' && code !== 'ENOTDIR')
      throw invalid(`cannot read \`${path}\`: ${code ?? String(cause)}`, FILES_HINT, cause)
  }
  throw invalid(`expected \`${file}\` in \`${directory}\``, FILES_HINT)
}

function isIdentified(record: unknown): record is Identified {
  return isRecord(record) && typeof record.id === 'string' && record.id !== ''
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // Reported by the caller, with the line.
    return undefined
  }
}

function invalid(message: string, hint: string, cause?: unknown): AppError {
  return new AppError('INVALID_INPUT', message, { hint, ...(cause !== undefined && { cause }) })
}
